import { useState } from "preact/hooks";
import { formatShortMoment } from "../../kit/dates.ts";
import { ConfirmDialog } from "../../kit/dialog.tsx";
import { Notice } from "../../kit/notice.tsx";
import { QrCode } from "../../kit/qr-code.tsx";
import { useLoad } from "../load.ts";
import { Badge } from "../parts/badge.tsx";
import { CopyBlock, CopyText } from "../parts/copy-text.tsx";
import { TextField } from "../parts/fields.tsx";
import { Modal } from "../parts/modal.tsx";
import { Panel } from "../parts/panel.tsx";
import { Shown } from "../parts/states.tsx";
import { addPasskey, hasPasskeys } from "../passkeys.ts";
import type { Answer } from "../server.ts";
import { useAccount } from "../session.ts";
import type { Passkey, RecoveryCodes, SecondFactor, TotpBegun } from "../wire/people.ts";
import { refusalText, useSpeech } from "../words/words.ts";

/** The second factors of the person, and how they come and go. */
export function SecondFactors() {
  const { words } = useSpeech();
  const { refresh, perform } = useAccount();
  const loaded = useLoad<SecondFactor>("second-factor");
  const [codes, setCodes] = useState<readonly string[]>();
  const [trouble, setTrouble] = useState<string>();
  /**
   * After each change both the list and what the session says of it are asked for again. New codes are read first: a person who
   * had to set up a factor leaves this screen as soon as the session says that there is one.
   */
  const settle = async <Value,>(answer: Answer<Value>): Promise<Value | undefined> => {
    setTrouble(answer.kind === "ok" ? undefined : refusalText(words, answer));
    if (answer.kind !== "ok") return undefined;
    await loaded.reload();
    if (!hasCodes(answer.value)) await refresh();
    return answer.value;
  };
  const onCodes = (made: Partial<RecoveryCodes> | undefined) => {
    if (hasCodes(made)) setCodes(made.recovery_codes);
  };
  const onKept = async () => {
    setCodes(undefined);
    await refresh();
  };
  return (
    <Shown loaded={loaded}>
      {(factor) => (
        <>
          <Notice text={trouble} />
          <div class="columns">
            <TotpPanel isOn={factor.totp !== null} settle={settle} onCodes={onCodes} />
            <PasskeysPanel passkeys={factor.passkeys} settle={settle} onCodes={onCodes} />
          </div>
          <Panel
            title={words.factor.recoveryTitle}
            aside={
              factor.totp !== null || factor.passkeys.length > 0 ? (
                <button
                  type="button"
                  class="quiet"
                  onClick={async () =>
                    onCodes(await settle(await perform<RecoveryCodes>("second-factor/recovery-codes")))
                  }
                >
                  {words.factor.recoveryNew}
                </button>
              ) : undefined
            }
          >
            <p class="small">
              {factor.recovery_codes_left === 0
                ? words.factor.recoveryNone
                : words.factor.recoveryLeft(factor.recovery_codes_left)}
            </p>
          </Panel>
          {codes === undefined ? null : <Codes codes={codes} onDone={onKept} />}
        </>
      )}
    </Shown>
  );
}

function hasCodes(value: unknown): value is RecoveryCodes {
  return (value as Partial<RecoveryCodes> | undefined)?.recovery_codes?.length !== undefined;
}

type PanelProps = {
  readonly settle: <Value>(answer: Answer<Value>) => Promise<Value | undefined>;
  readonly onCodes: (made: Partial<RecoveryCodes> | undefined) => void;
};

function TotpPanel({ isOn, settle, onCodes }: PanelProps & { readonly isOn: boolean }) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const [begun, setBegun] = useState<TotpBegun>();
  const [isAsked, setAsked] = useState(false);
  return (
    <Panel
      title={words.factor.totpTitle}
      text={words.factor.totpText}
      aside={<Badge tone={isOn ? "good" : "plain"}>{isOn ? words.factor.totpOn : words.factor.off}</Badge>}
    >
      {isOn ? (
        <button type="button" class="quiet" onClick={() => setAsked(true)}>
          {words.factor.totpRemove}
        </button>
      ) : (
        <button
          type="button"
          class="primary"
          onClick={async () => {
            const answer = await perform<TotpBegun>("second-factor/totp/begin");
            if (answer.kind === "ok") setBegun(answer.value);
            else await settle(answer);
          }}
        >
          {words.factor.totpAdd}
        </button>
      )}
      {begun === undefined ? null : (
        <TotpSetup
          begun={begun}
          onClose={() => setBegun(undefined)}
          onDone={async (made) => {
            setBegun(undefined);
            onCodes(await settle(made));
          }}
        />
      )}
      {isAsked ? (
        <ConfirmDialog
          {...words.factor.removeTotpQuestion}
          offered="no"
          onNo={() => setAsked(false)}
          onYes={async () => {
            setAsked(false);
            await settle(await perform("second-factor/totp/remove"));
          }}
        />
      ) : null}
    </Panel>
  );
}

function TotpSetup(props: {
  readonly begun: TotpBegun;
  readonly onClose: () => void;
  readonly onDone: (made: Answer<RecoveryCodes>) => void;
}) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const [code, setCode] = useState("");
  const [trouble, setTrouble] = useState<string>();
  const submit = async (event: Event) => {
    event.preventDefault();
    setTrouble(undefined);
    const answer = await perform<RecoveryCodes>("second-factor/totp/confirm", { code: code.replace(/\s/g, "") });
    if (answer.kind === "ok") return props.onDone(answer);
    setCode("");
    setTrouble(refusalText(words, answer));
  };
  return (
    <Modal title={words.factor.totpTitle} text={words.factor.scan} onClose={props.onClose}>
      <div class="totp-code">
        <QrCode text={props.begun.uri} label={words.factor.qr} />
      </div>
      <p class="small manual-key">
        {words.factor.manual}
        <CopyText text={props.begun.secret} label={words.factor.manual} />
      </p>
      <form onSubmit={submit}>
        <Notice text={trouble} />
        <TextField
          label={words.factor.code}
          name="code"
          autocomplete="one-time-code"
          value={code}
          onInput={setCode}
          maxLength={7}
          isNumber
          isRequired
        />
        <button type="submit" class="primary wide">
          {words.factor.confirm}
        </button>
      </form>
    </Modal>
  );
}

function PasskeysPanel({ passkeys, settle, onCodes }: PanelProps & { readonly passkeys: readonly Passkey[] }) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const [removed, setRemoved] = useState<Passkey>();
  const [isAdding, setAdding] = useState(false);
  return (
    <Panel title={words.factor.passkeyTitle} text={words.factor.passkeyText}>
      {passkeys.length === 0 ? null : (
        <ul class="rows">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <strong>{passkey.name}</strong>
                <p class="small">
                  <PasskeyTimes passkey={passkey} />
                </p>
              </div>
              <button type="button" class="quiet" onClick={() => setRemoved(passkey)}>
                {words.factor.remove}
                <span class="unseen">: {passkey.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {hasPasskeys ? (
        <button type="button" class={passkeys.length === 0 ? "primary" : "quiet"} onClick={() => setAdding(true)}>
          {words.factor.passkeyAdd}
        </button>
      ) : (
        <p class="small">{words.factor.passkeyUnsupported}</p>
      )}
      {isAdding ? (
        <PasskeySetup
          onClose={() => setAdding(false)}
          onDone={async (made) => {
            setAdding(false);
            onCodes(await settle(made));
          }}
        />
      ) : null}
      {removed === undefined ? null : (
        <ConfirmDialog
          {...words.factor.removePasskeyQuestion(removed.name)}
          offered="no"
          onNo={() => setRemoved(undefined)}
          onYes={async () => {
            setRemoved(undefined);
            await settle(await perform(`second-factor/passkeys/${removed.id}/remove`));
          }}
        />
      )}
    </Panel>
  );
}

function PasskeyTimes({ passkey }: { readonly passkey: Passkey }) {
  const { language, words } = useSpeech();
  const { created_at, used_at } = passkey;
  const made = words.factor.passkeyMade(formatShortMoment(created_at, language));
  return <>{used_at === null ? made : `${made}, ${words.factor.passkeyUsed(formatShortMoment(used_at, language))}`}</>;
}

function PasskeySetup(props: {
  readonly onClose: () => void;
  readonly onDone: (made: Answer<Partial<RecoveryCodes>>) => void;
}) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const [name, setName] = useState("");
  const [trouble, setTrouble] = useState<string>();
  const submit = async (event: Event) => {
    event.preventDefault();
    setTrouble(undefined);
    const answer = await addPasskey(perform, name.trim());
    if (answer.kind === "ok") props.onDone(answer);
    else setTrouble(answer.kind === "not_used" ? words.factor.passkeyFailed : refusalText(words, answer));
  };
  return (
    <Modal title={words.factor.passkeyAdd} text={words.factor.passkeyText} onClose={props.onClose}>
      <form onSubmit={submit}>
        <Notice text={trouble} />
        <TextField
          label={words.factor.passkeyName}
          hint={words.factor.passkeyNameHint}
          name="passkey-name"
          value={name}
          onInput={setName}
          maxLength={64}
          isRequired
        />
        <button type="submit" class="primary wide">
          {words.factor.passkeyAdd}
        </button>
      </form>
    </Modal>
  );
}

function Codes({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  const { words } = useSpeech();
  return (
    <Modal title={words.factor.codesTitle} text={words.factor.codesText} onClose={onDone}>
      <CopyBlock text={codes.join("\n")} label={words.factor.recoveryTitle} button={words.factor.codesCopy} />
      <button type="button" class="primary wide" onClick={onDone}>
        {words.factor.codesDone}
      </button>
    </Modal>
  );
}
