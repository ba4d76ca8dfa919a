import { useState } from "preact/hooks";
import { Icon } from "../../kit/icon.tsx";
import { Notice } from "../../kit/notice.tsx";
import { hasPasskeys, provePasskey } from "../passkeys.ts";
import { type Answer, change } from "../server.ts";
import type { SignInMethod } from "../wire/people.ts";
import { refusalText, useSpeech } from "../words/words.ts";
import { PasswordField, TextField } from "./fields.tsx";
import { ICONS } from "./icons.ts";

type Kind = SignInMethod | "password";

/** Asks for one of the second factors, at the sign-in and before changes that need it again. */
export function FactorForm(props: {
  readonly methods: readonly Kind[];
  readonly paths: { readonly code: string; readonly passkey: "sign-in/passkey" | "step-up/passkey" };
  readonly onDone: () => void;
}) {
  const { words } = useSpeech();
  const usable = props.methods.filter((method) => method !== "passkey" || hasPasskeys);
  const [kind, setKind] = useState<Kind>(usable[0] ?? "recovery_code");
  const [code, setCode] = useState("");
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const settle = (answer: Answer<unknown> | { readonly kind: "not_used" }) => {
    setBusy(false);
    if (answer.kind === "ok") return props.onDone();
    setCode("");
    setTrouble(answer.kind === "not_used" ? words.signIn.passkeyFailed : refusalText(words, answer));
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setTrouble(undefined);
    if (kind === "passkey") settle(await provePasskey(change, props.paths.passkey));
    else settle(await change(props.paths.code, { kind, code: kind === "password" ? code : code.replace(/\s/g, "") }));
  };
  const choose = (next: Kind) => {
    setKind(next);
    setCode("");
    setTrouble(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Notice text={trouble} />
      <FactorField key={kind} kind={kind} code={code} onInput={setCode} />
      <button type="submit" class="primary wide" aria-disabled={isBusy}>
        {kind === "passkey" ? words.signIn.usePasskey : words.signIn.confirm}
      </button>
      <div class="other-ways">
        {usable
          .filter((method) => method !== kind)
          .map((method) => (
            <button key={method} type="button" class="link-button" onClick={() => choose(method)}>
              {method === "passkey" ? words.signIn.usePasskey : null}
              {method === "totp" ? words.signIn.useTotp : null}
              {method === "recovery_code" ? words.signIn.useRecovery : null}
            </button>
          ))}
      </div>
    </form>
  );
}

function FactorField(props: { readonly kind: Kind; readonly code: string; readonly onInput: (code: string) => void }) {
  const { words } = useSpeech();
  const shared = { name: "code", value: props.code, onInput: props.onInput };
  switch (props.kind) {
    case "passkey":
      return (
        <p class="passkey-text">
          <Icon path={ICONS.key} />
          {words.signIn.passkeyText}
        </p>
      );
    case "password":
      return <PasswordField {...shared} label={words.stepUp.password} autocomplete="current-password" />;
    case "totp":
      return (
        <TextField
          {...shared}
          label={words.signIn.totp}
          hint={words.signIn.totpHint}
          autocomplete="one-time-code"
          maxLength={7}
          isNumber
          isRequired
        />
      );
    case "recovery_code":
      return (
        <TextField
          {...shared}
          label={words.signIn.recovery}
          hint={words.signIn.recoveryHint}
          maxLength={64}
          isRequired
        />
      );
  }
}
