import { useState } from "preact/hooks";
import { Notice } from "../../kit/notice.tsx";
import { Entrance } from "../parts/entrance.tsx";
import { PasswordField, TextField } from "../parts/fields.tsx";
import { Link } from "../parts/link.tsx";
import { change } from "../server.ts";
import { refusalText, useSpeech } from "../words/words.ts";

/** Asks for a link to a new password. The answer is the same for every address. */
export function Forgot() {
  const { words } = useSpeech();
  const [email, setEmail] = useState("");
  const [isSent, setSent] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const submit = async (event: Event) => {
    event.preventDefault();
    setTrouble(undefined);
    const answer = await change("password/forgot", { email: email.trim() });
    if (answer.kind === "ok") setSent(true);
    else setTrouble(refusalText(words, answer));
  };
  const back = (
    <p class="entrance-links">
      <Link to="">{words.forgot.backToSignIn}</Link>
    </p>
  );
  if (isSent) {
    return (
      <Entrance title={words.forgot.sentTitle} text={words.forgot.sent(email.trim())}>
        {back}
      </Entrance>
    );
  }
  return (
    <Entrance title={words.forgot.title} text={words.forgot.text}>
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
        <button type="submit" class="primary wide">
          {words.forgot.submit}
        </button>
      </form>
      {back}
    </Entrance>
  );
}

/** The link of the e-mail: its token is in the fragment, which browsers send to no server. */
export function ResetPassword({ token }: { readonly token: string }) {
  const { words } = useSpeech();
  const [password, setPassword] = useState("");
  const [isDone, setDone] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const submit = async (event: Event) => {
    event.preventDefault();
    setTrouble(undefined);
    const answer = await change("password/reset", { token, password });
    if (answer.kind === "ok") setDone(true);
    else setTrouble(refusalText(words, answer));
  };
  if (isDone || token === "") {
    return (
      <Entrance
        title={isDone ? words.forgot.doneTitle : words.forgot.title}
        text={isDone ? words.forgot.done : words.forgot.noToken}
      >
        <p class="entrance-links">
          <Link to="">{words.forgot.backToSignIn}</Link>
        </p>
      </Entrance>
    );
  }
  return (
    <Entrance title={words.forgot.newTitle}>
      <form onSubmit={submit}>
        <Notice text={trouble} />
        <PasswordField
          label={words.forgot.newPassword}
          hint={words.forgot.newHint}
          name="password"
          autocomplete="new-password"
          value={password}
          onInput={setPassword}
        />
        <button type="submit" class="primary wide">
          {words.forgot.save}
        </button>
      </form>
    </Entrance>
  );
}
