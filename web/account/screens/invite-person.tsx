import { useState } from "preact/hooks";
import { Notice } from "../../kit/notice.tsx";
import { CopyText } from "../parts/copy-text.tsx";
import { TextField } from "../parts/fields.tsx";
import { Modal } from "../parts/modal.tsx";
import { useAccount } from "../session.ts";
import { ROLES, type Role } from "../wire/people.ts";
import { refusalText, useSpeech } from "../words/words.ts";

type Invited = { readonly link?: string };

/** Invites a person. Where no e-mail can be sent, the link is shown to the person who invites. */
export function InvitePerson(props: { readonly onClose: () => void; readonly onInvited: () => Promise<void> }) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [trouble, setTrouble] = useState<string>();
  const [invited, setInvited] = useState<Invited>();
  const submit = async (event: Event) => {
    event.preventDefault();
    setTrouble(undefined);
    const answer = await perform<Invited>("team/invite", { email: email.trim(), role });
    if (answer.kind !== "ok") return setTrouble(refusalText(words, answer));
    setInvited(answer.value);
    await props.onInvited();
  };
  if (invited !== undefined) {
    return (
      <Modal title={words.team.invite} onClose={props.onClose}>
        {invited.link === undefined ? (
          <p>{words.team.invitedMailed(email.trim())}</p>
        ) : (
          <>
            <p>{words.team.invitedLink(email.trim())}</p>
            <CopyText text={invited.link} label={words.team.linkLabel} />
            <p class="small">{words.team.linkText}</p>
          </>
        )}
        <button type="button" class="primary wide" onClick={props.onClose}>
          {words.close}
        </button>
      </Modal>
    );
  }
  return (
    <Modal title={words.team.invite} onClose={props.onClose}>
      <form onSubmit={submit}>
        <Notice text={trouble} />
        <TextField
          label={words.team.inviteEmail}
          type="email"
          name="email"
          value={email}
          onInput={setEmail}
          isRequired
        />
        <fieldset class="role-choices">
          <legend>{words.team.role}</legend>
          {ROLES.map((each) => (
            <label key={each} class="role-choice">
              <input type="radio" name="role" value={each} checked={each === role} onChange={() => setRole(each)} />
              <span>
                {words.roles[each].name}
                <span class="small">{words.roles[each].hint}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <button type="submit" class="primary wide">
          {words.team.inviteSubmit}
        </button>
      </form>
    </Modal>
  );
}
