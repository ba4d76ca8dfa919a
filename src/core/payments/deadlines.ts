import { POOL_PROVIDER } from "../providers.ts";
import type { PaymentKind } from "./kinds.ts";
import type { PaymentState } from "./states.ts";
import { CARD_UNKNOWN_MAX_S, CONFIRM_TIMEOUT_S, PAYIN_GRACE_S, PAYOUT_TIMEOUT_S } from "./timers.ts";

type Timed = {
  readonly kind: PaymentKind;
  readonly expiresAt: Date | null;
  /** Who has the request. */
  readonly provider: string | null;
};

/** When the time of a state that begins now is up; null where nothing but an event ends it. */
export function deadlineOf({ kind, expiresAt, provider }: Timed, state: PaymentState, now: Date): Date | null {
  switch (state) {
    case "processing:new":
    case "processing:requisites":
    case "processing:awaiting_confirm":
    case "processing:awaiting_3ds_result":
    case "processing:awaiting_redirect_result":
      return expiresAt;
    case "processing:paid":
      return after(now, kind === "card" ? CARD_UNKNOWN_MAX_S : CONFIRM_TIMEOUT_S);
    case "dispute:no_payment":
      return after(expiresAt ?? now, PAYIN_GRACE_S);
    case "processing:payout_process":
      return after(now, PAYOUT_TIMEOUT_S[provider === POOL_PROVIDER ? "pool" : "provider"]);
    default:
      return null;
  }
}

function after(start: Date, seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000);
}
