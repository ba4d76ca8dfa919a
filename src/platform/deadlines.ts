/** The time of a request is over. What it began may still be done: the outcome is unknown, and the caller asks again. */
export class OutOfTime extends Error {
  constructor() {
    super("the request took too long");
  }
}

/**
 * Answers with the work, or with `late` once the time is over. The work goes on, and its result is not used. A timer for each: Node
 * keeps those of one length in one list, and one costs 0.7 µs.
 */
export function within<T>(work: Promise<T>, limitMs: number, late: () => T): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let isDone = false;
    const timer = setTimeout(afterAnswers, limitMs, () => {
      if (!isDone) resolve(late());
    });
    const end = () => {
      isDone = true;
      clearTimeout(timer);
    };
    work.then(
      (result) => {
        end();
        resolve(result);
      },
      (error) => {
        end();
        reject(error);
      },
    );
  });
}

/** One limit over everything that a request waits for, however many waits there are. */
export type Deadline = {
  /** While we wait for the caller, as for the rest of its body, its time stands still. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly end: () => void;
};

/** It keeps no process running: a caller whose connection was cut never ends its request, and a service that stops does not wait for it. */
export function beginDeadline(limitMs: number, expire: () => void): Deadline {
  let dueMs = performance.now() + limitMs;
  let pausedMs: number | undefined;
  let timer: NodeJS.Timeout | undefined = setTimeout(afterAnswers, limitMs, look).unref();

  /** While we wait for the caller there is no timer: one who has gone never sends the rest. */
  function look(): void {
    timer = undefined;
    if (pausedMs === undefined) expireOrWait();
  }

  function expireOrWait(): void {
    const leftMs = dueMs - performance.now();
    if (leftMs <= 0) expire();
    else timer = setTimeout(afterAnswers, leftMs, look).unref();
  }

  return {
    pause: () => {
      pausedMs = performance.now();
    },
    resume: () => {
      if (pausedMs !== undefined) dueMs += performance.now() - pausedMs;
      pausedMs = undefined;
      if (timer === undefined) expireOrWait();
    },
    end: () => clearTimeout(timer),
  };
}

/** Where the process itself stood still, the answer may have arrived and not been read yet: it has its turn first. */
export function afterAnswers(expire: () => void): void {
  setImmediate(expire);
}
