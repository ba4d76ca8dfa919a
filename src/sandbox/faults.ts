import type { SandboxDatabase } from "./database.ts";
import type { FaultBody } from "./wire.ts";

/** What a test can make go wrong. */
export type AnswerFault = "slow" | "error500_after_success" | "error500_before" | "garbage" | "reset";
export type NotificationFault = "duplicate" | "out_of_order" | "garbage";
/** What a card charge does otherwise than its card says. `slow_approval` and `late_approval` take `ms`. */
export type ChargeWish = "method_step" | "plain_redirect" | "slow_approval" | "late_approval" | "wrong_amount";
export type FaultKind = AnswerFault | NotificationFault | ChargeWish;

/** Which call a fault is for; `answer` stands for all but the notifications. */
type FaultCall =
  | "create"
  | "confirm"
  | "release"
  | "authenticate"
  | "reverse"
  | "cancel"
  | "state"
  | "answer"
  | "notification";

export type TakenFault<K extends FaultKind> = { readonly kind: K; readonly ms: number };

const ONLY_FOR_NOTIFICATIONS: readonly string[] = ["duplicate", "out_of_order"] satisfies NotificationFault[];
const ONLY_FOR_CHARGES: readonly string[] = [
  "method_step",
  "plain_redirect",
  "slow_approval",
  "late_approval",
  "wrong_amount",
] satisfies ChargeWish[];

export async function addFault(db: SandboxDatabase, body: FaultBody): Promise<void> {
  await db.run(
    `with used_up as (delete from sandbox.faults where remaining = 0)
     insert into sandbox.faults (project_id, reference, kind, call, ms, remaining) values ($1, $2, $3, $4, $5, $6)`,
    [
      body.project_id ?? null,
      body.reference ?? null,
      body.kind,
      callOf(body),
      body.ms ?? 0,
      body.times === "always" ? null : (body.times ?? 1),
    ],
  );
}

function callOf({ kind, call }: FaultBody): string {
  if (ONLY_FOR_CHARGES.includes(kind)) return "charge";
  return call ?? (ONLY_FOR_NOTIFICATIONS.includes(kind) ? "notification" : "answer");
}

export async function hasFaults(db: SandboxDatabase): Promise<boolean> {
  const rows = await db.run("select id from sandbox.faults limit 1");
  return rows.length > 0;
}

/** What is still ordered for a project, the oldest first, as JSON. */
export async function listFaults(db: SandboxDatabase, projectId: string): Promise<string> {
  const rows = await db.run<{ list: string }>(
    `select json_build_object('faults', coalesce(json_agg(json_build_object('kind', kind, 'call', call, 'ms', ms,
       'times', case when remaining is null then '"always"'::json else to_json(remaining) end) order by id), '[]'))::text as list
     from sandbox.faults where project_id = $1 and (remaining is null or remaining > 0)`,
    [projectId],
  );
  return rows[0]?.list ?? "{}";
}

/** Forgets every fault of a project, and those of its requests. */
export async function clearFaults(db: SandboxDatabase, projectId: string): Promise<void> {
  await db.run(
    `delete from sandbox.faults where project_id = $1
       or reference in (select reference from sandbox.payins where project_id = $1)
       or reference in (select reference from sandbox.payouts where project_id = $1)
       or reference in (select reference from sandbox.charges where project_id = $1)`,
    [projectId],
  );
}

export type FaultPlace = {
  readonly reference: string;
  /** When it is not known, the request with that reference says. */
  readonly projectId: string | undefined;
  readonly call: FaultCall;
};

/** Takes the oldest fault that fits, once. */
export async function takeFault<K extends FaultKind>(
  db: SandboxDatabase,
  place: FaultPlace,
): Promise<TakenFault<K> | undefined> {
  const rows = await db.run<TakenFault<K>>(
    `update sandbox.faults set remaining = remaining - 1
     where id = (
       select id from sandbox.faults
       where (remaining is null or remaining > 0)
         and (call = $3 or (call = 'answer' and $3 <> 'notification'))
         and (reference = $1 or project_id = coalesce($2,
           (select project_id from sandbox.payins where reference = $1),
           (select project_id from sandbox.payouts where reference = $1),
           (select project_id from sandbox.charges where reference = $1)))
       order by id limit 1 for update)
     returning kind, ms`,
    [place.reference, place.projectId ?? null, place.call],
  );
  return rows[0];
}

export type StoredWish = { readonly id: string; readonly kind: ChargeWish; readonly ms: number };

/** The oldest wish of each kind for a new charge. The statement that makes the charge takes them. */
export async function listChargeWishes(
  db: SandboxDatabase,
  reference: string,
  projectId: string,
): Promise<readonly StoredWish[]> {
  return db.run<StoredWish>(
    `select distinct on (kind) id, kind, ms from sandbox.faults
     where call = 'charge' and (remaining is null or remaining > 0) and (reference = $1 or project_id = $2)
     order by kind, id`,
    [reference, projectId],
  );
}
