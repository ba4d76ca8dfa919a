import { useState } from "preact/hooks";
import { Notice } from "../../../kit/notice.tsx";
import { CopyText } from "../../parts/copy-text.tsx";
import { SelectField } from "../../parts/fields.tsx";
import { Modal } from "../../parts/modal.tsx";
import { useAccount } from "../../session.ts";
import type { SecretKind } from "../../wire/callbacks.ts";
import { refusalText, useSpeech } from "../../words/words.ts";

const OVERLAPS = ["7", "1", "30", "0"] as const;

/** Asks how long the old secret signs beside the new one. */
export function NewSecret(props: {
  readonly kind: SecretKind;
  readonly path: string;
  readonly isFirst: boolean;
  /** While one is being replaced, a third can only take the place of both at once. */
  readonly isReplacing: boolean;
  readonly onClose: () => void;
  readonly onMade: (secret: string) => void;
}) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const offered = props.isReplacing ? (["0"] as const) : OVERLAPS;
  const [days, setDays] = useState<string>(offered[0]);
  const [trouble, setTrouble] = useState<string>();
  const submit = async (event: Event) => {
    event.preventDefault();
    setTrouble(undefined);
    const body = { kind: props.kind, overlap_days: Number(days) };
    const answer = await perform<{ readonly secret: string }>(props.path, body);
    if (answer.kind === "ok") props.onMade(answer.value.secret);
    else setTrouble(refusalText(words, answer));
  };
  const name = props.kind === "webhook" ? words.callbacks.webhookTitle : words.callbacks.schemeTitle;
  return (
    <Modal title={words.callbacks.newSecretOf(name)} onClose={props.onClose}>
      <form onSubmit={submit}>
        <Notice text={trouble} />
        <p class="small">{words.callbacks.newSecretOnce}</p>
        {props.isFirst ? null : (
          <>
            <p class="small">{days === "0" ? words.callbacks.atOnceWarning : words.callbacks.newSecretText}</p>
            <SelectField
              label={words.callbacks.overlap}
              value={days}
              options={offered.map((each) => ({ value: each, name: words.callbacks.overlaps[each] ?? each }))}
              onChange={setDays}
            />
          </>
        )}
        <button type="submit" class="primary wide">
          {words.callbacks.makeSecret}
        </button>
      </form>
    </Modal>
  );
}

/** A secret, this once. */
export function ShownSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const { words } = useSpeech();
  return (
    <Modal title={words.callbacks.secretTitle} text={words.callbacks.secretText} onClose={onClose}>
      <p>
        <CopyText text={secret} label={words.callbacks.secretLabel} />
      </p>
      <button type="button" class="primary wide" onClick={onClose}>
        {words.callbacks.kept}
      </button>
    </Modal>
  );
}
