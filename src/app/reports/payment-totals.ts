import type { Currency } from "../../core/currency.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { PaymentTotal } from "../../store/reports/list-payments.ts";
import { projectOf, type ScopeProject } from "./report-scope.ts";

/** What the payments of a filter add up to. Test money and real money are never added to each other. */
export type Totals = {
  readonly count: number;
  readonly sums: readonly {
    readonly book: Book;
    readonly currency: Currency;
    readonly count: number;
    readonly amount: bigint;
  }[];
};

export function totalsOf(projects: readonly ScopeProject[], rows: readonly PaymentTotal[]): Totals {
  const sums = new Map<string, Totals["sums"][number]>();
  for (const row of rows) {
    const { currency, count, amount } = row;
    const { book } = projectOf(projects, row);
    const before = sums.get(`${book} ${currency}`);
    sums.set(`${book} ${currency}`, {
      book,
      currency,
      count: (before?.count ?? 0) + count,
      amount: (before?.amount ?? 0n) + BigInt(amount),
    });
  }
  return { count: rows.reduce((count, row) => count + row.count, 0), sums: [...sums.values()] };
}
