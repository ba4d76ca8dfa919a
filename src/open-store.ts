import type { Config } from "./config.ts";
import { fail, ok, type Result } from "./core/result.ts";
import type { Log } from "./platform/log.ts";
import type { SandboxConnection } from "./sandbox/database.ts";
import { examineDatabase } from "./store/connection/examine.ts";
import type { DatabaseOptions } from "./store/connection/settings.ts";
import { waitForDatabase } from "./store/connection/wait.ts";
import { type Database, openDatabase } from "./store/db.ts";
import { type EmbeddedServer, ensureDatabase, openEmbedded } from "./store/embedded/embedded.ts";
import { DISK_FULL } from "./store/faults.ts";

/** The configured database, or the embedded one; closing it lets go of both. */
export type OpenStore = {
  readonly db: Database;
  /** The same past a pooler, for what takes long or is no transaction, such as migrations. */
  readonly direct: Database;
  /** Makes and names the sandbox's own database, which no other part uses; undefined where there is none. */
  readonly openSandboxDatabase: () => Promise<SandboxConnection | undefined>;
  readonly close: () => Promise<void>;
};

const EMBEDDED_DATABASE = "tillgate";
const EMBEDDED_SANDBOX_DATABASE = "tillgate_sandbox";

/**
 * The error is one sentence for a person, without a password in it. A service waits for a database that is away until `stop`;
 * a command does not, and connects past a pooler.
 */
export async function openStore(
  config: Config,
  claim: "service" | "visitor",
  log: Pick<Log, "warn">,
  stop: AbortSignal = new AbortController().signal,
): Promise<Result<OpenStore, string>> {
  const shared = {
    connectionsMax: config.databaseConnectionsMax,
    applicationName: `tillgate ${claim}`,
    onIdleError: (error: Error) => log.warn({ reason: error.message }, "a database connection was lost"),
  };
  const { databaseUrl: url, databaseDirectUrl: directUrl } = config;
  if (url !== undefined) {
    const isService = claim === "service";
    const options = { ...shared, connection: isService ? { url, directUrl } : { url: directUrl ?? url } };
    const fault = isService ? await faultAfterWaiting(options, log, stop) : undefined;
    return fault === undefined ? openAtUrl(config, options) : fail(fault);
  }
  const embedded = await openEmbedded({ stateDir: config.stateDir, claim });
  return embedded.ok ? openOnEmbedded(embedded.value, shared) : embedded;
}

const NO_ANSWER = "The database at DATABASE_URL does not answer";

async function faultAfterWaiting(
  options: DatabaseOptions,
  log: Pick<Log, "warn">,
  stop: AbortSignal,
): Promise<string | undefined> {
  try {
    const found = await waitForDatabase(() => examineDatabase(options), { log, reasonOf }, stop);
    if (found === "stopped") return "Stopped while waiting for the database.";
    return found.ok ? undefined : found.error;
  } catch (error) {
    return `${NO_ANSWER}: ${reasonOf(error)}`;
  }
}

/** Migrations go one after the other. */
const DIRECT_CONNECTIONS_MAX = 2;

function openAtUrl(config: Config, options: DatabaseOptions): Promise<Result<OpenStore, string>> {
  const { databaseDirectUrl, sandboxDatabaseUrl } = config;
  const db = openDatabase(options);
  const direct =
    databaseDirectUrl === undefined
      ? db
      : openDatabase({ ...options, connection: { url: databaseDirectUrl }, connectionsMax: DIRECT_CONNECTIONS_MAX });
  return answersOrSays(NO_ANSWER, {
    ...{ db, direct },
    openSandboxDatabase: async () =>
      sandboxDatabaseUrl === undefined ? undefined : { connectionString: sandboxDatabaseUrl.reveal() },
    close: async () => {
      await db.close();
      if (direct !== db) await direct.close();
    },
  });
}

/** Few people read reports at the same time, and each question of theirs is a heavy one. */
const REPORTS_CONNECTIONS_MAX = 4;

/** Where the lists of the account are read: the read replica where there is one. */
export function openReportsDatabase(
  { readDatabaseUrl }: Pick<Config, "readDatabaseUrl">,
  db: Database,
  log: Pick<Log, "warn">,
  closers: (() => Promise<unknown>)[],
): Database {
  if (readDatabaseUrl === undefined) return db;
  const replica = openDatabase({
    connection: { url: readDatabaseUrl },
    connectionsMax: REPORTS_CONNECTIONS_MAX,
    applicationName: "tillgate reports",
    onIdleError: (error) => log.warn({ reason: error.message }, "a connection to the read replica was lost"),
  });
  closers.push(replica.close);
  return replica;
}

async function openOnEmbedded(
  embedded: EmbeddedServer,
  shared: Omit<Parameters<typeof openDatabase>[0], "connection">,
): Promise<Result<OpenStore, string>> {
  const connection = { ...embedded.connection, database: EMBEDDED_DATABASE };
  const db = openDatabase({ ...shared, connection });
  const close = async () => {
    await db.close();
    await embedded.release();
  };
  try {
    await ensureDatabase(embedded.connection, EMBEDDED_DATABASE);
  } catch (error) {
    await close();
    return fail(`The embedded database could not be made: ${reasonOf(error)}`);
  }
  const openSandboxDatabase = async () => {
    await ensureDatabase(embedded.connection, EMBEDDED_SANDBOX_DATABASE);
    return { ...embedded.connection, database: EMBEDDED_SANDBOX_DATABASE };
  };
  return answersOrSays("The embedded database does not answer", { db, direct: db, openSandboxDatabase, close });
}

async function answersOrSays(failure: string, store: OpenStore): Promise<Result<OpenStore, string>> {
  try {
    await store.db.run({ text: "select 1" });
    return ok(store);
  } catch (error) {
    await store.close();
    return fail(`${failure}: ${reasonOf(error)}`);
  }
}

/** What went wrong, for a person. Connecting to a name with several addresses fails with a list of errors. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return "unknown";
  if ("code" in error && (error.code === DISK_FULL || error.code === "ENOSPC")) return "the disk is full";
  return error.message === "" && "code" in error ? String(error.code) : error.message;
}
