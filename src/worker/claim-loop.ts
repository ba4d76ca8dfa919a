import type { Log } from "../platform/log.ts";
import { warnOfError } from "../platform/log-lines/quiet-log.ts";
import { openSleeper } from "./sleeper.ts";

/** Claims payments when they are due: woken by news, by the due times that it knows, and by a slow poll as the safety net. */
export type ClaimLoop = {
  /** There is news. */
  readonly wake: () => void;
  /** A payment is due in so long: then the loop need not ask the database for it. */
  readonly plan: (inMs: number | undefined) => void;
  /** A place became free. */
  readonly onPlace: () => void;
  readonly stop: () => Promise<void>;
};

export type ClaimLoopDeps = {
  readonly log: Log;
  readonly claim: () => Promise<Claimed>;
  /** How long until the next payment is due; undefined: none will be by itself. */
  readonly findNextDueMs: () => Promise<number | undefined>;
};

type Claimed = {
  readonly count: number;
  /** There may be more that is due than there are places. */
  readonly isFull: boolean;
};

/** The safety net, where a notification was lost. */
const POLL_EVERY_MS = 5_000;
/** After the database did not answer. */
const PAUSE_AFTER_ERROR_MS = 1_000;
/** Looks that are due within so long of each other are claimed together. */
const LOOKS_TOGETHER_MS = 20;
/** While there is work: payments that become due meanwhile are claimed together. A lone one does not wait. */
const CLAIMS_APART_MS = 10;

export function startClaimLoop(deps: ClaimLoopDeps): ClaimLoop {
  const sleeper = openSleeper();
  /** When the next payment is due, as far as this worker knows. */
  let nextDueAtMs = 0;
  /** The time that it knew has come: it must ask for the next. */
  let mustAsk = true;
  let isFull = false;
  let stopping = false;

  function plan(inMs: number | undefined): void {
    if (inMs === undefined) return;
    const apartMs = Math.max(inMs, LOOKS_TOGETHER_MS);
    nextDueAtMs = Math.min(nextDueAtMs, performance.now() + apartMs);
    sleeper.within(apartMs);
  }

  async function claim(): Promise<number> {
    if (performance.now() >= nextDueAtMs) {
      mustAsk = true;
      nextDueAtMs = performance.now() + POLL_EVERY_MS;
    }
    const claimed = await deps.claim();
    isFull = claimed.isFull;
    if (mustAsk && !isFull) {
      plan(await deps.findNextDueMs());
      mustAsk = false;
    }
    return claimed.count;
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      sleeper.arm();
      try {
        const count = await claim();
        await sleeper.sleep(nextDueAtMs - performance.now(), count > 0 ? CLAIMS_APART_MS : 0);
      } catch (error) {
        warnOfError(deps.log, error, "the worker could not take work");
        sleeper.arm();
        await sleeper.sleep(PAUSE_AFTER_ERROR_MS);
      }
    }
  }

  const looping = loop();
  return {
    wake: sleeper.wake,
    plan,
    onPlace: () => {
      if (isFull) sleeper.wake();
    },
    stop: async () => {
      stopping = true;
      sleeper.wake();
      await looping;
    },
  };
}
