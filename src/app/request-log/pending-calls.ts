import type { Id } from "../../core/ids.ts";
import { CALLS_KEPT } from "../../core/request-log/limits.ts";
import type { ChunkKind } from "../../core/request-log/logged-call.ts";
import type { AnsweredCall } from "./answered-call.ts";
import { addCall, bytesIn, giveBack, newPendingChunk, type PendingChunk } from "./pending-chunk.ts";

/** More that wait at a flush are a crowd: then only what is old or long enough is written. */
const CROWD_CALLS = 1_000;
const CROWD_WAIT_MS = 4_000;
const CROWD_ROW_CALLS = 250;
/** What waits to be written; it takes at most twice as much memory. What does not fit is dropped. */
const PENDING_BYTES_MAX = 16 * 1024 * 1024;

/** The calls of a kind that come before `late` are superseded when it is full. */
type PendingOfKind = { early: PendingChunk | undefined; late: PendingChunk };
export type PendingOfProject = Partial<Record<ChunkKind, PendingOfKind>> & { missed: number; readonly sinceMs: number };

/** The calls of all projects that wait to be written. */
export type PendingCalls = {
  /** False where there is no room for it. */
  readonly add: (projectId: Id, kind: ChunkKind, call: AnsweredCall) => boolean;
  /** An unsigned call that is counted only. */
  readonly miss: (projectId: Id) => void;
  /** What is to be written now; in the end, all. */
  readonly take: (isLast: boolean) => Map<Id, PendingOfProject>;
  readonly waiting: () => number;
};

export function openPendingCalls(nowMs: () => number): PendingCalls {
  let pending = new Map<Id, PendingOfProject>();
  let [pendingBytes, waiting] = [0, 0];

  function pendingOf(projectId: Id): PendingOfProject {
    const known = pending.get(projectId);
    if (known !== undefined) return known;
    const made = { missed: 0, sinceMs: nowMs() };
    pending.set(projectId, made);
    return made;
  }

  function add(projectId: Id, kind: ChunkKind, call: AnsweredCall): boolean {
    if (pendingBytes > PENDING_BYTES_MAX) return false;
    const project = pendingOf(projectId);
    const ofKind = project[kind] ?? { early: undefined, late: newPendingChunk(call.id) };
    project[kind] = ofKind;
    if (ofKind.late.callCount === CALLS_KEPT) {
      if (ofKind.early !== undefined) {
        waiting -= ofKind.early.callCount;
        pendingBytes -= bytesIn(ofKind.early);
        giveBack(ofKind.early);
      }
      ofKind.early = ofKind.late;
      ofKind.late = newPendingChunk(call.id);
    }
    pendingBytes += addCall(ofKind.late, call);
    waiting += 1;
    return true;
  }

  function take(isLast: boolean): Map<Id, PendingOfProject> {
    const isCrowd = waiting > CROWD_CALLS && pendingBytes < PENDING_BYTES_MAX / 2;
    if (isLast || !isCrowd) {
      const all = pending;
      pending = new Map();
      [pendingBytes, waiting] = [0, 0];
      return all;
    }
    const due = new Map<Id, PendingOfProject>();
    const sinceMs = nowMs() - CROWD_WAIT_MS;
    for (const [projectId, project] of pending) {
      const { callCount, bytes } = sizeOf(project);
      if (project.sinceMs > sinceMs && callCount < CROWD_ROW_CALLS) continue;
      due.set(projectId, project);
      pending.delete(projectId);
      pendingBytes -= bytes;
      waiting -= callCount;
    }
    return due;
  }

  const miss = (projectId: Id) => {
    pendingOf(projectId).missed += 1;
  };
  return { add, miss, take, waiting: () => waiting };
}

function sizeOf({ calls, errors, unsigned }: PendingOfProject): { readonly callCount: number; readonly bytes: number } {
  let [callCount, bytes] = [0, 0];
  for (const ofKind of [calls, errors, unsigned]) {
    for (const chunk of ofKind === undefined ? [] : [ofKind.early, ofKind.late]) {
      callCount += chunk?.callCount ?? 0;
      bytes += chunk === undefined ? 0 : bytesIn(chunk);
    }
  }
  return { callCount, bytes };
}
