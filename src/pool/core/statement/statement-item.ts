import type { Currency } from "../../../core/currency.ts";
import type { Minor } from "../../../core/money.ts";
import type { Result } from "../../../core/result.ts";

/** When a line was booked, as exactly as the file says: the first and the last moment that the written time can mean. */
export type BookedTime =
  | { readonly kind: "instant"; readonly from: Date; readonly to: Date }
  /** Without an offset: `YYYY-MM-DD HH:MM:SS.mmm` on the clock of the account's time zone. */
  | { readonly kind: "local"; readonly from: string; readonly to: string };

export type StatementLine = {
  /** The line of a CSV file, or the running number of the entry in an XML one. */
  readonly line: number;
  /** As written; undefined where the file does not name the account. */
  readonly account: string | undefined;
  readonly direction: "credit" | "debit";
  /** The bank takes an earlier booking back. The direction is already that of the money in this line. */
  readonly isReversal: boolean;
  readonly amount: Minor;
  readonly currency: Currency;
  /** The bank's own, by which the same line is known when it comes again. */
  readonly reference: string;
  readonly payer: string | undefined;
  readonly booked: BookedTime;
};

/** A line that cannot be used, with the reason in words. The words never repeat numbers or names of the line. */
export type RefusedLine = { readonly line: number; readonly reason: string };

export type StatementBalance = {
  readonly account: string | undefined;
  readonly which: "opening" | "closing";
  /** Signed minor units: an overdrawn account is below zero. */
  readonly amount: bigint;
  readonly currency: Currency;
  readonly day: string;
};

export type StatementItem =
  | { readonly kind: "line"; readonly value: StatementLine }
  | { readonly kind: "refused"; readonly value: RefusedLine }
  | { readonly kind: "balance"; readonly value: StatementBalance };

/**
 * Takes a file piece by piece; what comes out does not depend on where the pieces were cut. An error is a sentence
 * about the file as a whole. What was read before it has been handed over by then: the error comes with the next call.
 */
export type StatementReader = {
  readonly push: (chunk: string) => Result<readonly StatementItem[], string>;
  readonly end: () => Result<readonly StatementItem[], string>;
};
