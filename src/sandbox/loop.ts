import type { Log } from "../platform/log.ts";

/** Does what is due, then sleeps until the next row is due or a caller wakes it. The rows remember; this does not. */
export type Loop = { readonly wake: () => void; readonly close: () => Promise<void> };

/** Below the two seconds that everything takes at least, so that a new row need not wake the loop to be on time. */
const IDLE_MS = 1_000;
const AFTER_FAILURE_MS = 1_000;

/** A pass answers in how many milliseconds the next row is due, if it knows of one. */
export function openLoop(log: Log, pass: () => Promise<number | undefined>): Loop {
  let closed = false;
  let woken = false;
  let stopSleeping = (): void => undefined;

  async function sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      stopSleeping = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    stopSleeping = () => undefined;
  }

  async function passSafely(): Promise<number> {
    try {
      const nextMs = (await pass()) ?? IDLE_MS;
      return Math.min(Math.max(Math.ceil(nextMs), 0), IDLE_MS);
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.message : "" }, "the sandbox could not do what is due");
      return AFTER_FAILURE_MS;
    }
  }

  async function run(): Promise<void> {
    while (!closed) {
      woken = false;
      const waitMs = await passSafely();
      if (!woken && !closed) await sleep(waitMs);
    }
  }

  const running = run();
  return {
    wake: () => {
      woken = true;
      stopSleeping();
    },
    close: async () => {
      closed = true;
      stopSleeping();
      await running;
    },
  };
}
