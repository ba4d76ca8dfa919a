import type { Currency } from "../currency.ts";
import type { Id } from "../ids.ts";
import type { Minor } from "../money.ts";
import type { Account } from "./accounts.ts";

/** What a transfer records. Flows that come later add their kinds here. */
export type TransferKind =
  | "credit"
  | "debit"
  | "hold"
  | "release"
  | "capture"
  /** Money of a pay-in reaches the merchant; our part of it. */
  | "settle"
  | "fee"
  /** Money that arrived and does not fit, or came too late. */
  | "suspend"
  /** A card charge that came after the end was given back to the payer. */
  | "reverse"
  /** A payout that was declined, or settled as paid another way, was also paid by its provider. */
  | "shortfall"
  /** An operator gives money in suspense to a balance or to another payment, or sends it back. */
  | "assign"
  | "return"
  /** An unexplained debit of a receiving account. */
  | "unexplained"
  /** It was said later. */
  | "explain"
  /** What banks and providers charge us is paid out of our fees. */
  | "cost"
  /** An operator topped up our balance at a provider, or withdrew from it. */
  | "fund"
  /** An operator took an entry back that was recorded by mistake. */
  | "reversal";

/** One movement of money. It names both of its accounts, so it cannot be out of balance. */
export type Transfer = {
  readonly id: Id;
  readonly projectId: Id;
  readonly currency: Currency;
  readonly from: Account;
  readonly to: Account;
  readonly amount: Minor;
  readonly kind: TransferKind;
  /** The adjustment, hold, payment or move out of suspense that it belongs to. */
  readonly subjectId: Id;
};
