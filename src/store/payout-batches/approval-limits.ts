import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Minor } from "../../core/money.ts";
import type { Transaction } from "../db.ts";

/** Above which sum a second person approves. */
export type ApprovalLimit = { readonly currency: Currency; readonly amount: Minor };

export function listApprovalLimits(tx: Transaction, merchantId: Id): Promise<ApprovalLimit[]> {
  return tx.run<ApprovalLimit>({
    text: `select currency, amount from payout_approval_limits
            where merchant_id = $1 and amount is not null order by currency`,
    values: [merchantId],
  });
}

/** Null: no sum needs a second person. */
export async function saveApprovalLimit(
  tx: Transaction,
  merchantId: Id,
  { currency, amount }: { readonly currency: Currency; readonly amount: Minor | null },
): Promise<void> {
  await tx.run({
    text: `insert into payout_approval_limits (merchant_id, currency, amount) values ($1, $2, $3)
           on conflict (merchant_id, currency) do update set amount = excluded.amount`,
    values: [merchantId, currency, amount],
  });
}

/** What a person made by hand since then without a second person, rows that came to nothing left out. */
export async function sumMadeAlone(
  tx: Transaction,
  { merchantId, author, book, since }: { merchantId: Id; author: Id; book: Book; since: Date },
): Promise<{ readonly currency: Currency; readonly amount: bigint }[]> {
  const rows = await tx.run<{ currency: Currency; amount: string }>({
    text: `select r.currency, sum(r.amount)::text as amount
             from payout_batches b
             join payout_batch_rows r on r.project_id = b.project_id and r.batch_id = b.id
            where b.author = $2 and b.confirmed_at > $4 and b.merchant_id = $1 and b.book = $3
              and b.state in ('making', 'done') and b.approved_by is null and r.state in ('waiting', 'made')
            group by r.currency`,
    values: [merchantId, author, book, since],
  });
  return rows.map(({ currency, amount }) => ({ currency, amount: BigInt(amount) }));
}
