import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import type { EarlierReversal } from "../../store/ledger/reversals.ts";

/** Why an entry cannot be taken back. */
export type ReverseFault =
  | { readonly kind: "payment_unknown" | "entry_unknown" }
  | { readonly kind: "reversed_before"; readonly earlier: EarlierReversal }
  /** The payment that the money went to is still being decided about. */
  | { readonly kind: "payment_open"; readonly requestId: Id; readonly state: PaymentState }
  /** The money has gone on from where the entry put it. */
  | { readonly kind: "moved_on"; readonly requestId: Id; readonly standing: Minor }
  /** The balance that it was put on no longer has it. */
  | { readonly kind: "spent" };
