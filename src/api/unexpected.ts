import { isUnavailable } from "../app/processes/readiness.ts";
import { type Fault, fault } from "../core/errors.ts";
import type { Log } from "../platform/log.ts";
import { warnQuietly } from "../platform/log-lines/quiet-log.ts";

/** Unexpected errors: logged here, and answered without any details. */
export function noteUnexpected(request_id: string, log: Log, error: Error): Fault {
  if (isUnavailable(error)) {
    warnQuietly(log, { request_id, reason: error.message }, "the database does not answer");
    return { ...fault("unavailable", "try again with the same body"), retryAfterS: 1 };
  }
  log.error({ request_id, err: { type: error.name, message: error.message, stack: error.stack } }, "a bug");
  return fault("internal_error", "something went wrong here; the outcome is unknown");
}
