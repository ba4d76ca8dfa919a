import { setTimeout as sleep } from "node:timers/promises";
import { openGroupCommit } from "../../app/processes/group-commit.ts";
import type { Log } from "../../platform/log.ts";
import {
  type CallbackAttempt,
  type CallbackEnd,
  endCallbacks,
  holdBack,
  insertCallbackAttempts,
  type LeasedCallback,
  queueBehind,
  wakeFollowers,
} from "../../store/callbacks/callback-ends.ts";
import { joinCallbackWriters } from "../../store/callbacks/callback-writers.ts";
import { disableCallbackUrls } from "../../store/callbacks/disabled-callback-urls.ts";
import type { Database } from "../../store/db.ts";
import { isContention, isDataFault, isUnavailable } from "../../store/faults.ts";

/** What is to be written of one callback after a job. */
export type CallbackNote = { readonly callback: LeasedCallback } & (
  | {
      readonly kind: "attempted";
      readonly attempt: CallbackAttempt;
      readonly state: CallbackEnd["state"];
      readonly dueInMs: number | null;
      /** The receiver said that the URL is gone. */
      readonly gone: boolean;
    }
  /** Nothing was sent: it goes back as it was, for that time. */
  | { readonly kind: "later"; readonly dueInMs: number }
  /** Nothing was sent: an earlier one is not settled yet. */
  | { readonly kind: "behind" }
  /** Nothing was sent: its URL is gone. */
  | { readonly kind: "disabled" }
);

/** Writes the results of callbacks, many at once: their attempts, their next due times, and whom they let through. */
async function writeNotes(
  db: Database,
  notes: readonly CallbackNote[],
  lockWaitMs: number,
): Promise<{ readonly woken: number }> {
  const of = (kind: CallbackNote["kind"]) => notes.filter((note) => note.kind === kind).map((note) => note.callback);
  const attempted = notes.filter((note) => note.kind === "attempted");
  const behind = of("behind");
  const disabled = of("disabled");
  return db.transaction(async (tx) => {
    await joinCallbackWriters(tx, lockWaitMs);
    const ends = notes.flatMap(endOf);
    const ours = ends.length > 0 ? await endCallbacks(tx, ends) : new Set();
    const attempts = attempted.map(({ attempt }) => attempt);
    if (attempts.length > 0) await insertCallbackAttempts(tx, attempts);
    if (behind.length > 0) await queueBehind(tx, behind);
    const gone = attempted.filter((note) => note.gone).map(({ callback }) => callback);
    if (gone.length > 0) await disableCallbackUrls(tx, gone);
    if (disabled.length > 0) await holdBack(tx, disabled);
    const settled = ends.filter(({ id, state }) => state !== "pending" && ours.has(id));
    return { woken: settled.length > 0 ? await wakeFollowers(tx, settled) : 0 };
  });
}

function endOf(note: CallbackNote): CallbackEnd[] {
  const { callback } = note;
  if (note.kind === "later") return [{ ...callback, state: "pending", dueInMs: note.dueInMs }];
  if (note.kind !== "attempted") return [];
  return [{ ...callback, attemptCount: note.attempt.number, state: note.state, dueInMs: note.dueInMs }];
}

export type WriteNote = (note: CallbackNote) => Promise<void>;

type NoteWriterDeps = {
  readonly db: Database;
  readonly log: Log;
  readonly isStopping: () => boolean;
  /** Something that waited is due now. */
  readonly onWoken: () => void;
};

const NOTES_MAX = 500;
const TRIES_MAX = 20;
const TRY_EVERY_MS = 1_000;

/**
 * A delivery that is not written is sent again. So a database that is away for a moment is waited for; leases make sure
 * that a note which was written after all, or came too late, changes nothing the second time.
 */
export function openNoteWriter({ db, log, isStopping, onWoken }: NoteWriterDeps): WriteNote {
  async function writePatiently(notes: readonly CallbackNote[], lockWaitMs: number): Promise<undefined[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        const { woken } = await writeNotes(db, notes, lockWaitMs);
        if (woken > 0) onWoken();
        return notes.map(() => undefined);
      } catch (error) {
        if (!isUnavailable(error) || tries === TRIES_MAX || isStopping()) throw error;
        log.warn({ reason: error instanceof Error ? error.message : "unknown" }, "callbacks could not be noted yet");
        // Locked rows hold up only the project that they belong to: it waits in a lane of its own.
        if (isContention(error)) throw error;
        await sleep(TRY_EVERY_MS);
      }
    }
  }

  return openGroupCommit<CallbackNote, undefined>({
    itemsMax: NOTES_MAX,
    writersMax: 2,
    isFaultOfOneItem: isDataFault,
    ownerOf: ({ callback }) => callback.projectId,
    heldUpMaxMs: TRIES_MAX * TRY_EVERY_MS,
    write: writePatiently,
  });
}
