import { useEffect, useMemo, useState } from "preact/hooks";
import { useHeadingFocus } from "../kit/heading-focus.ts";
import type { Language } from "../kit/language.ts";
import { SpeakLanguage } from "./parts/language-button.tsx";
import { Loading, Trouble } from "./parts/states.tsx";
import { RouterContext, usePlaces } from "./router.ts";
import { Forgot, ResetPassword } from "./screens/forgot.tsx";
import { Invitation } from "./screens/invitation.tsx";
import { SignIn } from "./screens/sign-in.tsx";
import { type Refusal, read } from "./server.ts";
import { SignedInApp } from "./signed-in.tsx";
import type { Session } from "./wire/people.ts";
import { SpeechContext, WORDS } from "./words/words.ts";

/** Whether the person is signed in, as far as the server has said. */
type Standing =
  | { readonly kind: "unknown" }
  | { readonly kind: "trouble"; readonly refusal: Refusal }
  | { readonly kind: "out"; readonly hasEnded: boolean }
  | { readonly kind: "in"; readonly session: Session };

export function App() {
  const router = usePlaces();
  const { language, speak, follow } = useLanguage();
  const [standing, setStanding] = useState<Standing>({ kind: "unknown" });
  const speech = useMemo(() => ({ language, words: WORDS[language] }), [language]);
  const refresh = async () => {
    const answer = await read<Session>("session");
    if (answer.kind === "ok") {
      follow(answer.value.person.language);
      setStanding({ kind: "in", session: answer.value });
    } else if (answer.kind === "refused" && answer.code === "not_signed_in") {
      setStanding((now) => ({ kind: "out", hasEnded: now.kind === "in" }));
    } else {
      // Who is signed in stays so while the server is silent.
      setStanding((now) => (now.kind === "in" ? now : { kind: "trouble", refusal: answer }));
    }
  };
  useEffect(() => {
    void refresh();
  }, []);
  useHeadingFocus(`${standing.kind} ${router.place.path}`);
  return (
    <SpeechContext.Provider value={speech}>
      <SpeakLanguage.Provider value={speak}>
        <RouterContext.Provider value={router}>
          <Door
            standing={standing}
            refresh={refresh}
            onSignedOut={(hasEnded) => setStanding({ kind: "out", hasEnded })}
            path={router.place.path}
            hash={router.place.hash}
            onEntered={() => {
              // The token is not kept in the history of the browser.
              router.go("", "replace");
              void refresh();
            }}
          />
        </RouterContext.Provider>
      </SpeakLanguage.Provider>
    </SpeechContext.Provider>
  );
}

function Door(props: {
  readonly standing: Standing;
  readonly path: string;
  readonly hash: string;
  readonly refresh: () => Promise<void>;
  readonly onSignedOut: (hasEnded: boolean) => void;
  readonly onEntered: () => void;
}) {
  const { standing } = props;
  // These open to people who are signed in too: the link may be for another account.
  if (props.path === "invitation") return <Invitation token={props.hash} onAccepted={props.onEntered} />;
  if (props.path === "reset") return <ResetPassword token={props.hash} />;
  switch (standing.kind) {
    case "unknown":
      return (
        <main class="entrance">
          <Loading />
        </main>
      );
    case "trouble":
      return (
        <main class="entrance">
          <Trouble refusal={standing.refusal} onAgain={props.refresh} />
        </main>
      );
    case "out":
      return props.path === "forgot" ? <Forgot /> : <SignIn hasEnded={standing.hasEnded} onDone={props.refresh} />;
    case "in":
      return <SignedInApp session={standing.session} refresh={props.refresh} onSignedOut={props.onSignedOut} />;
  }
}

const KEPT = "tillgate-account-language";

/** The choice that was made in this browser; without one the person's own, and before the sign-in what the browser prefers. */
function useLanguage() {
  const [language, setLanguage] = useState<Language>(
    () => kept() ?? (navigator.language.startsWith("ru") ? "ru" : "en"),
  );
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return {
    language,
    speak: (chosen: Language) => {
      setLanguage(chosen);
      try {
        localStorage.setItem(KEPT, chosen);
      } catch {
        // A browser that stores nothing speaks the person's own language the next time.
      }
    },
    follow: (own: Language) => {
      if (kept() === undefined) setLanguage(own);
    },
  };
}

function kept(): Language | undefined {
  try {
    const text = localStorage.getItem(KEPT);
    return text === "en" || text === "ru" ? text : undefined;
  } catch {
    return undefined;
  }
}
