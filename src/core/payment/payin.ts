import type { Minor } from "../money.ts";
import type { FeeRates } from "./fees.ts";
import type { P2pPayinState } from "./states.ts";

/** What the rules need to know of a pay-in. */
export type Payin = {
  readonly state: P2pPayinState;
  readonly requestedAmount: Minor;
  /** What it is worth: the requested sum, or the one it was settled for. */
  readonly amount: Minor;
  /** All that arrived for it so far, wherever that money stands. */
  readonly receivedAmount: Minor;
  readonly rates: FeeRates;
  readonly confirmed: boolean;
};

export type PayinDeclineCode = "expired" | "cancelled" | "no_requisites" | "provider_declined" | "operator";
