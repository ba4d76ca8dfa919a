import type { Currency } from "../core/currency.ts";
import type { Id } from "../core/ids.ts";
import type { Minor } from "../core/money.ts";
import type { TransferOutcome } from "./bank-transfers.ts";
import type { Transaction } from "./db.ts";
import type { PaymentKey } from "./payments.ts";

/** What a bank reported under a reference of an account, in either direction. */
export type ReportedUnder = {
  readonly id: Id;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly outcome: TransferOutcome;
  readonly reason: string | null;
};

export async function findReported(
  tx: Transaction,
  accountId: Id,
  reference: string,
): Promise<ReportedUnder | undefined> {
  const rows = await tx.run<ReportedUnder>({
    text: `select id, currency, amount, outcome, reason from bank_transfers where account_id = $1 and reference = $2`,
    values: [accountId, reference],
  });
  return rows[0];
}

/** A debit that nobody could explain was a return of this payment's money. */
export async function explainAsReturn(
  tx: Transaction,
  id: Id,
  { projectId, requestId, actor }: PaymentKey & { readonly actor: string },
): Promise<void> {
  await tx.run({
    text: `update bank_transfers set outcome = 'return', project_id = $2, request_id = $3, actor = $4 where id = $1`,
    values: [id, projectId, requestId, actor],
  });
}

/** A debit that nobody could explain was what the bank charges. */
export async function explainAsCost(
  tx: Transaction,
  id: Id,
  { reason, actor }: { readonly reason: string; readonly actor: string },
): Promise<void> {
  await tx.run({
    text: `update bank_transfers set outcome = 'cost', reason = $2, actor = $3 where id = $1`,
    values: [id, reason, actor],
  });
}
