/** Something that waits to be written, and whom to tell. */
export type Waiting<T, R> = {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Where those wait whose rows another transaction has locked, each owner in a lane of its own, so that they hold up no one
 * else. One writer goes from lane to lane: however many wait for a lock, they take one connection.
 */
export type SideLanes<T, R> = {
  /** True for an owner whose last write met a lock: whatever comes for it comes here. */
  readonly has: (owner: string) => boolean;
  /** `cause` is the error that brought them here; they are refused with it if the lock does not go away. */
  readonly add: (owner: string, waiting: readonly Waiting<T, R>[], cause?: unknown) => void;
};

export type SideLanesOptions<T, R> = {
  readonly write: (items: readonly T[], lockWaitMs: number) => Promise<readonly R[]>;
  readonly isHeldUp: (error: unknown) => boolean;
  readonly isFaultOfOneItem: (error: unknown) => boolean;
  readonly itemsMax: number;
  /** So long an item waits for locks at most. */
  readonly heldUpMaxMs: number;
};

type Held<T, R> = Waiting<T, R> & { readonly sinceMs: number };

type Lane<T, R> = {
  waiting: Held<T, R>[];
  /** Those that met a lock when they were written alone. The others need not wait for them. */
  stuck: Held<T, R>[];
  /** So many are written at once: one after a failure, and twice as many after each success. */
  take: number;
  cause: unknown;
};

/** A group that meets no other lane's can wait for its lock; where others are behind it, they have their turn soon. */
const LOCK_WAIT_MS = { alone: 1_000, shared: 250 } as const;

export function openSideLanes<T, R>(options: SideLanesOptions<T, R>): SideLanes<T, R> {
  /** In the order of their turns. An owner stays, with an empty lane, until a write of its own succeeds. */
  const lanes = new Map<string, Lane<T, R>>();
  let working = false;

  async function work(): Promise<void> {
    for (let next = takeTurn(); next !== undefined; next = takeTurn()) {
      const [owner, lane] = next;
      const retried = lane.stuck.splice(0, 1);
      if (lane.waiting.length > 0) await write(owner, lane, lane.waiting.splice(0, lane.take));
      if (retried.length > 0) await write(owner, lane, retried);
      for (const each of lanes.values()) refuseOverdue(each);
    }
  }

  /** The first lane that has something; its next turn comes after all the others'. */
  function takeTurn(): [string, Lane<T, R>] | undefined {
    for (const [owner, lane] of lanes) {
      if (isEmpty(lane)) continue;
      lanes.delete(owner);
      lanes.set(owner, lane);
      return [owner, lane];
    }
    return undefined;
  }

  async function write(owner: string, lane: Lane<T, R>, batch: readonly Held<T, R>[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item);
      const results = await options.write(items, lockWaitMs(lane, batch));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R);
      lane.take = Math.min(options.itemsMax, lane.take * 2);
      if (isEmpty(lane)) lanes.delete(owner);
    } catch (error) {
      const heldUp = options.isHeldUp(error);
      if (heldUp) lane.cause = error;
      // One that is locked, or bad, fails alone.
      if (batch.length > 1 && (heldUp || options.isFaultOfOneItem(error))) lane.waiting.unshift(...batch);
      else if (heldUp) lane.stuck.push(...batch);
      else for (const { reject } of batch) reject(error);
      lane.take = 1;
    }
  }

  function lockWaitMs(lane: Lane<T, R>, batch: readonly Held<T, R>[]): number {
    const isAlone = [...lanes.values()].every((each) => each === lane || isEmpty(each));
    return isAlone && (batch.length > 1 || isEmpty(lane)) ? LOCK_WAIT_MS.alone : LOCK_WAIT_MS.shared;
  }

  function refuseOverdue(lane: Lane<T, R>): void {
    const overdueMs = performance.now() - options.heldUpMaxMs;
    const isOverdue = ({ sinceMs }: Held<T, R>) => sinceMs <= overdueMs;
    const overdue = [...lane.waiting, ...lane.stuck].filter(isOverdue);
    if (overdue.length === 0) return;
    lane.waiting = lane.waiting.filter((each) => !isOverdue(each));
    lane.stuck = lane.stuck.filter((each) => !isOverdue(each));
    for (const { reject } of overdue) reject(lane.cause);
  }

  function wake(): void {
    if (working) return;
    working = true;
    setImmediate(() => {
      work().finally(() => {
        working = false;
        if ([...lanes.values()].some((lane) => !isEmpty(lane))) wake();
      });
    });
  }

  return {
    has: (owner) => lanes.has(owner),
    add: (owner, waiting, cause) => {
      const lane = lanes.get(owner) ?? { waiting: [], stuck: [], take: options.itemsMax, cause: undefined };
      if (cause !== undefined) lane.cause = cause;
      lanes.set(owner, lane);
      const sinceMs = performance.now();
      lane.waiting.push(...waiting.map((each) => ({ ...each, sinceMs })));
      wake();
    },
  };
}

function isEmpty({ waiting, stuck }: Lane<unknown, never>): boolean {
  return waiting.length === 0 && stuck.length === 0;
}
