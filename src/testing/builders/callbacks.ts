import { callbackBody } from "../../core/callbacks/body.ts";
import type { Id } from "../../core/ids.ts";
import { isFinal, type PaymentState } from "../../core/payments/states.ts";
import { newId } from "../../platform/new-id.ts";
import { insertCallbacks } from "../../store/callbacks/callbacks.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { createPayins } from "../../store/payments/create-payments.ts";
import { aNewPayin, ratesOf } from "./new-payments.ts";
import { minor, RUB } from "./projects.ts";

/** Callbacks in the states that tests need, of payments that are really there. */
export type CallbackWish = {
  readonly url?: string;
  readonly requestId?: Id;
  readonly paymentId?: string;
  readonly sequence?: number;
  readonly tells?: PaymentState;
  readonly state?: "pending" | "delivered" | "dead" | "dismissed";
  /** Of a pending one: due in so many seconds. */
  readonly dueInS?: number;
  /** What earlier attempts came to: a status, or the name of a failure. */
  readonly attempts?: readonly (number | string)[];
  /** What the last attempt was answered with. */
  readonly answer?: string;
  readonly createdAt?: Date;
};

export type BuiltCallback = {
  readonly projectId: Id;
  readonly id: Id;
  readonly requestId: Id;
  readonly paymentId: string;
};

export const SHOP_URL = "https://shop.example/callbacks";

/** A pay-in of 1000 RUB. No worker looks at it before tomorrow: what it would tell the merchant is in the way of a test's callbacks. */
export async function aPayinOf(db: Database, projectId: Id, paymentId: string = newId()): Promise<Id> {
  const payin = aNewPayin(projectId, { ...ratesOf(250), paymentId });
  await db.transaction(async (tx) => {
    await createPayins(tx, [payin]);
    await tx.run({
      text: "update payments set due_at = now() + interval '1 day' where project_id = $1 and request_id = $2",
      values: [projectId, payin.requestId],
    });
  });
  return payin.requestId;
}

export async function aCallback(db: Database, projectId: Id, wish: CallbackWish = {}): Promise<BuiltCallback> {
  const { url = SHOP_URL, state = "pending", tells = "processing:paid", attempts = [], sequence = 2 } = wish;
  const paymentId = wish.paymentId ?? newId();
  const requestId = wish.requestId ?? (await aPayinOf(db, projectId, paymentId));
  const createdAt = wish.createdAt ?? new Date();
  const id = newId(createdAt.getTime());
  const subject = {
    projectId,
    requestId,
    paymentId,
    state: tells,
    direction: "payin" as const,
    statusDescription: null,
    declineCode: null,
    method: "card-p2p",
    amount: minor(1000),
    requestedAmount: minor(1000),
    receivedAmount: minor(0),
    currency: RUB,
    fee: minor(25),
  };
  const body = callbackBody(subject, { id, sequence, createdAt });
  const waitsMaxS = isFinal(tells) ? 900 : null;
  const origin = new URL(url).origin;
  // In one transaction: a worker must not find it as it is in between.
  await db.transaction(async (tx) => {
    await insertCallbacks(tx, [{ projectId, id, requestId, sequence, url, origin, waitsMaxS, body }]);
    await insertAttempts(tx, { projectId, id }, attempts, wish.answer);
    await tx.run({
      text: `update callbacks
              set state = $3, attempt_count = $4, created_at = $5,
                  due_at = case when $3 = 'pending' then now() + make_interval(secs => $6) end,
                  delivered_at = case when $3 = 'delivered' then now() end,
                  dismissed_at = case when $3 = 'dismissed' then now() end,
                  dismissed_by = case when $3 = 'dismissed' then 'test' end
            where project_id = $1 and id = $2`,
      values: [projectId, id, state, attempts.length, createdAt, wish.dueInS ?? 0],
    });
  });
  return { projectId, id, requestId, paymentId };
}

async function insertAttempts(
  tx: Transaction,
  { projectId, id }: Pick<BuiltCallback, "projectId" | "id">,
  attempts: readonly (number | string)[],
  answer: string | undefined,
): Promise<void> {
  for (const [index, outcome] of attempts.entries()) {
    const last = index === attempts.length - 1;
    await tx.run({
      text: `insert into callback_attempts (project_id, callback_id, number, started_at, latency_ms, status, failure, answer)
             values ($1, $2, $3, now(), 12, $4, $5, $6)`,
      values: [
        projectId,
        id,
        index + 1,
        typeof outcome === "number" ? outcome : null,
        typeof outcome === "string" ? outcome : null,
        last && answer !== undefined ? Buffer.from(answer) : null,
      ],
    });
  }
}

export async function disableUrl(db: Database, projectId: Id, url: string = SHOP_URL): Promise<void> {
  await db.run({
    text: `insert into disabled_callback_urls (project_id, url_hash, url)
           values ($1, sha256(convert_to($2, 'UTF8')), $2)`,
    values: [projectId, url],
  });
}

export type CallbackRow = {
  readonly state: string;
  readonly attemptCount: number;
  readonly scheduleFrom: number;
  readonly dueInS: number | null;
  readonly goesAheadInS: number | null;
  readonly deliveredAt: Date | null;
  readonly replayedBy: string | null;
};

export async function callbackRow(db: Database, { projectId, id }: { projectId: Id; id: Id }): Promise<CallbackRow> {
  const rows = await db.run<CallbackRow>({
    text: `select state, attempt_count as "attemptCount", schedule_from as "scheduleFrom",
                  extract(epoch from due_at - now())::float8 as "dueInS",
                  extract(epoch from goes_ahead_at - now())::float8 as "goesAheadInS",
                  delivered_at as "deliveredAt", replayed_by as "replayedBy"
             from callbacks where project_id = $1 and id = $2`,
    values: [projectId, id],
  });
  if (rows[0] === undefined) throw new Error("no such callback");
  return rows[0];
}
