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

/** Written in the commit of the change that it tells of, and due at once. */
export async function insertCallback(tx: Transaction, callback: NewCallback): Promise<void> {
  await tx.run({
    name: "insert_callback",
    text: `insert into callbacks (project_id, id, request_id, sequence, url, body, due_at)
           values ($1, $2, $3, $4, $5, $6, now())`,
    values: [
      callback.projectId,
      callback.id,
      callback.requestId,
      callback.sequence,
      callback.url,
      JSON.stringify(callback.body),
    ],
  });
}
