import type { Id } from "../../core/ids.ts";
import type { Transaction } from "../db.ts";

export type NewCallback = {
  readonly projectId: Id;
  readonly id: Id;
  readonly requestId: Id;
  readonly sequence: number;
  readonly url: string;
  /** Scheme, host and port of it. */
  readonly origin: string;
  /** How long it waits for earlier ones at most; null: until they are delivered or given up. */
  readonly waitsMaxS: number | null;
  /** Without requisites: they are put in when it is sent. */
  readonly body: object;
};

/** Written in the commit of the changes that they report, and due at once. */
export async function insertCallbacks(tx: Transaction, callbacks: readonly NewCallback[]): Promise<void> {
  await tx.run({
    name: "insert_callbacks",
    text: `insert into callbacks (project_id, id, request_id, sequence, url, origin, body, goes_ahead_at, due_at)
           select c.project_id, c.id, c.request_id, c.sequence, c.url, c.origin, c.body,
                  now() + make_interval(secs => c.waits_max_s), now()
             from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::integer[], $5::text[], $6::text[], $7::json[], $8::integer[])
               as c (project_id, id, request_id, sequence, url, origin, body, waits_max_s)`,
    values: [
      callbacks.map((callback) => callback.projectId),
      callbacks.map((callback) => callback.id),
      callbacks.map((callback) => callback.requestId),
      callbacks.map((callback) => callback.sequence),
      callbacks.map((callback) => callback.url),
      callbacks.map((callback) => callback.origin),
      callbacks.map((callback) => JSON.stringify(callback.body)),
      callbacks.map((callback) => callback.waitsMaxS),
    ],
  });
}

/**
 * Wakes the runners that deliver, when this commits; once for a transaction. With a project's name the runners also forget what
 * they think of its endpoints.
 */
export async function notifyCallbacks(tx: Transaction, projectId?: Id): Promise<void> {
  await tx.run({
    name: "notify_callbacks",
    text: "select pg_notify('tillgate_callbacks', $1)",
    values: [projectId ?? ""],
  });
}
