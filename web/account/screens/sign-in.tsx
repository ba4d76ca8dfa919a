import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Notice } from "../../kit/notice.tsx";
import { Entrance } from "../parts/entrance.tsx";
import { FactorForm } from "../parts/factor-form.tsx";
import { PasswordField, TextField } from "../parts/fields.tsx";
import { Link } from "../parts/link.tsx";
import { change } from "../server.ts";
import type { SignedIn, SignInMethod } from "../wire/people.ts";
import { refusalText, useSpeech } from "../words/words.ts";

/** The order in which second factors are offered. */
const OFFERED: readonly SignInMethod[] = ["passkey", "totp", "recovery_code"];

export function SignIn(props: { readonly hasEnded: boolean; readonly onDone: () => void }) {
  const { words } = useSpeech();
  const [methods, setMethods] = useState<readonly SignInMethod[]>();
  if (methods === undefined) return <PasswordStep {...props} onMethods={setMethods} />;
  return (
    <AskFactor methods={methods} onDone={props.onDone}>
      <p class="entrance-links">
        <button type="button" class="link-button" onClick={() => setMethods(undefined)}>
          {words.signIn.startOver}
        </button>
      </p>
    </AskFactor>
  );
}

/** The second step, after the password was right. */
export function AskFactor(props: {
  readonly methods: readonly SignInMethod[];
  readonly onDone: () => void;
  readonly children?: ComponentChildren;
}) {
  const { words } = useSpeech();
  return (
    <Entrance title={words.signIn.factorTitle}>
      <FactorForm
        methods={OFFERED.filter((method) => props.methods.includes(method))}
        paths={{ code: "sign-in/second-factor", passkey: "sign-in/passkey" }}
        onDone={props.onDone}
      />
      {props.children}
    </Entrance>
  );
}

function PasswordStep(props: {
  readonly hasEnded: boolean;
  readonly onDone: () => void;
  readonly onMethods: (methods: readonly SignInMethod[]) => void;
}) {
  const { words } = useSpeech();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setTrouble(undefined);
    const answer = await change<SignedIn>("sign-in", { email: email.trim(), password });
    setBusy(false);
    if (answer.kind !== "ok") {
      setPassword("");
      return setTrouble(refusalText(words, answer));
    }
    if (answer.value.next === "done") props.onDone();
    else props.onMethods(answer.value.methods);
  };
  return (
    <Entrance title={words.signIn.title} text={props.hasEnded ? words.signIn.ended : undefined}>
      <form onSubmit={submit}>
        <Notice text={trouble} />
        <TextField
          label={words.signIn.email}
          type="email"
          name="email"
          autocomplete="username"
          value={email}
          onInput={setEmail}
          isRequired
        />
        <PasswordField
          label={words.signIn.password}
          name="password"
          autocomplete="current-password"
          value={password}
          onInput={setPassword}
        />
        <button type="submit" class="primary wide" aria-disabled={isBusy}>
          {words.signIn.submit}
        </button>
      </form>
      <p class="entrance-links">
        <Link to="forgot">{words.signIn.forgot}</Link>
      </p>
    </Entrance>
  );
}
