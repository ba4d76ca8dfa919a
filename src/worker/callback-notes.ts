import { disableCallbackUrls, endCallbacks, insertCallbackAttempts, wakeFollowers } from "../store/callback-queue.ts";
import type { Database } from "../store/db.ts";
import type { CallbackNote } from "./callback-job.ts";

/** Writes what became of callbacks, many at once: their attempts, their next due times, and whom they let through. */
export async function writeNotes(db: Database, notes: readonly CallbackNote[]): Promise<void> {
  const attempts = notes.flatMap(({ attempt }) => (attempt === undefined ? [] : [attempt]));
  const settled = notes.filter(({ end }) => end.state !== "pending").map(({ end }) => end);
  const gone = notes.filter((note) => note.gone).map(({ end }) => end);
  await db.transaction(async (tx) => {
    // In the order of their keys, so that two processes that overtook each other do not wait in a circle.
    const ends = notes.map(({ end }) => end).sort((a, b) => (a.id < b.id ? -1 : 1));
    await endCallbacks(tx, ends);
    if (attempts.length > 0) await insertCallbackAttempts(tx, attempts);
    if (settled.length > 0) await wakeFollowers(tx, settled);
    if (gone.length > 0) await disableCallbackUrls(tx, gone);
  });
}
