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
  type Group = { readonly keys: Set<K>; readonly answer: Promise<ReadonlyMap<K, V>> };
  let gathering: Group | undefined;
  let running = 0;
  const waiting: (() => void)[] = [];

  function open(): Group {
    const keys = new Set<K>();
    const answer = start(keys);
    return { keys, answer };
  }

  async function start(keys: Set<K>): Promise<ReadonlyMap<K, V>> {
    if (running >= concurrentMax) await new Promise<void>((resolve) => waiting.push(resolve));
    // Those who ask in the same turn of the event loop come along.
    else await new Promise<void>((resolve) => setImmediate(resolve));
    running += 1;
    gathering = undefined;
    try {
      return await load([...keys]);
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  }

  return async (key) => {
    gathering ??= open();
    gathering.keys.add(key);
    return (await gathering.answer).get(key);
  };
}
