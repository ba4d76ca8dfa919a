import type { Id } from "../../core/ids.ts";
import type { Database, Transaction } from "../db.ts";

/** One time that a callback was sent: what came back, and how long that took. */
export type CallbackAttempt = {
  readonly projectId: Id;
  readonly callbackId: Id;
  readonly number: number;
  readonly startedAt: Date;
  readonly latencyMs: number;
  readonly status: number | null;
  readonly failure: string | null;
  readonly answer: Buffer | null;
};

/**
 * All attempts of the callback in the table or alias `c`, for a `from` or a `cross join lateral`. A first attempt that delivered
 * is in the callback's own row.
 */
export const ATTEMPTS_OF_CALLBACK = `(
  select a.number, a.started_at, a.latency_ms, a.status, a.failure, a.answer
    from callback_attempts a where a.project_id = c.project_id and a.callback_id = c.id
  union all
  select 1, c.first_started_at, c.first_latency_ms, c.first_status, null, c.first_answer
   where c.first_status is not null and not exists (
     select from callback_attempts a where a.project_id = c.project_id and a.callback_id = c.id and a.number = 1))`;

/** The last one, in a `left join lateral`. */
export const LAST_ATTEMPT_OF_CALLBACK = `(
  select t.status, t.failure from ${ATTEMPTS_OF_CALLBACK} t order by t.number desc limit 1)`;

/**
 * The same attempt is written once: the answer to an earlier commit of it may have been lost. So is an attempt of each number:
 * of two processes that sent the same one, the first that writes is right.
 */
export async function insertCallbackAttempts(
  tx: Pick<Transaction, "run">,
  attempts: readonly CallbackAttempt[],
): Promise<void> {
  await tx.run({
    name: "insert_callback_attempts",
    text: `insert into callback_attempts (project_id, callback_id, number, started_at, latency_ms, status, failure, answer)
           select a.* from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::timestamptz[], $5::integer[], $6::integer[],
                                  $7::text[], $8::bytea[])
                        as a (project_id, callback_id, number, started_at, latency_ms, status, failure, answer)
            where a.number > 1 or not exists (
              select from callbacks c
               where c.project_id = a.project_id and c.id = a.callback_id and c.first_status is not null)
           on conflict do nothing`,
    values: [
      attempts.map((attempt) => attempt.projectId),
      attempts.map((attempt) => attempt.callbackId),
      attempts.map((attempt) => attempt.number),
      attempts.map((attempt) => attempt.startedAt),
      attempts.map((attempt) => attempt.latencyMs),
      attempts.map((attempt) => attempt.status),
      attempts.map((attempt) => attempt.failure),
      attempts.map((attempt) => attempt.answer),
    ],
  });
}

export type ShownAttempt = Omit<CallbackAttempt, "projectId" | "callbackId">;

export function listCallbackAttempts(
  db: Pick<Database, "run">,
  projectId: Id,
  callbackId: Id,
): Promise<ShownAttempt[]> {
  return db.run<ShownAttempt>({
    text: `select t.number, t.started_at as "startedAt", t.latency_ms as "latencyMs", t.status, t.failure, t.answer
             from callbacks c cross join lateral ${ATTEMPTS_OF_CALLBACK} t
            where c.project_id = $1 and c.id = $2 order by t.number`,
    values: [projectId, callbackId],
  });
}
