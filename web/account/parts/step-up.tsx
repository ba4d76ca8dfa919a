import { hasPasskeys } from "../passkeys.ts";
import type { Session, SignInMethod } from "../wire/people.ts";
import { useSpeech } from "../words/words.ts";
import { FactorForm } from "./factor-form.tsx";
import { Modal } from "./modal.tsx";

/** The second factor again, before a change that needs it. The password serves people who have no second factor. */
export function StepUp(props: {
  readonly session: Session;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const { words } = useSpeech();
  const { totp, passkeys, recovery_codes_left } = props.session.second_factor;
  const factors: SignInMethod[] = [
    ...(passkeys > 0 && hasPasskeys ? ["passkey" as const] : []),
    ...(totp ? ["totp" as const] : []),
    ...(recovery_codes_left > 0 ? ["recovery_code" as const] : []),
  ];
  return (
    <Modal title={words.stepUp.title} text={words.stepUp.text} onClose={props.onClose}>
      <FactorForm
        methods={factors.length === 0 ? ["password"] : factors}
        paths={{ code: "step-up", passkey: "step-up/passkey" }}
        onDone={props.onDone}
      />
    </Modal>
  );
}
