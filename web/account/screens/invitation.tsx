import { useEffect, useState } from "preact/hooks";
import { Notice } from "../../kit/notice.tsx";
import { Entrance } from "../parts/entrance.tsx";
import { PasswordField, TextField } from "../parts/fields.tsx";
import { Link } from "../parts/link.tsx";
import { Loading } from "../parts/states.tsx";
import { type Answer, change } from "../server.ts";
import type { InvitationLook, SignedIn, SignInMethod } from "../wire/people.ts";
import { refusalText, useSpeech } from "../words/words.ts";
import { AskFactor } from "./sign-in.tsx";

/** The link of an invitation: its token is in the fragment, which browsers send to no server. */
export function Invitation(props: { readonly token: string; readonly onAccepted: () => void }) {
  const { words } = useSpeech();
  const [look, setLook] = useState<Answer<InvitationLook>>();
  useEffect(() => {
    void change<InvitationLook>("invitation/look", { token: props.token }).then(setLook);
  }, [props.token]);
  if (look === undefined) {
    return (
      <Entrance title={words.account}>
        <Loading />
      </Entrance>
    );
  }
  if (look.kind !== "ok") {
    return (
      <Entrance
        title={words.invitation.badTitle}
        text={look.kind === "refused" ? words.invitation.bad : words.errors.silence}
      >
        <p class="entrance-links">
          <Link to="">{words.forgot.backToSignIn}</Link>
        </p>
      </Entrance>
    );
  }
  return <Accept {...props} invitation={look.value} />;
}

function Accept(props: {
  readonly token: string;
  readonly invitation: InvitationLook;
  readonly onAccepted: () => void;
}) {
  const { language, words } = useSpeech();
  const { merchant_name, role, email, has_password } = props.invitation;
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [methods, setMethods] = useState<readonly SignInMethod[]>();
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setTrouble(undefined);
    const answer = await change<SignedIn>("invitation/accept", {
      token: props.token,
      name: has_password ? email : name.trim(),
      password,
      language,
    });
    setBusy(false);
    if (answer.kind !== "ok") return setTrouble(refusalText(words, answer));
    if (answer.value.next === "done") props.onAccepted();
    else setMethods(answer.value.methods);
  };
  if (methods !== undefined) return <AskFactor methods={methods} onDone={props.onAccepted} />;
  return (
    <Entrance title={words.invitation.title(merchant_name)} text={words.invitation.text(words.roles[role].name)}>
      <form onSubmit={submit}>
        <Notice text={trouble} />
        <dl class="facts">
          <div>
            <dt>{words.invitation.email}</dt>
            <dd>{email}</dd>
          </div>
        </dl>
        {has_password ? null : (
          <TextField
            label={words.invitation.name}
            hint={words.invitation.nameHint}
            name="name"
            autocomplete="name"
            value={name}
            onInput={setName}
            maxLength={128}
            isRequired
          />
        )}
        <PasswordField
          label={has_password ? words.invitation.ownPassword : words.invitation.password}
          hint={has_password ? words.invitation.ownPasswordHint : words.forgot.newHint}
          name="password"
          autocomplete={has_password ? "current-password" : "new-password"}
          value={password}
          onInput={setPassword}
        />
        <button type="submit" class="primary wide" aria-disabled={isBusy}>
          {words.invitation.submit}
        </button>
      </form>
    </Entrance>
  );
}
