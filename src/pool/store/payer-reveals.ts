import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Transaction } from "../../store/db.ts";
import type { BankLineName } from "./bank-lines.ts";

/** What a bank says of the other side of a bank line; null where it says nothing. */
export type SealedPayer = BankLineName & { readonly id: Id; readonly payer: Buffer | null };

export function listSealedPayers(tx: Transaction, lineIds: readonly Id[]): Promise<SealedPayer[]> {
  return tx.run<SealedPayer>({
    text: `select t.id, t.account_id as "accountId", t.reference, t.payer
             from bank_lines t where t.id = any($1::uuid[])`,
    values: [lineIds],
  });
}

/** Who sees the names, and why. */
export type PayerReveal = { readonly actor: string; readonly reason: string };

export async function insertPayerReveals(
  tx: Transaction,
  lines: readonly { readonly id: Id; readonly revealId: Id }[],
  { actor, reason }: PayerReveal,
): Promise<void> {
  await tx.run({
    text: `insert into payer_reveals (id, line_id, reason, actor)
           select t.id, t.line_id, $3, $4 from unnest($1::uuid[], $2::uuid[]) as t (id, line_id)`,
    values: [lines.map(({ revealId }) => revealId), lines.map(({ id }) => id), reason, actor],
  });
}

/** Debits of the book's accounts that no payout explains: few, since `attention` lists them. */
export function listUnexplainedDebits(tx: Transaction, book: Book): Promise<SealedPayer[]> {
  return tx.run<SealedPayer>({
    text: `select t.id, t.account_id as "accountId", t.reference, t.payer
             from bank_lines t join receiving_accounts a on a.id = t.account_id
            where a.book = $1 and t.outcome = 'unexplained' and t.reversed_at is null`,
    values: [book],
  });
}
