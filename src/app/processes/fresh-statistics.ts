import type { Log } from "../../platform/log.ts";
import { warnOfError } from "../../platform/log-lines/quiet-log.ts";
import type { Database } from "../../store/db.ts";
import { gatherStatistics, listOutgrownTables } from "../../store/processes/statistics.ts";

/**
 * Keeps the plans of a new installation right. PostgreSQL plans a statement once for each connection, for tables as large
 * as they are then, and again when it has gathered statistics. It does so by itself, but looks only once a minute. Until
 * then a busy new installation works with plans for empty tables: the check that a line of history has its payment goes
 * through all payments of the project, and after 20,000 of them a create took PostgreSQL 320 µs instead of 70.
 */
export type FreshStatistics = { readonly close: () => Promise<void> };

const LOOK_EVERY_MS = 1_000;

export function keepStatisticsFresh({ db, log }: { readonly db: Database; readonly log: Log }): FreshStatistics {
  let looking: Promise<unknown> | undefined;

  function look(): void {
    looking ??= refreshStatistics(db)
      .catch((error) => warnOfError(log, error, "statistics could not be gathered"))
      .finally(() => {
        looking = undefined;
      });
  }

  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}

/** Answers which tables it was done for. */
export async function refreshStatistics(db: Database): Promise<readonly string[]> {
  const tables = await listOutgrownTables(db);
  if (tables.length > 0) await gatherStatistics(db, tables);
  return tables;
}
