import { openGroupCommit } from "../../app/processes/group-commit.ts";
import { whileAway } from "../../app/processes/while-away.ts";
import type { Log } from "../../platform/log.ts";
import { warnOfError } from "../../platform/log-lines/quiet-log.ts";
import { within } from "../../platform/within.ts";
import { type CallbackAttempt, insertCallbackAttempts } from "../../store/callbacks/callback-attempts.ts";
import {
  type CallbackEnd,
  deliverCallbacks,
  endCallbacks,
  type FirstDelivery,
  holdBack,
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

type Written = { readonly woken: number };

/** Writes the results of callbacks, many at once. Most were delivered by their first attempt: these are one statement. */
async function writeNotes(db: Database, notes: readonly CallbackNote[], lockWaitMs: number): Promise<Written> {
  const first = notes.filter(isFirstDelivery);
  const others = notes.filter((note) => !isFirstDelivery(note));
  const delivered = first.length === 0 ? { woken: 0 } : await writeFirstDeliveries(db, first, lockWaitMs);
  const written = others.length === 0 ? { woken: 0 } : await writeOthers(db, others, lockWaitMs);
  return { woken: delivered.woken + written.woken };
}

type Attempted = Extract<CallbackNote, { readonly kind: "attempted" }>;

function isFirstDelivery(note: CallbackNote): note is Attempted {
  return note.kind === "attempted" && note.state === "delivered" && note.attempt.number === 1;
}

/** That it was sent is noted even where another process has taken it since. */
async function writeFirstDeliveries(
  db: Database,
  first: readonly FirstDelivery[],
  lockWaitMs: number,
): Promise<Written> {
  const { ours, woken } = await deliverCallbacks(db, first, lockWaitMs);
  const lost = first.filter(({ callback }) => !ours.has(callback.id)).map(({ attempt }) => attempt);
  if (lost.length > 0) await insertCallbackAttempts(db, lost);
  return { woken };
}

/** Their attempts, their next due times, and whom they let through. */
async function writeOthers(db: Database, notes: readonly CallbackNote[], lockWaitMs: number): Promise<Written> {
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

export type NoteWriter = {
  readonly write: (note: CallbackNote) => Promise<void>;
  /** How many are not written yet. */
  readonly unwritten: () => number;
};

type NoteWriterDeps = {
  readonly db: Database;
  readonly log: Log;
  readonly isStopping: () => boolean;
  /** Something that waited is due now. */
  readonly onWoken: () => void;
};

const NOTES_MAX = 500;
/** While there is a crowd, results that come within so long of each other are written together. */
const LINGER_MS = 5;
/** So long a result waits for its rows while others have them locked. */
const HELD_UP_MAX_MS = 20_000;
/** Longer than a failover takes. What waits is no more than what was held when the database went away. */
const KEPT_MS = 120_000;

/**
 * A delivery that is not written is sent again. So a database that is away is waited for; leases make sure that a note which was
 * written after all, or came too late, changes nothing the second time.
 */
export function openNoteWriter({ db, log, isStopping, onWoken }: NoteWriterDeps): NoteWriter {
  let unwritten = 0;

  async function writePatiently(notes: readonly CallbackNote[], lockWaitMs: number): Promise<undefined[]> {
    const mayKeep = within(KEPT_MS);
    let heldUp: unknown;
    await whileAway(
      async () => {
        try {
          const { woken } = await writeNotes(db, notes, lockWaitMs);
          if (woken > 0) onWoken();
        } catch (error) {
          if (isUnavailable(error)) warnOfError(log, error, "callbacks could not be noted yet");
          // Locked rows hold up only the project that they belong to: it waits in a lane of its own.
          if (!isContention(error)) throw error;
          heldUp = error;
        }
      },
      () => !isStopping() && mayKeep(),
    );
    if (heldUp !== undefined) throw heldUp;
    return notes.map(() => undefined);
  }

  const commit = openGroupCommit<CallbackNote, undefined>({
    itemsMax: NOTES_MAX,
    writersMax: 2,
    isFaultOfOneItem: isDataFault,
    ownerOf: ({ callback }) => callback.projectId,
    heldUpMaxMs: HELD_UP_MAX_MS,
    lingerMsOf: () => LINGER_MS,
    write: writePatiently,
  });
  return {
    unwritten: () => unwritten,
    write: async (note) => {
      unwritten += 1;
      try {
        await commit(note);
      } finally {
        unwritten -= 1;
      }
    },
  };
}
