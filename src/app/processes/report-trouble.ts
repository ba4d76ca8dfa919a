import { type Log, reasonOf } from "../../platform/log.ts";
import { warnQuietly } from "../../platform/log-lines/quiet-log.ts";
import { isUnavailable } from "../../store/faults.ts";

/**
 * Logs why something could not be done. A database that is away is an outage, which passes: a warning, said now and then and not
 * for each thing that met it. Everything else is a bug, and logged as an error each time.
 */
export function reportTrouble(
  log: Log,
  error: unknown,
  message: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  const line = { ...fields, reason: reasonOf(error) };
  if (isUnavailable(error)) warnQuietly(log, line, message);
  else log.error(line, message);
}
