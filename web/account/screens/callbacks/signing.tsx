import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { formatShortMoment } from "../../../kit/dates.ts";
import { ConfirmDialog } from "../../../kit/dialog.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Notice } from "../../../kit/notice.tsx";
import { Badge } from "../../parts/badge.tsx";
import { CopyBlock } from "../../parts/copy-text.tsx";
import { ICONS } from "../../parts/icons.ts";
import { Panel } from "../../parts/panel.tsx";
import { saveFile } from "../../save-file.ts";
import { useAccount } from "../../session.ts";
import type { CallbackKey, CallbackSettings, SecretKind } from "../../wire/callbacks.ts";
import type { Words } from "../../words/en.ts";
import { refusalText, useSpeech } from "../../words/words.ts";
import { NewSecret, ShownSecret } from "./new-secret.tsx";

/** What is done after a question. */
type Question = Words["callbacks"]["endQuestion"] & { readonly path: string; readonly body: object };

export type SettingsProps = { readonly settings: CallbackSettings; readonly reload: () => Promise<void> };

/** What signs a project's callbacks. Secrets are shown once, when they are made; the service's key is the operator's. */
export function Signing({ settings, reload }: SettingsProps) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const [question, setQuestion] = useState<Question>();
  const [made, setMade] = useState<SecretKind>();
  const [secret, setSecret] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
  const { keys, callback_signing } = settings;
  const base = `callbacks/projects/${settings.project.id}`;
  const carryOut = async ({ path, body }: Question) => {
    setQuestion(undefined);
    const answer = await perform<{ readonly secret?: string }>(`${base}/${path}`, body);
    setTrouble(answer.kind === "ok" ? undefined : refusalText(words, answer));
    if (answer.kind === "ok") setSecret(answer.value.secret);
    await reload();
  };
  const actsOf = (kind: SecretKind, ofKind: readonly CallbackKey[]) => (
    <SecretActs
      kind={kind}
      keys={ofKind}
      onNew={() => setMade(kind)}
      onPromote={() => setQuestion({ ...words.callbacks.promoteQuestion, path: "keys/promote", body: {} })}
      onEnd={() => setQuestion({ ...words.callbacks.endQuestion, path: "keys/end", body: { kind } })}
    />
  );
  const other = callback_signing === "rsa" ? "hmac" : "rsa";
  const ofKind = (kind: CallbackKey["kind"]) => keys.filter((key) => key.kind === kind);
  return (
    <Panel title={words.callbacks.signing} text={words.callbacks.signingText}>
      <Notice text={trouble} />
      <Scheme title={words.callbacks.webhookTitle} text={words.callbacks.webhookText}>
        <KeyRows keys={ofKind("webhook")} />
        {actsOf("webhook", ofKind("webhook"))}
      </Scheme>
      <Scheme
        title={words.callbacks.schemeTitle}
        text={callback_signing === "rsa" ? words.callbacks.schemeRsa : words.callbacks.schemeHmac}
      >
        <KeyRows keys={ofKind(callback_signing)} />
        {callback_signing === "hmac" ? actsOf("hmac", ofKind("hmac")) : null}
        <p class="scheme-switch">
          <button
            type="button"
            class="link-button"
            onClick={() =>
              setQuestion({ ...words.callbacks.switchQuestion, path: "signing", body: { callback_signing: other } })
            }
          >
            {other === "hmac" ? words.callbacks.switchToHmac : words.callbacks.switchToRsa}
          </button>
        </p>
      </Scheme>
      {question === undefined ? null : (
        <ConfirmDialog
          {...question}
          offered="no"
          onNo={() => setQuestion(undefined)}
          onYes={() => void carryOut(question)}
        />
      )}
      {made === undefined ? null : (
        <NewSecret
          kind={made}
          path={`${base}/keys/new`}
          isFirst={ofKind(made).length === 0}
          isReplacing={ofKind(made).some(({ retires_at }) => retires_at !== null)}
          onClose={() => setMade(undefined)}
          onMade={(text) => {
            setMade(undefined);
            setSecret(text);
            void reload();
          }}
        />
      )}
      {secret === undefined ? null : <ShownSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </Panel>
  );
}

function Scheme(props: { readonly title: string; readonly text: string; readonly children: ComponentChildren }) {
  return (
    <div class="scheme">
      <h3>{props.title}</h3>
      <p class="small">{props.text}</p>
      {props.children}
    </div>
  );
}

function KeyRows({ keys }: { readonly keys: readonly CallbackKey[] }) {
  const { language, words } = useSpeech();
  if (keys.length === 0) return <p class="small">{words.callbacks.noSecret}</p>;
  return (
    <ul class="key-rows">
      {keys.map((key) => (
        <li key={key.id}>
          <p>
            <Badge tone={key.signs === null ? "plain" : "good"}>{key.signs ?? words.callbacks.keyUnused}</Badge>{" "}
            <span class="small">
              {words.callbacks.keyMade(formatShortMoment(key.created_at, language))}
              {key.retires_at === null
                ? null
                : `, ${words.callbacks.keyRetires(formatShortMoment(key.retires_at, language))}`}
            </span>
          </p>
          {key.public_key_pem === null ? null : <PublicKey pem={key.public_key_pem} />}
        </li>
      ))}
    </ul>
  );
}

function PublicKey({ pem }: { readonly pem: string }) {
  const { words } = useSpeech();
  return (
    <div class="public-key">
      <CopyBlock text={pem.trimEnd()} label={words.callbacks.publicKey} button={words.callbacks.copyKey}>
        {" "}
        <button type="button" class="quiet" onClick={() => saveFile(pemFile(pem), "tillgate-callback-key.pem")}>
          <Icon path={ICONS.download} />
          {words.callbacks.downloadKey}
        </button>
      </CopyBlock>
    </div>
  );
}

function pemFile(pem: string): Blob {
  return new Blob([pem], { type: "application/x-pem-file" });
}

/** A new secret; and while one is being replaced, what ends that. */
function SecretActs(props: {
  readonly kind: SecretKind;
  readonly keys: readonly CallbackKey[];
  readonly onNew: () => void;
  readonly onPromote: () => void;
  readonly onEnd: () => void;
}) {
  const { words } = useSpeech();
  const isReplacing = props.keys.some(({ retires_at }) => retires_at !== null);
  const successor = props.keys.find(({ retires_at }) => retires_at === null);
  const mayPromote = isReplacing && props.kind === "hmac" && successor?.signs === "x-access-signature-next";
  const name = props.kind === "webhook" ? words.callbacks.webhookTitle : words.callbacks.schemeTitle;
  return (
    <p class="key-acts">
      <button type="button" class="quiet" aria-label={words.callbacks.newSecretOf(name)} onClick={props.onNew}>
        {words.callbacks.newSecret}
      </button>
      {mayPromote ? (
        <button type="button" class="quiet" onClick={props.onPromote}>
          {words.callbacks.promote}
        </button>
      ) : null}
      {isReplacing ? (
        <button type="button" class="quiet" onClick={props.onEnd}>
          {words.callbacks.endOld}
        </button>
      ) : null}
    </p>
  );
}
