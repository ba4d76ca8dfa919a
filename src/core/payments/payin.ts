import type { Account } from "../ledger/accounts.ts";
import type { TransferKind } from "../ledger/transfers.ts";
import type { Minor } from "../money.ts";
import type { FeeRates } from "./fees.ts";
import type { P2pPayinState } from "./states.ts";

/** The sums of a pay-in, however it is paid. */
export type PayinTerms = {
  readonly requestedAmount: Minor;
  /** What it is worth: the requested sum, or the one it was settled for. */
  readonly amount: Minor;
  /** All that arrived for it so far, wherever that money stands. */
  readonly receivedAmount: Minor;
  readonly rates: FeeRates;
};

/** What the rules need to know of a P2P pay-in. */
export type Payin = PayinTerms & {
  readonly state: P2pPayinState;
  readonly confirmed: boolean;
  readonly mayChooseAgain?: boolean;
};

export type PayinDeclineCode = "expired" | "cancelled" | "no_requisites" | "provider_declined" | "operator";

export type Movement = {
  readonly from: Account;
  readonly to: Account;
  readonly amount: Minor;
  readonly kind: TransferKind;
};
