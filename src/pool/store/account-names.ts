import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Database } from "../../store/db.ts";

/** A receiving account, as far as a statement is about it. */
export type NamedAccount = {
  readonly id: Id;
  readonly code: string;
  readonly book: Book;
  readonly currency: Currency;
  readonly statementMapping: unknown;
};

/** Those that a statement can mean: by our own code, by the account's number, or by that of a requisite. */
export function listAccountsNamed(
  db: Pick<Database, "run">,
  code: string,
  numberHash: Buffer,
): Promise<NamedAccount[]> {
  return db.run<NamedAccount>({
    text: `select a.id, a.code, a.book, a.currency, a.statement_mapping as "statementMapping" from receiving_accounts a
            where a.code = $1 or a.number_hash = $2
               or exists (select from requisites r where r.account_id = a.id and r.value_hash = $2)
            order by a.code limit 100`,
    values: [code, numberHash],
  });
}
