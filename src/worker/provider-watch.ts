import type { Directory } from "../app/merchants/directory.ts";
import { readProviderBalances, readProviderBanks } from "../app/providers/read-books.ts";
import type { Connector, ProviderBooks } from "../core/connector.ts";
import { type Log, reasonOf } from "../platform/log.ts";
import { warnOfError, warnQuietly } from "../platform/log-lines/quiet-log.ts";
import type { Database } from "../store/db.ts";
import { claimReading } from "../store/providers/provider-readings.ts";
import { openSleeper } from "./sleeper.ts";

/** Reads what configured providers hold for us, and which banks they know. Of all processes one asks at a time. */
export type ProviderWatch = { readonly stop: () => Promise<void> };

type Watched = Pick<Directory, "configuredProviders">;

export type ProviderWatchDeps = {
  readonly db: Database;
  readonly log: Log;
  readonly currentDirectory: () => Watched | Promise<Watched>;
  readonly findConnector: (code: string) => Connector | undefined;
  /** From 0 to 1, so that installations do not ask one gateway in the same second. */
  readonly chance?: () => number;
};

const BALANCES_EVERY_S = 60;
const BANKS_EVERY_S = 3_600;
/** A reading comes up to this share later than it could. */
const JITTER = 0.1;
const LOOK_EVERY_MS = 5_000;

export function startProviderWatch(deps: ProviderWatchDeps): ProviderWatch {
  const sleeper = openSleeper();
  const underWay = new Map<string, Promise<void>>();
  let stopping = false;

  /** A provider that hangs delays no other, and is not asked again meanwhile. */
  function begin(code: string, books: ProviderBooks): void {
    if (underWay.has(code)) return;
    const reading = readWhatIsDue(deps, code, books)
      .catch((error) =>
        warnQuietly(deps.log, { provider: code, reason: reasonOf(error) }, "a provider could not be watched"),
      )
      .finally(() => underWay.delete(code));
    underWay.set(code, reading);
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      sleeper.arm();
      try {
        for (const { code } of (await deps.currentDirectory()).configuredProviders) {
          const books = deps.findConnector(code)?.books;
          if (books !== undefined) begin(code, books);
        }
      } catch (error) {
        warnOfError(deps.log, error, "providers could not be watched");
        sleeper.arm();
      }
      await sleeper.sleep(LOOK_EVERY_MS);
    }
  }

  const looping = loop();
  return {
    stop: async () => {
      stopping = true;
      sleeper.wake();
      await looping;
      await Promise.all(underWay.values());
    },
  };
}

/** What of it is due, if no other process reads it. */
async function readWhatIsDue(
  deps: Pick<ProviderWatchDeps, "db" | "log" | "chance">,
  code: string,
  books: ProviderBooks,
): Promise<void> {
  const { db, chance = Math.random } = deps;
  const later = (everyS: number) => everyS * (1 + JITTER * chance());
  if (await claimReading(db, { provider: code, what: "balances", everyS: later(BALANCES_EVERY_S) })) {
    await readProviderBalances(deps, code, books);
  }
  if (await claimReading(db, { provider: code, what: "banks", everyS: later(BANKS_EVERY_S) })) {
    await readProviderBanks(deps, code, books);
  }
}
