import type { Currency } from "../../core/currency.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Minor } from "../../core/money.ts";
import type { Transaction } from "../db.ts";

/** What a configured provider holds for us in one currency: by our ledger, and by its own word. */
export type ClearingLine = {
  readonly provider: string;
  readonly book: Book;
  readonly currency: Currency;
  /** Its clearing account with the sign reversed. */
  readonly ours: Minor;
  /** What it said that we have there, locked money included; null: it was never read. */
  readonly theirs: Minor | null;
  readonly theirsLocked: Minor | null;
  readonly readAt: Date | null;
};

/** Reads all transfers once: clearing accounts have no row of their own. */
export function listClearing(tx: Transaction): Promise<ClearingLine[]> {
  return tx.run<ClearingLine>({
    timeoutMs: 0,
    text: `with ours as (
             select substr(e.account, 10) as provider, e.currency, -sum(e.amount) as amount
               from entries e
              where e.account in (select 'clearing:' || code from providers)
              group by e.account, e.currency)
           select v.code as provider, v.book, k.currency, coalesce(o.amount, 0)::bigint as ours,
                  b.amount + b.locked_amount as theirs, b.locked_amount as "theirsLocked", b.read_at as "readAt"
             from (select provider, currency from ours union select provider, currency from provider_balances) k
             join providers v on v.code = k.provider
             left join ours o on o.provider = k.provider and o.currency = k.currency
             left join provider_balances b on b.provider = k.provider and b.currency = k.currency
            order by v.code, k.currency`,
  });
}
