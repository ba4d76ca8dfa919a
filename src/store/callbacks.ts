import type { Id } from "../core/ids.ts";
import type { Transaction } from "./db.ts";

export type NewCallback = {
  readonly projectId: Id;
  readonly id: Id;
  readonly requestId: Id;
  readonly sequence: number;
  readonly url: string;
  /** Without requisites: they are put in when it is sent. */
  readonly body: object;
};

/** Written in the commit of the changes that they tell of, and due at once. */
export async function insertCallbacks(tx: Transaction, callbacks: readonly NewCallback[]): Promise<void> {
  await tx.run({
    name: "insert_callbacks",
    text: `insert into callbacks (project_id, id, request_id, sequence, url, body, due_at)
           select c.*, now() from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::integer[], $5::text[], $6::jsonb[]) as c`,
    values: [
      callbacks.map((callback) => callback.projectId),
      callbacks.map((callback) => callback.id),
      callbacks.map((callback) => callback.requestId),
      callbacks.map((callback) => callback.sequence),
      callbacks.map((callback) => callback.url),
      callbacks.map((callback) => JSON.stringify(callback.body)),
    ],
  });
}
