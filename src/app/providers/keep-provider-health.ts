import type { Id } from "../../core/ids.ts";
import type { Log } from "../../platform/log.ts";
import { warnOfError } from "../../platform/log-lines/quiet-log.ts";
import type { Database } from "../../store/db.ts";
import { saveProviderHealth } from "../../store/providers/provider-health.ts";
import type { HealthFigures, ProviderHealth } from "./health-window.ts";

const WRITE_EVERY_MS = 5_000;

/** Shows to operators and to other processes what this one sees of its providers, where that has changed. */
export function keepProviderHealth(deps: {
  readonly db: Database;
  readonly log: Log;
  readonly processId: Id;
  readonly health: ProviderHealth;
}): { readonly write: () => Promise<void>; readonly close: () => Promise<void> } {
  const { db, log, processId, health } = deps;
  const written = new Map<string, string>();

  async function write(): Promise<void> {
    const changed = health.list().filter((seen) => written.get(seen.provider) !== wordsOf(seen));
    if (changed.length === 0) return;
    try {
      await saveProviderHealth(
        db,
        changed.map((seen) => ({ ...seen, processId })),
      );
      for (const seen of changed) written.set(seen.provider, wordsOf(seen));
    } catch (error) {
      warnOfError(log, error, "what was seen of providers could not be written");
    }
  }

  const timer = setInterval(write, WRITE_EVERY_MS);
  timer.unref();
  return {
    write,
    close: async () => {
      clearInterval(timer);
    },
  };
}

function wordsOf({ state, since, calls, refused, lost, p50Ms, p95Ms }: HealthFigures): string {
  return [state, since.getTime(), calls, refused, lost, p50Ms, p95Ms].join(" ");
}
