/** Callers within `keptMs` of a read share its answer. An answer that failed is not kept: the next caller reads again. */
export function keepFor<T>(keptMs: number, read: () => Promise<T>): () => Promise<T> {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let answer: Promise<T> | undefined;
  return () => {
    const nowMs = performance.now();
    if (answer !== undefined && nowMs - readAtMs < keptMs) return answer;
    readAtMs = nowMs;
    const reading = read();
    answer = reading;
    reading.catch(() => {
      if (answer === reading) answer = undefined;
    });
    return reading;
  };
}
