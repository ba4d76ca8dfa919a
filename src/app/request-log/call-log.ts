import { setImmediate as nextTurn } from "node:timers/promises";
import type { Id } from "../../core/ids.ts";
import { CALLS_KEPT, ERRORS_KEPT_DAYS, UNSIGNED_NOTED } from "../../core/request-log/limits.ts";
import type { ChunkKind } from "../../core/request-log/logged-call.ts";
import type { Log } from "../../platform/log.ts";
import { newId } from "../../platform/new-id.ts";
import { openTokenBuckets } from "../../platform/token-buckets.ts";
import type { Database } from "../../store/db.ts";
import { isUnavailable, lacksRight } from "../../store/faults.ts";
import { deleteOldErrors, insertChunks, type NewChunk, trimProjects } from "../../store/request-log/chunks.ts";
import type { AnsweredCall } from "./answered-call.ts";
import { encodeCall } from "./encode-call.ts";
import { packBytes } from "./pack.ts";
import { addCall, bytesOfChunk, giveBack, newPendingChunk, type PendingChunk } from "./pending-chunk.ts";

/**
 * The request log of merchants' projects. A call is masked when its answer has been sent, while both are still in the processor's
 * cache: 5 µs. What is in memory is compressed and written once a second, a row for each project. A process that is killed
 * loses its last second.
 */
export type CallLog = {
  /** A call that one of the project's keys signed. */
  readonly note: (projectId: Id, call: AnsweredCall) => void;
  /** A call that names the project, and that none of its keys signed. */
  readonly noteUnsigned: (projectId: Id, call: AnsweredCall) => void;
  readonly figures: () => CallLogFigures;
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
/** What waits to be written, masked; it takes at most twice as much memory. What does not fit is dropped. */
const PENDING_BYTES_MAX = 16 * 1024 * 1024;
/** Packed rows that the database did not take yet. */
const UNSENT_BYTES_MAX = 8 * 1024 * 1024;
const SWEEP_EVERY_MS = 3_600_000;
/** A project's old rows are removed after so many new calls, and when this process first writes of it. */
const TRIM_EVERY_CALLS = 1_000;
const TRIMMED_AT_ONCE = 50;
const PROJECTS_REMEMBERED_MAX = 100_000;

type Deps = { readonly db: Database; readonly log: Pick<Log, "warn">; readonly nowMs: () => number };

/** The calls of a kind that come before `late` are superseded when it is full. */
type PendingOfKind = { early: PendingChunk | undefined; late: PendingChunk };
type PendingOfProject = Partial<Record<ChunkKind, PendingOfKind>> & { missed: number };

export function openCallLog({ db, log, nowMs }: Deps): CallLog {
  let pending = new Map<Id, PendingOfProject>();
  let [pendingBytes, waiting] = [0, 0];
  const figures = { written: 0, dropped: 0, flushSeconds: 0 };
  const unsigned = openTokenBuckets(PROJECTS_REMEMBERED_MAX);
  const writer = openWriter({ db, log, nowMs }, figures);
  let flushing: Promise<void> | undefined;

  function pendingOf(projectId: Id): PendingOfProject {
    const known = pending.get(projectId);
    if (known !== undefined) return known;
    const made = { missed: 0 };
    pending.set(projectId, made);
    return made;
  }

  function add(projectId: Id, kind: ChunkKind, call: AnsweredCall): void {
    if (pendingBytes > PENDING_BYTES_MAX) {
      figures.dropped += 1;
      return;
    }
    const project = pendingOf(projectId);
    const ofKind = project[kind] ?? { early: undefined, late: newPendingChunk(call.id) };
    project[kind] = ofKind;
    if (ofKind.late.callCount === CALLS_KEPT) {
      waiting -= ofKind.early?.callCount ?? 0;
      ofKind.early = ofKind.late;
      ofKind.late = newPendingChunk(call.id);
    }
    pendingBytes += addCall(ofKind.late, call.id, encodeCall(call));
    waiting += 1;
  }

  async function flush(): Promise<void> {
    const startedMs = performance.now();
    const taken = pending;
    pending = new Map();
    [pendingBytes, waiting] = [0, 0];
    await writer.write(await packAll(taken));
    figures.flushSeconds = (performance.now() - startedMs) / 1000;
  }

  function flushOnce(): Promise<void> {
    flushing ??= flush()
      .catch((error) => log.warn({ reason: reasonOf(error) }, "the request log could not be written"))
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
      else pendingOf(projectId).missed += 1;
    },
    figures: () => ({ ...figures, waiting }),
    close: async () => {
      clearInterval(timer);
      await flushing;
      await flushOnce();
    },
  };
}

/** Requests that arrive meanwhile are answered after each row. */
async function packAll(pending: ReadonlyMap<Id, PendingOfProject>): Promise<NewChunk[]> {
  const rows: NewChunk[] = [];
  for (const [projectId, { calls, errors, unsigned, missed }] of pending) {
    if (calls?.early !== undefined) rows.push(await rowOf(projectId, "calls", calls.early, 0));
    if (calls !== undefined) rows.push(await rowOf(projectId, "calls", calls.late, 0));
    if (errors?.early !== undefined) rows.push(await rowOf(projectId, "errors", errors.early, 0));
    if (errors !== undefined) rows.push(await rowOf(projectId, "errors", errors.late, 0));
    const counted = unsigned?.late ?? (missed > 0 ? newPendingChunk(newId()) : undefined);
    if (counted !== undefined) rows.push(await rowOf(projectId, "unsigned", counted, missed));
  }
  return rows;
}

async function rowOf(projectId: Id, kind: ChunkKind, chunk: PendingChunk, missed: number): Promise<NewChunk> {
  const { heads, bodies } = bytesOfChunk(chunk);
  const packed = { heads: await packBytes(heads), bodies: await packBytes(bodies) };
  const { newestId: id, oldestId, callCount } = chunk;
  giveBack(chunk);
  await nextTurn();
  return { projectId, kind, missed, id, oldestId, callCount, ...packed };
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

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown";
}
