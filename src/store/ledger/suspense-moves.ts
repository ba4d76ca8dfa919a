import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import type { Database, Transaction } from "../db.ts";
import type { PaymentKey } from "../payments/payments.ts";

type SuspenseMoveKind = "to_payment" | "to_balance" | "return";

/** What an operator did with money in suspense of an ended payment. Never deleted. */
export type SuspenseMove = PaymentKey & {
  readonly id: Id;
  readonly kind: SuspenseMoveKind;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly targetProjectId: Id | null;
  readonly targetRequestId: Id | null;
  readonly through: string;
  readonly reference: string;
  readonly reason: string;
  readonly actor: string;
};

export type StoredSuspenseMove = SuspenseMove & { readonly createdAt: Date; readonly reversedAt: Date | null };

/** False when the project knows the reference already; then nothing was written. */
export async function insertSuspenseMove(tx: Transaction, move: SuspenseMove): Promise<boolean> {
  const rows = await tx.run({
    text: `insert into suspense_moves (project_id, id, request_id, kind, currency, amount, target_project_id,
                                       target_request_id, through, reference, reason, actor)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
           on conflict (project_id, reference) where reversed_at is null do nothing
           returning id`,
    values: [
      move.projectId,
      move.id,
      move.requestId,
      move.kind,
      move.currency,
      move.amount,
      move.targetProjectId,
      move.targetRequestId,
      move.through,
      move.reference,
      move.reason,
      move.actor,
    ],
  });
  return rows.length === 1;
}

const COLUMNS = `project_id as "projectId", id, request_id as "requestId", kind, currency, amount,
  target_project_id as "targetProjectId", target_request_id as "targetRequestId", through, reference, reason, actor,
  created_at as "createdAt", reversed_at as "reversedAt"`;

/** The one in force: what was reversed has given its reference back. */
export async function findSuspenseMove(
  tx: Pick<Database, "run">,
  projectId: Id,
  reference: string,
): Promise<StoredSuspenseMove | undefined> {
  const rows = await tx.run<StoredSuspenseMove>({
    text: `select ${COLUMNS} from suspense_moves where project_id = $1 and reference = $2 and reversed_at is null`,
    values: [projectId, reference],
  });
  return rows[0];
}

/** Those out of a payment's suspense. */
export function listSuspenseMoves(
  db: Pick<Database, "run">,
  { projectId, requestId }: PaymentKey,
): Promise<StoredSuspenseMove[]> {
  return db.run<StoredSuspenseMove>({
    text: `select ${COLUMNS} from suspense_moves where project_id = $1 and request_id = $2 order by created_at, id`,
    values: [projectId, requestId],
  });
}

/** The ways by which money came that stands in suspense under a payment: providers, receiving accounts, or by hand. */
export async function listWaysIntoSuspense(
  db: Pick<Database, "run">,
  { projectId, requestId }: PaymentKey,
): Promise<string[]> {
  const rows = await db.run<{ way: string }>({
    text: `select substring(s.account from 'clearing:(.*)') as way
             from (select from_account as account, amount from transfers
                    where project_id = $1 and subject_id = $2 and to_account = 'suspense'
                   union all
                   select to_account, -amount from transfers
                    where project_id = $1 and subject_id = $2 and from_account = 'suspense') s
            where s.account like 'clearing:%'
            group by s.account having sum(s.amount) > 0 order by way`,
    values: [projectId, requestId],
  });
  return rows.map(({ way }) => way);
}

/** What stands in suspense under a payment. Only while its row is locked can it not become less. */
export async function sumSuspense(db: Pick<Database, "run">, { projectId, requestId }: PaymentKey): Promise<Minor> {
  const rows = await db.run<{ amount: Minor }>({
    text: `select coalesce(sum(amount), 0)::bigint as amount from entries
            where project_id = $1 and subject_id = $2 and account = 'suspense'`,
    values: [projectId, requestId],
  });
  return rows[0]?.amount ?? (0n as Minor);
}
