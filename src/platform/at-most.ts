/** Runs work as it comes, but only so much of it at once; the rest waits in the order in which it came. */
export function openAtMost(atOnceMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The place goes to the next in line, or is free.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/** Lets so many in at once. Who finds no place waits a little, and is then turned away. */
export type Gate = {
  /** False: there was no place in time. Who was let in must leave. */
  readonly enter: () => Promise<boolean>;
  readonly leave: () => void;
};

export function openGate(placesMax: () => number, waitMs: number): Gate {
  const waiting = new Set<(isIn: boolean) => void>();
  let inside = 0;
  return {
    enter: async () => {
      if (inside < placesMax()) {
        inside += 1;
        return true;
      }
      return new Promise((resolve) => {
        const settle = (isIn: boolean) => {
          clearTimeout(timer);
          waiting.delete(settle);
          resolve(isIn);
        };
        const timer = setTimeout(() => settle(false), waitMs);
        waiting.add(settle);
      });
    },
    leave: () => {
      const [next] = waiting;
      // The place goes to the next in line, unless there are fewer places now.
      if (next !== undefined && inside <= placesMax()) next(true);
      else inside -= 1;
    },
  };
}
