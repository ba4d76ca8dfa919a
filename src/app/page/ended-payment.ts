import type { Method } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";

type Ended = { readonly receivedAmount: Minor; readonly releasedAt: Date | null; readonly endedAt: Date };

/**
 * A choice of a hosted page's payer that has ended, as the payment that it would be if it had been declined then: all rules for what
 * comes after a decline hold for it. `payment` must have the method, the provider and the reference of the choice.
 */
export function endedPayment<P extends StoredPayment & { readonly method: Method | null }>(
  payment: P,
  { receivedAmount, releasedAt, endedAt }: Ended,
): P {
  return {
    ...payment,
    state: "decline",
    receivedAmount,
    releasedAt,
    finishedAt: endedAt,
    deadlineAt: null,
    confirmedAt: null,
    confirmTold: false,
    // That its acquirer never saw a card is believed some time after the end; otherwise the watch would not stop asking.
    unknownSince: endedAt,
    unprovenEnd: null,
  };
}
