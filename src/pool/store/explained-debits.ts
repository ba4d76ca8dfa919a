import type { Id } from "../../core/ids.ts";
import type { Transaction } from "../../store/db.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import type { KnownLine } from "./bank-lines.ts";

/** What a bank reported under a reference of an account, in either direction. */
export type NamedLine = KnownLine & { readonly id: Id; readonly reason: string | null };

export async function findBankLine(tx: Transaction, accountId: Id, reference: string): Promise<NamedLine | undefined> {
  const rows = await tx.run<NamedLine>({
    text: `select t.id, t.account_id as "accountId", t.reference, t.direction, t.currency, t.amount,
                  to_char(t.booked_day, 'YYYY-MM-DD') as "bookedDay", t.outcome, t.reason, t.project_id as "projectId",
                  t.request_id as "requestId"
             from bank_lines t where t.account_id = $1 and t.reference = $2 and t.reversed_at is null`,
    values: [accountId, reference],
  });
  return rows[0];
}

/** The debit that a payout left by. */
export async function findDebitOf(
  tx: Transaction,
  { projectId, requestId }: PaymentKey,
): Promise<{ readonly account: string; readonly reference: string } | undefined> {
  const rows = await tx.run<{ account: string; reference: string }>({
    text: `select c.code as account, t.reference
             from bank_lines t join receiving_accounts c on c.id = t.account_id
            where t.project_id = $1 and t.request_id = $2 and t.outcome = 'payout' and t.reversed_at is null`,
    values: [projectId, requestId],
  });
  return rows[0];
}

/** What an unexplained debit was: money of a payment, what the bank charges, or a top-up of our balance at a provider. */
export type Explanation =
  | { readonly outcome: "payout" | "return"; readonly payment: PaymentKey }
  | { readonly outcome: "cost"; readonly reason: string }
  | { readonly outcome: "funds" };

/** The actor is from now on the operator who explained it. */
export async function explainDebit(
  tx: Transaction,
  id: Id,
  { explanation, actor }: { readonly explanation: Explanation; readonly actor: string },
): Promise<void> {
  const payment = "payment" in explanation ? explanation.payment : undefined;
  await tx.run({
    text: `update bank_lines set outcome = $2, project_id = $3, request_id = $4, reason = $5, actor = $6 where id = $1`,
    values: [
      id,
      explanation.outcome,
      payment?.projectId ?? null,
      payment?.requestId ?? null,
      explanation.outcome === "cost" ? explanation.reason : null,
      actor,
    ],
  });
}
