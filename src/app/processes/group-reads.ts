/** With one alone the callers idle while its answer travels. Four were measured to be no better than two. */
const CONCURRENT_READS = 2;

/**
 * Answers many readers with one statement. While a statement runs, the next one's readers gather; so under load the
 * database sees few statements, and a single reader does not wait. A reader is only ever answered by a statement that
 * began after it asked: grouped, never cached.
 */
export function groupReads<K, V>(
  load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  concurrentMax = CONCURRENT_READS,
): (key: K) => Promise<V | undefined> {
  let gathered: Reader<K, V>[] = [];
  let isGathering = false;
  let running = 0;
  const waiting: (() => void)[] = [];

  async function gather(): Promise<void> {
    if (running >= concurrentMax) await new Promise<void>((resolve) => waiting.push(resolve));
    // Those who ask in the same turn of the event loop come along.
    else await new Promise<void>((resolve) => setImmediate(resolve));
    const readers = gathered;
    gathered = [];
    isGathering = false;
    running += 1;
    try {
      const found = await load([...new Set(readers.map(({ key }) => key))]);
      for (const { key, resolve } of readers) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of readers) reject(error);
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      gathered.push({ key, resolve, reject });
      if (isGathering) return;
      isGathering = true;
      void gather();
    });
}

type Reader<K, V> = {
  readonly key: K;
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
};
