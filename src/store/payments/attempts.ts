import type { Id } from "../../core/ids.ts";
import type { RouteReasons } from "../../core/merchants/routing.ts";
import type { Minor } from "../../core/money.ts";
import type { Database, Transaction } from "../db.ts";
import { countEarlierAttempts } from "../page/page-choices.ts";
import type { PaymentKey } from "./payments.ts";

/** A provider that is asked, under a reference that is committed before it is. */
export type Attempt = PaymentKey & {
  readonly number: number;
  readonly provider: string;
  readonly reference: string;
  /** Why this provider; null: it was the first of its route, for every payment. */
  readonly reasons?: RouteReasons | null | undefined;
};

/** `conflict`: the provider has another request under this reference, and what it says of it is not about this payment. */
export type AttemptOutcome = "taken" | "refused" | "conflict";

export type StoredAttempt = Attempt & {
  readonly reasons: RouteReasons | null;
  readonly outcome: "open" | AttemptOutcome;
  readonly detail: string | null;
  /** What the provider keeps for itself; null: it has not said. */
  readonly fee: Minor | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
};

export async function insertAttempts(tx: Transaction, attempts: readonly Attempt[]): Promise<void> {
  await tx.run({
    name: "insert_attempts",
    text: `insert into attempts (project_id, request_id, number, provider, reference, reasons)
           select * from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::text[], $5::text[], $6::jsonb[])`,
    values: [
      attempts.map((attempt) => attempt.projectId),
      attempts.map((attempt) => attempt.requestId),
      attempts.map((attempt) => attempt.number),
      attempts.map((attempt) => attempt.provider),
      attempts.map((attempt) => attempt.reference),
      attempts.map((attempt) => reasonsJson(attempt.reasons)),
    ],
  });
}

/** As a JSON text: the driver would take a list for an array of PostgreSQL. */
export function reasonsJson(reasons: RouteReasons | null | undefined): string | null {
  return reasons === null || reasons === undefined ? null : JSON.stringify(reasons);
}

export type AttemptEnd = PaymentKey & {
  readonly reference: string;
  readonly outcome: AttemptOutcome;
  readonly detail: string | null;
};

/** The first end stands, but what looked refused may turn out to have been taken. */
export async function endAttempts(tx: Transaction, ends: readonly AttemptEnd[]): Promise<void> {
  await tx.run({
    name: "end_attempts",
    text: `update attempts a set outcome = e.outcome, detail = e.detail, ended_at = now()
             from unnest((select $1::uuid[]), $2::uuid[], $3::text[], $4::text[], $5::text[])
               as e (project_id, request_id, reference, outcome, detail)
            where a.project_id = e.project_id and a.request_id = e.request_id and a.reference = e.reference
              and a.outcome = 'open'`,
    values: [
      ends.map((end) => end.projectId),
      ends.map((end) => end.requestId),
      ends.map((end) => end.reference),
      ends.map((end) => end.outcome),
      ends.map((end) => end.detail),
    ],
  });
}

/** Those of the present choice, where the payer of a hosted page has chosen again; otherwise all. */
export async function listPresentAttempts(
  db: Pick<Database, "run">,
  { projectId, requestId, choiceCount }: PaymentKey & { readonly choiceCount: number | null },
): Promise<StoredAttempt[]> {
  const attempts = await listAttempts(db, projectId, requestId);
  if (choiceCount === null || choiceCount === 1) return attempts;
  const earlier = await countEarlierAttempts(db, projectId, requestId);
  return attempts.filter(({ number }) => number > earlier);
}

export function listAttempts(db: Pick<Database, "run">, projectId: Id, requestId: Id): Promise<StoredAttempt[]> {
  return db.run<StoredAttempt>({
    name: "list_attempts",
    text: `select project_id as "projectId", request_id as "requestId", number, provider, reference, reasons, outcome, detail, fee,
                  created_at as "createdAt", ended_at as "endedAt"
             from attempts where project_id = $1 and request_id = $2 order by number`,
    values: [projectId, requestId],
  });
}
