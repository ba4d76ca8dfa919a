import type { PaymentState } from "./states.ts";
import { CONFIRM_TIMEOUT_S } from "./timers.ts";

/** How long a pay-in may have been in a dispute before it stops holding an account that other payers could use. */
const HOLDS_PLACE_S: Partial<Record<PaymentState, number>> = {
  // Half an hour has passed since the payer confirmed.
  "dispute:confirm_timeout": 0,
  // The rest of the sum may be on its way, and is known most surely while no one else has the account.
  "dispute:different_amount": CONFIRM_TIMEOUT_S,
};

/** It can stay as it is for days: only a person, or money that comes late, ends it. */
export function waitsForPerson(
  { state, updatedAt }: { readonly state: PaymentState; readonly updatedAt: Date },
  nowMs: number,
): boolean {
  const holdsS = HOLDS_PLACE_S[state];
  if (holdsS === undefined || holdsS === 0) return holdsS === 0;
  return updatedAt.getTime() + holdsS * 1000 <= nowMs;
}
