import { setImmediate as nextTurn } from "node:timers/promises";
import type { Id } from "../../core/ids.ts";
import { ERRORS_KEPT_DAYS, UNSIGNED_NOTED } from "../../core/request-log/limits.ts";
import type { ChunkKind } from "../../core/request-log/logged-call.ts";
import { type Log, reasonOf } from "../../platform/log.ts";
import { warnOfError } from "../../platform/log-lines/quiet-log.ts";
import { newId } from "../../platform/new-id.ts";
import { openTokenBuckets } from "../../platform/token-buckets.ts";
import type { Database } from "../../store/db.ts";
import { isUnavailable, lacksRight } from "../../store/faults.ts";
import { deleteOldErrors, insertChunks, type NewChunk, trimProjects } from "../../store/request-log/chunks.ts";
import type { AnsweredCall } from "./answered-call.ts";
import { openPacker, type Packer } from "./packer.ts";
import { openPendingCalls, type PendingOfProject } from "./pending-calls.ts";
import { giveBack, newPendingChunk, type PendingChunk } from "./pending-chunk.ts";

/**
 * The request log of merchants' projects. Calls wait in memory, as bytes. Once a second a thread masks and compresses them, and they
 * are written, a row for each project; in a crowd a project's calls wait a little longer for company, because a row costs as
 * much as many calls. A process that is killed loses what waits.
 */
export type CallLog = {
  /** A call that one of the project's keys signed. */
  readonly note: (projectId: Id, call: AnsweredCall) => void;
  /** A call that names the project, and that none of its keys signed. */
  readonly noteUnsigned: (projectId: Id, call: AnsweredCall) => void;
  readonly figures: () => CallLogFigures;
  /** Writes what is due. It does so by itself once a second. */
  readonly flush: () => Promise<void>;
  /** Writes the rest. */
  readonly close: () => Promise<void>;
};

export type CallLogFigures = {
  readonly written: number;
  readonly dropped: number;
  readonly waiting: number;
  readonly flushSeconds: number;
};

const FLUSH_EVERY_MS = 1_000;
/** Packed rows that the database did not take yet. */
const UNSENT_BYTES_MAX = 8 * 1024 * 1024;
const SWEEP_EVERY_MS = 3_600_000;
/** A project's old rows are removed after so many new calls, and when this process first writes of it. */
const TRIM_EVERY_CALLS = 1_000;
const TRIMMED_AT_ONCE = 50;
const PROJECTS_REMEMBERED_MAX = 100_000;

type Deps = { readonly db: Database; readonly log: Pick<Log, "warn">; readonly nowMs: () => number };

export function openCallLog({ db, log, nowMs }: Deps): CallLog {
  const pending = openPendingCalls(nowMs);
  const figures = { written: 0, dropped: 0, flushSeconds: 0 };
  const unsigned = openTokenBuckets(PROJECTS_REMEMBERED_MAX);
  const writer = openWriter({ db, log, nowMs }, figures);
  const packer = openPacker();
  let flushing: Promise<void> | undefined;

  function add(projectId: Id, kind: ChunkKind, call: AnsweredCall): void {
    if (!pending.add(projectId, kind, call)) figures.dropped += 1;
  }

  async function flush(isLast: boolean): Promise<void> {
    const startedMs = performance.now();
    await writer.write(await packAll(packer, rowsOf(pending.take(isLast)), figures));
    figures.flushSeconds = (performance.now() - startedMs) / 1000;
  }

  function flushOnce(isLast = false): Promise<void> {
    flushing ??= flush(isLast)
      .catch((error) => warnOfError(log, error, "the request log could not be written"))
      .finally(() => {
        flushing = undefined;
      });
    return flushing;
  }

  const timer = setInterval(() => void flushOnce(), FLUSH_EVERY_MS);
  timer.unref();
  return {
    note: (projectId, call) => add(projectId, call.code === undefined ? "calls" : "errors", call),
    noteUnsigned: (projectId, call) => {
      if (unsigned.take(projectId, UNSIGNED_NOTED, nowMs()) === 0) add(projectId, "unsigned", call);
      else pending.miss(projectId);
    },
    figures: () => ({ ...figures, waiting: pending.waiting() }),
    flush: () => flushOnce(),
    close: async () => {
      clearInterval(timer);
      await flushing;
      await flushOnce(true);
      await packer.close();
    },
  };
}

type UnpackedRow = Omit<NewChunk, "id" | "oldestId" | "callCount" | "heads" | "bodies"> & {
  readonly chunk: PendingChunk;
};

function rowsOf(pending: ReadonlyMap<Id, PendingOfProject>): UnpackedRow[] {
  return [...pending].flatMap(([projectId, { calls, errors, unsigned, missed }]) => {
    const rows: UnpackedRow[] = [];
    const add = (kind: ChunkKind, chunk: PendingChunk | undefined, missedToo = 0) => {
      if (chunk !== undefined) rows.push({ projectId, kind, chunk, missed: missedToo });
    };
    add("calls", calls?.early);
    add("calls", calls?.late);
    add("errors", errors?.early);
    add("errors", errors?.late);
    add("unsigned", unsigned?.late ?? (missed > 0 ? newPendingChunk(newId()) : undefined), missed);
    return rows;
  });
}

/** Requests that arrive meanwhile are answered after each row. One that cannot be packed is dropped. */
async function packAll(
  packer: Packer,
  rows: readonly UnpackedRow[],
  figures: { dropped: number },
): Promise<NewChunk[]> {
  const packed: NewChunk[] = [];
  for (const { chunk, ...row } of rows) {
    const { newestId: id, oldestId, callCount, lines, linesLength, bodies, bodiesLength } = chunk;
    try {
      const bytes = await packer.pack(lines.subarray(0, linesLength), bodies.subarray(0, bodiesLength));
      packed.push({ ...row, id, oldestId, callCount, ...bytes });
    } catch {
      figures.dropped += callCount;
    }
    giveBack(chunk);
    await nextTurn();
  }
  return packed;
}

/** Writes rows, those first that the database did not take before; and removes what is no longer kept. */
function openWriter({ db, log, nowMs }: Deps, figures: { written: number; dropped: number }) {
  let unsent: readonly NewChunk[] = [];
  let sweptMs = Number.NEGATIVE_INFINITY;
  let mayWrite = true;
  const sinceTrim = new Map<Id, number>();

  function keepUnsent(rows: readonly NewChunk[]): void {
    let bytes = 0;
    const newestFirst = rows.toReversed().map((row) => {
      bytes += row.heads.length + row.bodies.length;
      return { row, fits: bytes <= UNSENT_BYTES_MAX };
    });
    unsent = newestFirst.flatMap(({ row, fits }) => (fits ? [row] : [])).reverse();
    figures.dropped += countOf(rows) - countOf(unsent);
  }

  async function trim(): Promise<void> {
    const due = [...sinceTrim].filter(([, count]) => count >= TRIM_EVERY_CALLS).slice(0, TRIMMED_AT_ONCE);
    if (due.length > 0)
      await trimProjects(
        db,
        due.map(([projectId]) => projectId),
      );
    for (const [projectId] of due) sinceTrim.set(projectId, 0);
    if (nowMs() - sweptMs < SWEEP_EVERY_MS) return;
    sweptMs = nowMs();
    await deleteOldErrors(db, ERRORS_KEPT_DAYS);
  }

  return {
    write: async (rows: readonly NewChunk[]): Promise<void> => {
      const all = [...unsent, ...rows];
      if (!mayWrite) {
        figures.dropped += countOf(all);
        return;
      }
      try {
        if (all.length > 0) await insertChunks(db, all);
        figures.written += countOf(all);
        unsent = [];
        for (const { projectId, callCount: count } of all)
          sinceTrim.set(projectId, (sinceTrim.get(projectId) ?? TRIM_EVERY_CALLS) + count);
        await trim();
      } catch (error) {
        if (lacksRight(error)) {
          // Rows that cannot be removed would fill the disk.
          mayWrite = false;
          log.warn({ reason: reasonOf(error) }, "the request log is off: the database's user lacks a right");
        }
        if (isUnavailable(error)) keepUnsent(all);
        else {
          unsent = [];
          figures.dropped += countOf(all);
        }
        throw error;
      }
    },
  };
}

function countOf(rows: readonly NewChunk[]): number {
  return rows.reduce((sum, { callCount }) => sum + callCount, 0);
}
