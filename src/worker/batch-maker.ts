import { type MakeDeps, makeSomePayouts } from "../app/payout-batches/make-batches.ts";
import { warnOfError } from "../platform/log-lines/quiet-log.ts";
import { openSleeper } from "./sleeper.ts";

/** Makes payouts of the batches that people confirmed, until none is left; then it looks again now and then. */
export type BatchMaker = {
  /** A batch was confirmed just now. */
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
};

/** Where another process confirmed it. A person waits for it, and one look at an index of few rows costs little. */
const LOOK_EVERY_MS = 1_000;

export function startBatchMaker(deps: MakeDeps): BatchMaker {
  const sleeper = openSleeper();
  let stopping = false;

  async function loop(): Promise<void> {
    while (!stopping) {
      sleeper.arm();
      try {
        if (await makeSomePayouts(deps)) continue;
      } catch (error) {
        warnOfError(deps.log, error, "batches could not be worked on");
        sleeper.arm();
      }
      await sleeper.sleep(LOOK_EVERY_MS);
    }
  }

  const looping = loop();
  return {
    wake: sleeper.wake,
    stop: async () => {
      stopping = true;
      sleeper.wake();
      await looping;
    },
  };
}
