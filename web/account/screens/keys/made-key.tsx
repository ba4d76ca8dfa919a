import { useEffect, useState } from "preact/hooks";
import { Icon } from "../../../kit/icon.tsx";
import { Notice } from "../../../kit/notice.tsx";
import { CopyBlock, CopyText } from "../../parts/copy-text.tsx";
import { ICONS } from "../../parts/icons.ts";
import { Modal } from "../../parts/modal.tsx";
import { saveFile } from "../../save-file.ts";
import type { KeyKind } from "../../wire/keys.ts";
import { useSpeech } from "../../words/words.ts";
import { shortToken } from "./key-names.ts";

/** A key that was just made. Its secret part is in the memory of this page alone, until it is closed. */
export type KeptKey = {
  readonly label: string;
  readonly kind: KeyKind;
  readonly token: string;
  /** The private key or the secret; undefined where the person has it already. */
  readonly secret: string | undefined;
};

export function MadeKeyShown({ made, onClose }: { readonly made: KeptKey; readonly onClose: () => void }) {
  const { words } = useSpeech();
  const [isKept, setKept] = useState(made.secret === undefined);
  const [isWarned, setWarned] = useState(false);
  // The cross and Escape are easily hit: what cannot come back is not lost by one of them.
  const closeOrWarn = () => {
    if (isKept || isWarned) onClose();
    else setWarned(true);
  };
  useEffect(() => {
    if (isKept) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isKept]);
  return (
    <Modal title={words.madeKey.title} onClose={closeOrWarn}>
      <Notice text={isWarned && !isKept ? words.madeKey.notKept : undefined} />
      <p class="made-part">
        <span class="made-name">{words.madeKey.token}</span>
        <CopyText text={made.token} shown={shortToken(made.token)} label={words.madeKey.token} />
      </p>
      {made.secret === undefined ? (
        <p class="small">{words.madeKey.ownKey}</p>
      ) : (
        <SecretPart made={made} secret={made.secret} onKept={() => setKept(true)} />
      )}
      <button type="button" class={made.secret === undefined ? "primary wide" : "quiet wide"} onClick={onClose}>
        {made.secret === undefined ? words.close : words.madeKey.done}
      </button>
    </Modal>
  );
}

function SecretPart(props: { readonly made: KeptKey; readonly secret: string; readonly onKept: () => void }) {
  const { words } = useSpeech();
  const { kind, label } = props.made;
  const name = kind === "rsa" ? words.madeKey.privateKey : words.madeKey.secret;
  return (
    <div class={`secret-part of-${kind}`}>
      <p class="made-name">{name}</p>
      <CopyBlock text={props.secret} label={name} button={words.madeKey.copy[kind]} />
      <p class="only-now">{words.madeKey.onlyNow[kind]}</p>
      <button
        type="button"
        class="primary wide"
        onClick={() => {
          saveFile(new Blob([props.secret], { type: "text/plain" }), fileName(label, kind));
          props.onKept();
        }}
      >
        <Icon path={ICONS.download} />
        {words.madeKey.download[kind]}
      </button>
    </div>
  );
}

/** Of letters that every system takes. */
function fileName(label: string, kind: KeyKind): string {
  const name = label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return `${name === "" ? "tillgate" : name}-${kind === "rsa" ? "private-key.pem" : "secret.txt"}`;
}
