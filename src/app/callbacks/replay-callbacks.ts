import { FINAL_WAITS_MAX_S } from "../../core/callbacks/schedule.ts";
import type { Id } from "../../core/ids.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import {
  countReplayable,
  type ReplayCount,
  type ReplayFilter,
  requeueCallbacks,
} from "../../store/callbacks/callback-replay.ts";
import { notifyCallbacks } from "../../store/callbacks/callbacks.ts";
import type { Database, Transaction } from "../../store/db.ts";

export type ReplayCommand = {
  readonly filter: ReplayFilter;
  /** They become due one after another, so many in a second: a receiver that has just come back is not run over. */
  readonly ratePerSecond: number;
  /** More than this are not sent unasked; undefined: any number. */
  readonly countMax: number | undefined;
  readonly actor: string;
  /** Writes down what one transaction sends again, in that transaction. */
  readonly note?: (tx: Transaction, ids: readonly Id[]) => Promise<void>;
};

export type Replayed = {
  readonly replayed: number;
  /** In how many seconds the last of them is due. */
  readonly lastDueInS: number;
  readonly left: Pick<ReplayCount, "underWay" | "disabled">;
};

export type ReplayFault =
  | { readonly kind: "none"; readonly left: Pick<ReplayCount, "underWay" | "disabled"> }
  | { readonly kind: "too_many"; readonly count: number };

/** So many in one transaction: none holds its locks for long. */
const PORTION_MAX = 500;

/**
 * Sends callbacks again, each as the event that it is: the same id, the attempts numbered on, the schedule of retries from
 * its beginning. Those under way and those whose URL is disabled are left as they are.
 */
export async function replayCallbacks(db: Database, command: ReplayCommand): Promise<Result<Replayed, ReplayFault>> {
  const { ratePerSecond, countMax, actor } = command;
  const count = await countReplayable(db, command.filter);
  const left = { underWay: count.underWay, disabled: count.disabled };
  if (count.replayable === 0) return fail({ kind: "none", left });
  if (countMax !== undefined && count.replayable > countMax) return fail({ kind: "too_many", count: count.replayable });
  const filter = { ...command.filter, until: earlierOf(command.filter.until, count.now) };
  const everyMs = 1000 / ratePerSecond;
  let replayed = 0;
  let after: Id | undefined;
  do {
    const firstDueAt = new Date(count.now.getTime() + replayed * everyMs);
    const portion = { after, countMax: PORTION_MAX, firstDueAt, everyMs, finalWaitsMaxS: FINAL_WAITS_MAX_S, actor };
    const ids = await db.transaction(async (tx) => {
      const changed = await requeueCallbacks(tx, filter, portion);
      if (changed.length > 0) {
        await command.note?.(tx, changed);
        await notifyCallbacks(tx, filter.projectId);
      }
      return changed;
    });
    replayed += ids.length;
    after = ids.at(-1);
  } while (after !== undefined && filter.ids?.length !== 1);
  if (replayed === 0) return fail({ kind: "none", left });
  return ok({ replayed, lastDueInS: ((replayed - 1) * everyMs) / 1000, left });
}

/** What is written and delivered while this works is not run after. The database's clock has finer steps than ours. */
function earlierOf(until: Date | undefined, now: Date): Date {
  const endMs = Math.min(until?.getTime() ?? Number.POSITIVE_INFINITY, now.getTime() + 1);
  return new Date(endMs);
}
