/**
 * Commits things that arrive together in one transaction. While a batch is being written the next one gathers, so under
 * load the database sees few, large commits, and a lone caller waits for nobody.
 */
export type GroupCommit<T, R> = (item: T) => Promise<R>;

export type GroupCommitOptions<T, R> = {
  /** Writes all of them or none. Answers one result for each item, in their order. */
  readonly write: (items: readonly T[]) => Promise<readonly R[]>;
  /**
   * Whether an error may be the fault of one item, such as a broken constraint. Then each item is written by itself, so
   * that a bad one fails alone. An error of the connection is nobody's fault, and its outcome is unknown: it is not
   * tried again here.
   */
  readonly isFaultOfOneItem: (error: unknown) => boolean;
  readonly itemsMax: number;
  readonly writersMax: number;
};

type Waiting<T, R> = {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
};

export function openGroupCommit<T, R>(options: GroupCommitOptions<T, R>): GroupCommit<T, R> {
  const queue: Waiting<T, R>[] = [];
  let writers = 0;

  async function writeBatches(): Promise<void> {
    for (;;) {
      const batch = queue.splice(0, options.itemsMax);
      if (batch.length === 0) return;
      await settle(batch);
    }
  }

  async function settle(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await options.write(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error("a batch must answer one result for each item");
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R);
    } catch (error) {
      const alone = batch.length === 1 || !options.isFaultOfOneItem(error);
      if (alone) for (const { reject } of batch) reject(error);
      else for (const each of batch) await settle([each]);
    }
  }

  function wake(): void {
    if (writers >= options.writersMax) return;
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
      queue.push({ item, resolve, reject });
      wake();
    });
}
