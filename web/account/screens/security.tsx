import { useState } from "preact/hooks";
import { Notice } from "../../kit/notice.tsx";
import { useLoad } from "../load.ts";
import { Badge } from "../parts/badge.tsx";
import { PasswordField } from "../parts/fields.tsx";
import { When } from "../parts/figures.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { Shown } from "../parts/states.tsx";
import { useAccount } from "../session.ts";
import type { OpenSession } from "../wire/people.ts";
import { refusalText, useSpeech } from "../words/words.ts";
import { SecondFactors } from "./second-factor.tsx";
import { Profile } from "./settings/profile.tsx";

export function Security() {
  const { words } = useSpeech();
  return (
    <Screen title={words.security.title}>
      <div class="columns">
        <Profile />
        <ChangePassword />
      </div>
      <SecondFactors />
      <Sessions />
    </Screen>
  );
}

function ChangePassword() {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const [password, setPassword] = useState("");
  const [next, setNext] = useState("");
  const [trouble, setTrouble] = useState<string>();
  const [isDone, setDone] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setTrouble(undefined);
    setDone(false);
    const answer = await perform("password/change", { password, new_password: next });
    if (answer.kind !== "ok") return setTrouble(refusalText(words, answer));
    setDone(true);
    setPassword("");
    setNext("");
  };
  return (
    <Panel title={words.security.passwordTitle}>
      <form class="narrow" onSubmit={submit}>
        <Notice text={trouble} />
        <PasswordField
          label={words.security.current}
          name="password"
          autocomplete="current-password"
          value={password}
          onInput={setPassword}
        />
        <PasswordField
          label={words.forgot.newPassword}
          hint={words.forgot.newHint}
          name="new-password"
          autocomplete="new-password"
          value={next}
          onInput={setNext}
        />
        <button type="submit" class="quiet">
          {words.security.change}
        </button>
        <p class="done" role="status">
          {isDone ? words.security.changed : null}
        </p>
      </form>
    </Panel>
  );
}

function Sessions() {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const loaded = useLoad<{ readonly sessions: readonly OpenSession[] }>("sessions");
  const [trouble, setTrouble] = useState<string>();
  const revoke = async (id: string) => {
    const answer = await perform(`sessions/${id}/revoke`);
    setTrouble(answer.kind === "ok" ? undefined : refusalText(words, answer));
    await loaded.reload();
  };
  return (
    <Panel title={words.security.sessionsTitle} text={words.security.sessionsText}>
      <Notice text={trouble} />
      <Shown loaded={loaded}>
        {({ sessions }) => (
          <ul class="rows">
            {sessions.map((session) => (
              <li key={session.id}>
                <div>
                  <strong>{agentName(session.browser) ?? words.security.unknownAgent}</strong>{" "}
                  {session.current ? <Badge tone="good">{words.security.thisOne}</Badge> : null}
                  <p class="small">
                    {session.address} · <When at={session.seen_at} />
                  </p>
                </div>
                {session.current ? null : (
                  <button
                    type="button"
                    class="quiet"
                    aria-label={words.security.revokeOf(agentName(session.browser) ?? session.address)}
                    onClick={() => revoke(session.id)}
                  >
                    {words.security.revoke}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Panel>
  );
}

const BROWSERS = ["Edg", "OPR", "YaBrowser", "Firefox", "Chrome", "Safari"] as const;
const NAMES: Readonly<Record<string, string>> = { Edg: "Edge", OPR: "Opera", YaBrowser: "Yandex Browser" };
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"] as const;

/** `Chrome, Linux`: enough for a person to know their own; the whole text says little more. */
function agentName(agent: string): string | undefined {
  const browser = BROWSERS.find((name) => agent.includes(`${name}/`));
  const system = SYSTEMS.find((name) => agent.includes(name));
  const known = [browser === undefined ? undefined : (NAMES[browser] ?? browser), system];
  return known.filter((part) => part !== undefined).join(", ") || undefined;
}
