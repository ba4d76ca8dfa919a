import type { Id } from "../../core/ids.ts";
import type { EchoCheck } from "../../core/sandbox/echo-checks.ts";
import type { Place } from "../../platform/secrets.ts";
import type { Database } from "../db.ts";

/** A callback that arrived at a test project's echo endpoint. */
export type EchoedCallback = {
  readonly id: Id;
  readonly receivedAt: Date;
  readonly headers: Readonly<Record<string, string>>;
  /** Sealed. */
  readonly body: Buffer;
  readonly event: string | null;
  readonly paymentId: string | null;
  readonly checks: readonly EchoCheck[];
  readonly answered: number;
};

/** So many are kept of a project. */
const KEPT = 200;

export function echoedBodyPlace(id: Id): Place {
  return { table: "echoed_callbacks", column: "body", row: id };
}

/**
 * Counts it, takes the next answer that was ordered, and keeps it in the place of the oldest. One statement, so that two that
 * arrive together take two answers and two places.
 */
export async function saveEchoedCallback(
  db: Pick<Database, "run">,
  projectId: Id,
  callback: Omit<EchoedCallback, "answered">,
): Promise<number> {
  const { id, receivedAt, headers, body, event, paymentId, checks } = callback;
  const rows = await db.run<{ answered: number }>({
    name: "save_echoed_callback",
    text: `with counted as (
             insert into echo_endpoints as e (project_id, arrived_count) values ($1, 1)
             on conflict (project_id) do update
                set arrived_count = e.arrived_count + 1,
                    answered = case when e.answer_status is not null and coalesce(e.answers_left, 1) > 0
                                    then e.answer_status else 204 end,
                    answers_left = case when e.answers_left > 0 then e.answers_left - 1 else e.answers_left end
             returning arrived_count, answered)
           insert into echoed_callbacks as c
             (project_id, slot, id, received_at, headers, body, event, payment_id, checks, answered)
           select $1, arrived_count % ${KEPT}, $2, $3, $4, $5, $6, $7, $8, answered from counted
           on conflict (project_id, slot) do update
              set id = excluded.id, received_at = excluded.received_at, headers = excluded.headers, body = excluded.body,
                  event = excluded.event, payment_id = excluded.payment_id, checks = excluded.checks,
                  answered = excluded.answered
           returning answered`,
    values: [projectId, id, receivedAt, JSON.stringify(headers), body, event, paymentId, JSON.stringify(checks)],
  });
  return rows[0]?.answered ?? 204;
}

/** The newest first; those that came after the named one, or all. */
export function listEchoedCallbacks(
  db: Pick<Database, "run">,
  projectId: Id,
  after: Id | undefined,
): Promise<EchoedCallback[]> {
  return db.run<EchoedCallback>({
    name: "list_echoed_callbacks",
    text: `select id, received_at as "receivedAt", headers, body, event, payment_id as "paymentId", checks, answered
             from echoed_callbacks where project_id = $1 and ($2::uuid is null or id > $2)
            order by id desc`,
    values: [projectId, after ?? null],
  });
}

/** Takes the place of what was ordered before. `times` null: every time. */
export async function saveEchoAnswer(
  db: Pick<Database, "run">,
  projectId: Id,
  { status, times }: { readonly status: number; readonly times: number | null },
): Promise<void> {
  await db.run({
    name: "save_echo_answer",
    text: `insert into echo_endpoints (project_id, arrived_count, answer_status, answers_left) values ($1, 0, $2, $3)
           on conflict (project_id) do update set answer_status = excluded.answer_status, answers_left = excluded.answers_left`,
    values: [projectId, status, times],
  });
}
