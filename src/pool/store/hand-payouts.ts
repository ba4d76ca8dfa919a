import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Method } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import type { Database, Transaction } from "../../store/db.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import type { HandPayoutEnd } from "../core/hand-payout.ts";

/** A payout that waits for a person, under the request's reference. */
export type HandPayout = {
  readonly reference: string;
  readonly projectId: Id;
  readonly method: Method;
  readonly currency: Currency;
  readonly amount: Minor;
  /** Sealed. */
  readonly receiver: Buffer;
  readonly receiverHash: Buffer;
};

export type StoredHandPayout = HandPayout & {
  /** What the bank is told as its purpose. */
  readonly code: string;
  readonly accountId: Id | null;
  readonly accountCode: string | null;
  readonly exportedAt: Date | null;
  readonly exportedBy: string | null;
  readonly exportId: Id | null;
  readonly outcome: HandPayoutEnd | null;
  readonly reason: string | null;
  readonly endedBy: string | null;
  readonly endedAt: Date | null;
  readonly createdAt: Date;
};

export const HAND_PAYOUT_COLUMNS = `h.reference, h.code, h.project_id as "projectId", h.method, h.currency, h.amount, h.receiver,
  h.receiver_hash as "receiverHash", h.account_id as "accountId", c.code as "accountCode", h.exported_at as "exportedAt",
  h.exported_by as "exportedBy", h.export_id as "exportId", h.outcome, h.reason, h.ended_by as "endedBy", h.ended_at as "endedAt",
  h.created_at as "createdAt"`;

/**
 * An operator still has to pay it, on `hand_payouts h` and its `payments p`: not once the payment has ended,
 * or is with another provider.
 */
export const IS_WAITING = `h.outcome is null and p.reference = h.reference and p.finished_at is null`;

/**
 * False when there is one under this reference. Where no account of the project's book could pay it, it ends at once,
 * permanently: what was declined is certainly not sent.
 */
export async function insertHandPayout(db: Pick<Database, "run">, payout: HandPayout): Promise<boolean> {
  const rows = await db.run({
    text: `insert into hand_payouts (reference, project_id, method, currency, amount, receiver, receiver_hash, outcome, reason,
                                     ended_by, ended_at)
           select $1, $2, $3, $4, $5, $6, $7, e.outcome, e.reason, e.ended_by, e.ended_at
             from (values (1)) as one
             left join (select 'declined' as outcome, 'no account could pay it' as reason, 'pool' as ended_by, now() as ended_at
                         where not exists (select from receiving_accounts a join projects p on p.book = a.book
                                            where p.id = $2 and a.currency = $4 and a.enabled)) e on true
           on conflict (reference) do nothing
           returning reference`,
    values: [
      payout.reference,
      payout.projectId,
      payout.method,
      payout.currency,
      payout.amount,
      payout.receiver,
      payout.receiverHash,
    ],
  });
  return rows.length === 1;
}

export async function findHandPayoutRow(
  db: Pick<Database, "run">,
  reference: string,
): Promise<StoredHandPayout | undefined> {
  const rows = await db.run<StoredHandPayout>({
    name: "find_hand_payout",
    text: `select ${HAND_PAYOUT_COLUMNS} from hand_payouts h left join receiving_accounts c on c.id = h.account_id
            where h.reference = $1`,
    values: [reference],
  });
  return rows[0];
}

/** Of a payment: the pool is asked at most once for each. */
export async function findHandPayoutOf(
  db: Pick<Database, "run">,
  { projectId, requestId }: PaymentKey,
): Promise<StoredHandPayout | undefined> {
  const rows = await db.run<StoredHandPayout>({
    name: "find_hand_payout_of",
    text: `select ${HAND_PAYOUT_COLUMNS}
             from attempts a
             join hand_payouts h on h.reference = a.reference and h.project_id = a.project_id
             left join receiving_accounts c on c.id = h.account_id
            where a.project_id = $1 and a.request_id = $2 and a.provider = 'pool'`,
    values: [projectId, requestId],
  });
  return rows[0];
}

/**
 * Every caller that takes such a row locks the payment first: since payments are locked in the order of their keys,
 * no caller waits for a payout while it holds another one that is waited for.
 */
export async function lockHandPayout(tx: Transaction, reference: string): Promise<StoredHandPayout | undefined> {
  await tx.run({ text: "select from hand_payouts where reference = $1 for no key update", values: [reference] });
  return findHandPayoutRow(tx, reference);
}

export type HandPayoutEnding = {
  readonly reference: string;
  readonly outcome: HandPayoutEnd;
  /** Which account it left from, where it did; null leaves what is known. */
  readonly accountId: Id | null;
  readonly reason: string | null;
  readonly actor: string;
};

export async function endHandPayout(tx: Transaction, end: HandPayoutEnding): Promise<void> {
  await tx.run({
    text: `update hand_payouts
              set outcome = $2, account_id = coalesce($3, account_id), reason = $4, ended_by = $5, ended_at = now()
            where reference = $1`,
    values: [end.reference, end.outcome, end.accountId, end.reason, end.actor],
  });
}
