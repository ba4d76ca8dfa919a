import { setTimeout as sleep } from "node:timers/promises";
import type { Result } from "../../core/result.ts";
import type { Log } from "../../platform/log.ts";
import { isUnavailable } from "../faults.ts";

const ASK_EVERY_MS = 1_000;
const SAY_EVERY_MS = 30_000;

/**
 * Asks until the database takes writes, and says now and then why it still waits. What waiting cannot fix ends it at once: an answer
 * that is an error, or an exception such as a wrong password.
 */
export async function waitForDatabase(
  examine: () => Promise<Result<"ready" | "standby", string>>,
  { log, reasonOf }: { readonly log: Pick<Log, "warn">; readonly reasonOf: (error: unknown) => string },
  stop: AbortSignal,
): Promise<Result<"ready", string> | "stopped"> {
  let saidMs = Number.NEGATIVE_INFINITY;
  while (!stop.aborted) {
    const answer = await examine().catch((error: unknown) => {
      if (isUnavailable(error)) return reasonOf(error);
      throw error;
    });
    if (typeof answer !== "string" && (!answer.ok || answer.value === "ready"))
      return answer as Result<"ready", string>;
    const reason = typeof answer === "string" ? answer : "it is a standby, which takes no writes";
    if (performance.now() - saidMs >= SAY_EVERY_MS) {
      saidMs = performance.now();
      log.warn({ reason }, "waiting for the database");
    }
    await sleep(ASK_EVERY_MS, undefined, { signal: stop }).catch(() => undefined);
  }
  return "stopped";
}
