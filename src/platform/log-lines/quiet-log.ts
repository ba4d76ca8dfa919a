import { type Log, reasonOf } from "../log.ts";

/** One line for the first time, and then one for all that happened within this time. */
const SAID_EVERY_MS = 5_000;

type Fields = Readonly<Record<string, unknown>>;
type Repeats = { times: number; last: Fields };

const repeatsOf = new WeakMap<object, Map<string, Repeats>>();

/**
 * A warning that a lasting cause repeats, such as a database that is away: hundreds of requests meet it, and each of them has
 * nothing new to say. The first one is logged at once, the later ones together every few seconds, as `times` and with the
 * fields of the last one. `message` is the kind, so it has no part that changes.
 */
export function warnQuietly(log: Pick<Log, "warn">, fields: Fields, message: string): void {
  const kinds = repeatsOf.get(log) ?? new Map<string, Repeats>();
  repeatsOf.set(log, kinds);
  const repeats = kinds.get(message);
  if (repeats !== undefined) {
    repeats.times += 1;
    repeats.last = fields;
    return;
  }
  log.warn(fields, message);
  const begun: Repeats = { times: 0, last: fields };
  kinds.set(message, begun);
  const timer = setInterval(() => {
    if (begun.times === 0) {
      clearInterval(timer);
      kinds.delete(message);
      return;
    }
    log.warn({ ...begun.last, times: begun.times }, message);
    begun.times = 0;
  }, SAID_EVERY_MS);
  timer.unref();
}

/** The same for an error: only its reason is said. */
export function warnOfError(log: Pick<Log, "warn">, error: unknown, message: string): void {
  warnQuietly(log, { reason: reasonOf(error) }, message);
}
