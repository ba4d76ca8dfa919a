import type { Id } from "../../core/ids.ts";
import { CALLS_KEPT, ERRORS_KEPT, UNSIGNED_KEPT } from "../../core/request-log/limits.ts";
import type { ChunkKind } from "../../core/request-log/logged-call.ts";
import type { AnsweredCall } from "./answered-call.ts";

/** Calls of one project that wait to be written. Of more than are kept, the last ones stay. */
type Ring = { readonly calls: AnsweredCall[]; oldest: number };

export type PendingOfProject = {
  readonly calls: Ring;
  readonly errors: Ring;
  readonly unsigned: Ring;
  /** Unsigned ones that are counted only. */
  missed: number;
};

export type PendingCalls = Map<Id, PendingOfProject>;

const KEPT = { calls: CALLS_KEPT, errors: ERRORS_KEPT, unsigned: UNSIGNED_KEPT } as const satisfies Record<
  ChunkKind,
  number
>;

export function pendingOf(pending: PendingCalls, projectId: Id): PendingOfProject {
  const known = pending.get(projectId);
  if (known !== undefined) return known;
  const ring = () => ({ calls: [], oldest: 0 });
  const made = { calls: ring(), errors: ring(), unsigned: ring(), missed: 0 };
  pending.set(projectId, made);
  return made;
}

/** Answers the call whose place was taken. */
export function addToRing(project: PendingOfProject, kind: ChunkKind, call: AnsweredCall): AnsweredCall | undefined {
  const ring = project[kind];
  const { calls } = ring;
  if (calls.length < KEPT[kind]) {
    calls.push(call);
    return undefined;
  }
  const replaced = calls[ring.oldest];
  calls[ring.oldest] = call;
  ring.oldest = (ring.oldest + 1) % calls.length;
  return replaced;
}

/** In the order in which they were answered. */
export function inOrder({ calls, oldest }: Ring): readonly AnsweredCall[] {
  return oldest === 0 ? calls : [...calls.slice(oldest), ...calls.slice(0, oldest)];
}
