/** So many are being written: more will come along at once. With fewer, none waits. */
export const BUSY_FROM = 8;
const LINGER_MS = 5;
/** So many are worth a statement of their own. */
const ENOUGH = 200;

/**
 * Lets things wait a few milliseconds for company while many are being written, so that they are written together. While little
 * goes on, each goes through at once.
 */
export function openLinger<T>(write: (item: T) => Promise<void>): (item: T) => Promise<void> {
  let writing = 0;
  let held: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;

  function pass(): void {
    clearTimeout(timer);
    timer = undefined;
    const passing = held;
    held = [];
    for (const go of passing) go();
  }

  function wait(): Promise<void> {
    return new Promise((resolve) => {
      held.push(resolve);
      if (held.length >= ENOUGH) pass();
      else timer ??= setTimeout(pass, LINGER_MS);
    });
  }

  return async (item) => {
    if (writing >= BUSY_FROM) await wait();
    writing += 1;
    try {
      await write(item);
    } finally {
      writing -= 1;
    }
  };
}
