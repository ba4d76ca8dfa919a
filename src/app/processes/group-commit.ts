import { groupBy } from "../../core/group-by.ts";
import { OutOfTime } from "../../platform/deadlines.ts";
import { isContention, isUnavailable } from "../../store/faults.ts";
import { openLinger } from "./linger.ts";
import { openSideLanes, type Waiting } from "./side-lanes.ts";

/**
 * Commits things that arrive together in one transaction. While a batch is being written the next one gathers, so under
 * load the database sees few, large commits, and a lone caller does not wait. A batch that meets a lock is given up
 * soon, and each owner's part of it goes on in a lane of its own: one whose rows are locked holds up itself alone.
 */
export type GroupCommit<T, R> = (item: T) => Promise<R>;

export type GroupCommitOptions<T, R> = {
  /**
   * Writes all of them or none, and waits no longer for a lock than it is told. Answers one result for each item, in their
   * order.
   */
  readonly write: (items: readonly T[], lockWaitMs: number) => Promise<readonly R[]>;
  /** Whose rows it locks: what one owner waits for, the others do not. */
  readonly ownerOf: (item: T) => string;
  /**
   * Whether an error may be the fault of one item, such as a broken constraint. Then each item is written by itself, so
   * that a bad one fails alone. An error of the connection is no item's fault, and its outcome is unknown: it is not
   * tried again here. A lock that did not come, or a deadlock, rolled the transaction back for certain.
   */
  readonly isFaultOfOneItem: (error: unknown) => boolean;
  readonly itemsMax: number;
  readonly writersMax: number;
  /** So long an item waits for company at most, while there is a crowd. Absent: no item waits. */
  readonly lingerMsOf?: (item: T) => number;
  /** So long an item waits for locks at most. */
  readonly heldUpMaxMs?: number;
  /** What has waited longer for its turn is not begun: its caller was told to try again. Absent: everything is begun. */
  readonly callersLeaveAfterMs?: number;
};

type Queued<T, R> = Waiting<T, R> & { readonly sinceMs: number };

/** Longer than any transaction of ours holds a row, and not long for those who are in the same batch as a locked one. */
const LOCK_WAIT_MS = 500;
/** As long as a statement on its own waits for a lock. */
const HELD_UP_MAX_MS = 5_000;

export function openGroupCommit<T, R>(options: GroupCommitOptions<T, R>): GroupCommit<T, R> {
  const { ownerOf } = options;
  const queue: Queued<T, R>[] = [];
  const sideLanes = openSideLanes({
    ...options,
    write,
    isHeldUp: isContention,
    heldUpMaxMs: options.heldUpMaxMs ?? HELD_UP_MAX_MS,
  });
  const { lingerMsOf } = options;
  const linger = lingerMsOf && openLinger();
  let writers = 0;
  /** The last write found the database away. Until one succeeds there is one writer, so that few connections hang. */
  let isAway = false;

  async function write(items: readonly T[], lockWaitMs: number): Promise<readonly R[]> {
    const results = await options.write(items, lockWaitMs);
    if (results.length !== items.length) throw new Error("a batch must answer one result for each item");
    return results;
  }

  async function writeBatches(): Promise<void> {
    for (;;) {
      // A writer that waits for company takes everything.
      if (queue.length === 0 || linger?.isWaiting() === true || (isAway && writers > 1)) return;
      if (queue.length < options.itemsMax) await linger?.wait();
      const batch = queue.splice(0, options.itemsMax);
      await settle(batch.filter((each) => !wasLeft(each, options.callersLeaveAfterMs) && !wasSetAside(each)));
      linger?.onWritten(batch.length);
    }
  }

  /** Its owner met a lock since it came. */
  function wasSetAside(waiting: Waiting<T, R>): boolean {
    const owner = ownerOf(waiting.item);
    if (!sideLanes.has(owner)) return false;
    sideLanes.add(owner, [waiting]);
    return true;
  }

  async function settle(batch: readonly Waiting<T, R>[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      const results = await write(
        batch.map(({ item }) => item),
        LOCK_WAIT_MS,
      );
      isAway = false;
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R);
    } catch (error) {
      isAway = isUnavailable(error) && !isContention(error);
      if (isContention(error)) {
        for (const [owner, part] of groupBy(batch, ({ item }) => ownerOf(item))) sideLanes.add(owner, part, error);
        return;
      }
      const alone = batch.length === 1 || !options.isFaultOfOneItem(error);
      if (alone) for (const { reject } of batch) reject(error);
      else for (const each of batch) await settle([each]);
    }
  }

  function wake(): void {
    if (writers >= (isAway ? 1 : options.writersMax) || linger?.isWaiting() === true) return;
    writers += 1;
    // Those who arrive in the same turn of the event loop come along.
    setImmediate(() => {
      writeBatches().finally(() => {
        writers -= 1;
        if (queue.length > 0) wake();
      });
    });
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject, sinceMs: performance.now() };
      if (wasSetAside(waiting)) return;
      queue.push(waiting);
      linger?.onArrival(lingerMsOf?.(item) ?? 0);
      if (queue.length >= options.itemsMax) linger?.onFull();
      wake();
    });
}

function wasLeft({ sinceMs, reject }: Queued<unknown, never>, afterMs = Number.POSITIVE_INFINITY): boolean {
  if (performance.now() - sinceMs < afterMs) return false;
  reject(new OutOfTime());
  return true;
}
