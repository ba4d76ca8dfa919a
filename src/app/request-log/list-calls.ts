import { type Id, lowestIdAt } from "../../core/ids.ts";
import { type CallFilter, HIGHEST_ID, idAbove, isWanted, kindsOf } from "../../core/request-log/call-filter.ts";
import { headsToCalls, type LoggedCall, timeOfId } from "../../core/request-log/logged-call.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { readReport } from "../../store/reports/read-report.ts";
import { type Chunk, listChunks, listKeyLabels } from "../../store/request-log/chunks.ts";
import { idsOf, projectOf, projectsInScope, type ReportScope, type ScopeProject } from "../reports/report-scope.ts";
import { unpackText } from "./pack.ts";

export type ListedCall = LoggedCall & {
  readonly project: ScopeProject;
  readonly isSigned: boolean;
  /** Empty where the key has none; undefined where no key of the merchant was used. */
  readonly keyLabel: string | undefined;
};

export type CallPage = {
  readonly rows: readonly ListedCall[];
  readonly next: Id | undefined;
  /** The search ended here because it had looked at enough; `next` goes on. */
  readonly stoppedAt: Date | undefined;
  /** Unsigned calls beside these that were counted only. */
  readonly missed: number;
};

const PAGE_CALLS = 50;
/** After so many calls, or so many rows, a search answers what it has, and where it can go on. */
const EXAMINED_MAX = 20_000;
const CHUNKS_MAX = 2_000;
const CHUNKS_AT_ONCE = 100;
/** A row's calls lie closer together than this: a call ends within a minute, and is written seconds later. */
const CHUNK_SPAN_MAX_MS = 300_000;

/** Newest first, by their ids, in one snapshot. */
export async function listCallsInScope(
  db: Database,
  scope: ReportScope,
  filter: CallFilter,
): Promise<Result<CallPage, "not_found">> {
  const projects = projectsInScope(scope, filter.projectId);
  if (!projects.ok) return fail(projects.error);
  return readReport(db, async (tx) => {
    const found = await search(tx, idsOf(projects.value), filter);
    const labels = await labelsOf(tx, scope.merchantId, found.calls);
    const rows = found.calls.map((call) => ({
      ...call,
      project: projectOf(projects.value, call),
      keyLabel: call.keyId === null ? undefined : labels.get(call.keyId),
    }));
    return ok({ rows, next: found.next, stoppedAt: found.stoppedAt, missed: found.missed });
  });
}

export async function labelsOf(
  tx: Transaction,
  merchantId: Id,
  calls: readonly Pick<LoggedCall, "keyId">[],
): Promise<ReadonlyMap<string, string>> {
  const keyIds = [...new Set(calls.flatMap(({ keyId }) => (keyId === null ? [] : [keyId])))];
  if (keyIds.length === 0) return new Map();
  return new Map((await listKeyLabels(tx, merchantId, keyIds)).map(({ id, label }) => [id, label]));
}

type FoundCall = LoggedCall & { readonly projectId: Id; readonly isSigned: boolean };
type Found = {
  readonly calls: readonly FoundCall[];
  readonly next: Id | undefined;
  readonly stoppedAt: Date | undefined;
  readonly missed: number;
};

/**
 * Rows of several processes overlap in time. They are read by their newest call, so every call that is newer than that of the
 * next row is in its final place.
 */
async function search(tx: Transaction, projectIds: readonly Id[], filter: CallFilter): Promise<Found> {
  let calls: FoundCall[] = [];
  let [examined, chunkCount, missed] = [0, 0, 0];
  const answer = (next: Id | undefined, stoppedAt?: Date): Found => {
    const page = calls.slice(0, PAGE_CALLS);
    const last = page.at(-1);
    return { calls: page, missed, next: calls.length > PAGE_CALLS ? last?.id : next, stoppedAt };
  };
  for await (const chunk of chunksBelow(tx, projectIds, filter)) {
    const lastOfPage = calls[PAGE_CALLS - 1];
    if (calls.length > PAGE_CALLS && lastOfPage !== undefined && lastOfPage.id > chunk.id) return answer(undefined);
    if ((examined >= EXAMINED_MAX || chunkCount >= CHUNKS_MAX) && chunk.id < filter.below) {
      calls = calls.filter(({ id }) => id > chunk.id);
      return answer(idAbove(chunk.id), timeOfId(chunk.id));
    }
    chunkCount += 1;
    missed += chunk.missed;
    const { projectId, kind } = chunk;
    const heads = unpackText(chunk.heads);
    if (cannotHold(heads, filter.search)) {
      examined += chunk.callCount;
      continue;
    }
    const read = headsToCalls(heads);
    examined += read.reduce((count, { id }) => count + (id < filter.below ? 1 : 0), 0);
    for (const call of read)
      if (isWanted(call, filter)) calls.push({ ...call, projectId, isSigned: kind !== "unsigned" });
    calls.sort((one, other) => (one.id < other.id ? 1 : -1));
    // One more shows that there is a next page.
    calls = calls.slice(0, PAGE_CALLS + 1);
  }
  return answer(undefined);
}

/** Most rows of a search have nothing of it, which is seen faster than they are read. Without an escape each text lies there as it is. */
function cannotHold(heads: string, search: string | undefined): boolean {
  return search !== undefined && !heads.includes("\\") && !heads.toLowerCase().includes(search);
}

async function* chunksBelow(tx: Transaction, projectIds: readonly Id[], filter: CallFilter): AsyncGenerator<Chunk> {
  const { below, from } = filter;
  let newestBelow = below === HIGHEST_ID ? HIGHEST_ID : spanAbove(below);
  for (;;) {
    const chunks = await listChunks(tx, projectIds, {
      ...{ kinds: kindsOf(filter), below, from, newestBelow, limit: CHUNKS_AT_ONCE },
    });
    yield* chunks;
    const last = chunks.at(-1);
    if (chunks.length < CHUNKS_AT_ONCE || last === undefined) return;
    newestBelow = last.id;
  }
}

/** No row that has this call has a newer one than that. */
export function spanAbove(id: Id): Id {
  return lowestIdAt(timeOfId(id).getTime() + CHUNK_SPAN_MAX_MS);
}
