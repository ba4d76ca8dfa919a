import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import { ICONS } from "./parts/icons.ts";
import { Link } from "./parts/link.tsx";
import { Screen } from "./parts/screen.tsx";
import { Shell } from "./parts/shell.tsx";
import { EmptyState } from "./parts/states.tsx";
import { StepUp } from "./parts/step-up.tsx";
import { useProjects } from "./projects.ts";
import { useRouter } from "./router.ts";
import { MustSetFactor } from "./screens/must-set-factor.tsx";
import { findScreen } from "./screens.tsx";
import { type Answer, change } from "./server.ts";
import { type Account, AccountContext, mayDo, useAccount } from "./session.ts";
import type { Session } from "./wire/people.ts";
import { useSpeech } from "./words/words.ts";

const NO_PROJECTS: Account["projects"] = [];

type Waiting = { readonly confirmed: () => void; readonly refused: () => void };

export function SignedInApp(props: {
  readonly session: Session;
  readonly refresh: () => Promise<void>;
  readonly onSignedOut: (hasEnded: boolean) => void;
}) {
  const { session, refresh } = props;
  const [waiting, setWaiting] = useState<Waiting>();
  const projects = useProjects(session);
  const onSignedOut = () => props.onSignedOut(true);
  const askAgain = () =>
    new Promise<boolean>((resolve) => {
      setWaiting({ confirmed: () => resolve(true), refused: () => resolve(false) });
    });
  const perform: Account["perform"] = async <Value,>(path: string, body?: object): Promise<Answer<Value>> => {
    const answer = await change<Value>(path, body);
    if (answer.kind !== "refused") return answer;
    if (answer.code === "not_signed_in") onSignedOut();
    if (answer.code !== "step_up_required") return answer;
    const isConfirmed = await askAgain();
    setWaiting(undefined);
    return isConfirmed ? change<Value>(path, body) : answer;
  };
  const account: Account = {
    ...{ session, projects: projects ?? NO_PROJECTS, areProjectsKnown: projects !== undefined },
    ...{ refresh, perform, onSignedOut },
  };
  const signOut = async () => {
    await change("sign-out");
    props.onSignedOut(false);
  };
  return (
    <AccountContext.Provider value={account}>
      {session.must_set_second_factor ? (
        <MustSetFactor onSignOut={signOut} />
      ) : (
        <Shell onSignOut={signOut}>
          <CurrentScreen />
        </Shell>
      )}
      {waiting === undefined ? null : <StepUp session={session} onDone={waiting.confirmed} onClose={waiting.refused} />}
    </AccountContext.Provider>
  );
}

function CurrentScreen() {
  const { words } = useSpeech();
  const { place } = useRouter();
  const { session } = useAccount();
  const found = findScreen(place.path);
  // A screen that fails does not take the menu with it.
  const [error, resetError] = useErrorBoundary();
  useEffect(() => {
    if (error !== undefined) resetError();
  }, [place.path]);
  if (error !== undefined) {
    return (
      <Screen title={words.errorTitle}>
        <EmptyState icon={ICONS.exclamation} title={words.errorTitle} text={words.errorUnknown} />
      </Screen>
    );
  }
  if (found === undefined) {
    return (
      <Screen title={words.noPage.title}>
        <EmptyState icon={ICONS.exclamation} title={words.noPage.title} text={words.noPage.text}>
          <Link to="" look="button quiet">
            {words.noPage.go}
          </Link>
        </EmptyState>
      </Screen>
    );
  }
  const { row, id } = found;
  const isOfMerchant = row.right !== undefined;
  if (isOfMerchant && session.merchant === null) {
    return (
      <Screen title={words.nav[row.name]}>
        <EmptyState icon={ICONS.team} {...words.noMerchant} />
      </Screen>
    );
  }
  if (row.right !== undefined && !mayDo(session, row.right)) {
    return (
      <Screen title={words.nav[row.name]}>
        <EmptyState icon={ICONS.lock} {...words.notAllowed} />
      </Screen>
    );
  }
  return <>{row.draw(id)}</>;
}
