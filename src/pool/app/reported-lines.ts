import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Minor } from "../../core/money.ts";
import type { BookedTime } from "../core/statement/statement-item.ts";
import type { BankLineDirection, BankLineOutcome, BookedSpan } from "../store/bank-lines.ts";

/** A line of a bank's statement about an account of ours. */
export type ReportedLine = {
  readonly account: ReportedAccount;
  readonly reference: string;
  readonly direction: BankLineDirection;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly booked: BookedTime;
  readonly payer: string | undefined;
  /** The bank cancels an earlier booking: it matches no payment, whatever its amount. */
  readonly isReversal?: boolean;
  /** An operator says so, before any statement does. */
  readonly byOperator?: true;
};

export type ReportedAccount = { readonly id: Id; readonly code: string; readonly book: Book };

/** The same line with the moments that it means. */
export type TimedLine = ReportedLine & {
  readonly id: Id;
  readonly span: BookedSpan;
  /**
   * What its receipt is called: the bank's reference, or its own id where an entry of the same reference was reversed. A
   * payment that counted that one would take this one for the same money.
   */
  readonly countedAs: string;
};

/** Whose it is. */
export type Claim = {
  readonly outcome: BankLineOutcome;
  readonly projectId: Id | null;
  readonly requestId: Id | null;
};

/** Who records it, and whether the balance that it would go to has no room. */
export type RecordManner = { readonly actor: string; readonly noRoom: boolean };
