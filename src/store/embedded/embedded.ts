import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { fail, ok, type Result } from "../../core/result.ts";
import { checkPlatform } from "./binaries.ts";
import { SOCKET_PORT } from "./connect.ts";
import { SUPERUSER } from "./data-directory.ts";
import { codeOf, explainErrno, isErrno } from "./faults.ts";
import { type Claim, type Join, join, keepHold } from "./hold.ts";
import { openPlace, type Place } from "./place.ts";
import { ensureRunning, POLL_MS, RECOVERY_LIMIT_MS, type Settings } from "./server.ts";
import { tryStartLock } from "./start-lock.ts";

/** The PostgreSQL that Tillgate brings along, for development. It listens on a Unix socket that only its user can open. */
export type EmbeddedServer = {
  /** For pg, with any database; `postgres` is always there. */
  readonly connection: EmbeddedConnection;
  /** Stops the server if no other process uses it; otherwise only releases it. Idempotent. */
  release(): Promise<void>;
};

export type EmbeddedConnection = { readonly host: string; readonly port: number; readonly user: string };

export type EmbeddedOptions = {
  /** Absolute. */
  readonly stateDir: string;
  /** For postgres -c, if this call is the one that starts it. */
  readonly settings?: Settings;
  /** One service at a time; visitors, such as a command of the CLI, as many as there are. */
  readonly claim: Claim;
};

/** How long another process may take to start the server without a sign of it. */
const OTHERS_START_LIMIT_MS = 60_000;

/** Joins the server that runs on this data, or starts it. The error is one sentence for a person. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Result<EmbeddedServer, string>> {
  const platform = checkPlatform();
  if (!platform.ok) return platform;
  try {
    const place = await openPlace(options.stateDir);
    if (!place.ok) return place;
    const joined = await joinOrStart(place.value, options);
    if (joined.kind !== "joined") return fail(joined.sentence);
    // A service whose server died brings it up again; a visitor is about to leave anyway.
    const joinAgain = (wanted: Claim) =>
      wanted === "service" ? joinOrStart(place.value, options) : join(place.value, wanted);
    const connection = { host: joined.socketDir, port: SOCKET_PORT, user: SUPERUSER };
    return ok({ connection, release: keepHold(place.value, options.claim, joined, joinAgain).release });
  } catch (error) {
    if (!isErrno(error)) throw error;
    return fail(explainErrno(error, options.stateDir));
  }
}

type Settled = Extract<Join, { kind: "joined" | "refused" }>;

/** From the top again until it is settled: a server that is there now may be stopping, and be gone when we ask. */
async function joinOrStart(place: Place, { claim, settings = {} }: EmbeddedOptions): Promise<Settled> {
  const began = performance.now();
  let heard = began;
  for (;;) {
    const answer = await join(place, claim);
    if (answer.kind === "joined" || answer.kind === "refused") return answer;
    if (answer.kind === "busy") heard = performance.now();

    const lock = answer.kind === "down" ? await tryStartLock(place.postgresDir) : undefined;
    if (lock !== undefined) {
      const running = await ensureRunning(place, settings).finally(lock.unlock);
      if (!running.ok) return { kind: "refused", sentence: running.error };
      continue;
    }
    const now = performance.now();
    if (now - heard > OTHERS_START_LIMIT_MS || now - began > RECOVERY_LIMIT_MS) {
      return {
        kind: "refused",
        sentence: `PostgreSQL in ${place.dataDir} does not become ready; see ${place.logFile}.`,
      };
    }
    await sleep(POLL_MS);
  }
}

/** Creates the database if it does not exist. */
export async function ensureDatabase(connection: EmbeddedConnection, name: string): Promise<void> {
  const client = new Client({ ...connection, database: "postgres", ssl: false });
  // Without a listener, a connection that is lost would end the process; the query that fails says enough.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (rowCount !== 0) return;
    // template0, because any connection to template1 would make this fail.
    await client.query(`create database ${client.escapeIdentifier(name)} template template0`);
  } catch (error) {
    if (!ALREADY_EXISTS.includes(codeOf(error) ?? "")) throw error;
  } finally {
    await client.end();
  }
}

/** duplicate_database, or the unique index behind it when two create at the same moment. */
const ALREADY_EXISTS = ["42P04", "23505"];
