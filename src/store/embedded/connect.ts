import { Client } from "pg";
import { SUPERUSER } from "./data-directory.ts";
import { codeOf, hasCode } from "./faults.ts";
import { findPidFile, isSameRun, type PidFile, parsePidFile } from "./pid-file.ts";
import type { Place } from "./place.ts";
import { isPostgresOn } from "./processes.ts";

/** Names the socket file; no port is opened. */
export const SOCKET_PORT = 5432;
const CONNECT_LIMIT_MS = 5_000;

export type Connected = {
  readonly client: Client;
  readonly socketDir: string;
  readonly pidFile: PidFile;
  /** Settles when the connection is over, for whatever reason. */
  readonly ended: Promise<void>;
};

/** `busy` is a server that says it is starting, stopping or recovering; `silent`, one whose connection breaks or hangs. */
export type Unavailable =
  | { readonly kind: "down" | "busy" | "silent" }
  | { readonly kind: "refused"; readonly sentence: string };

export type Connection = ({ readonly kind: "connected" } & Connected) | Unavailable;

const NOT_ACCEPTING = ["starting", "stopping"];

/** Connects to the server that runs on this place's data, wherever it has put its socket. */
export async function connect(place: Place, applicationName: string): Promise<Connection> {
  const pidFile = await findPidFile(place.dataDir);
  if (pidFile === undefined) return { kind: "down" };
  // Asking a server that has already said no would only fill its log.
  if (NOT_ACCEPTING.includes(pidFile.status) && (await isPostgresOn(pidFile.pid, place.dataDir)))
    return { kind: "busy" };
  // The file's own word comes first, as the temporary directory may differ between two starts. It is wrong after the state
  // directory was moved under a running server.
  let answer: Connection = { kind: "down" };
  for (const socketDir of new Set([pidFile.socketDir, place.socketDir])) {
    if (socketDir === "") continue;
    answer = await connectThrough(socketDir, pidFile, applicationName);
    if (answer.kind !== "down") return answer;
  }
  return answer;
}

async function connectThrough(socketDir: string, pidFile: PidFile, applicationName: string): Promise<Connection> {
  // Every setting that pg would otherwise take from the environment is given here.
  const client = new Client({
    host: socketDir,
    port: SOCKET_PORT,
    user: SUPERUSER,
    database: "postgres",
    ssl: false,
    application_name: applicationName,
    options: "-c statement_timeout=0 -c idle_session_timeout=0",
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
  });
  // Without a listener, a server that goes away would take the process with it.
  client.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => client.once("end", () => resolve()));
  try {
    await client.connect();
    const { rows } = await client.query<{ text: string }>("select pg_read_file('postmaster.pid') as text");
    if (isSameRun(pidFile, parsePidFile(rows[0]?.text ?? "")))
      return { kind: "connected", client, socketDir, pidFile, ended };
    await disconnect(client);
    return { kind: "down" };
  } catch (error) {
    await disconnect(client);
    return explainRefusal(error);
  }
}

export async function disconnect(client: Client): Promise<void> {
  await client.end().catch(() => undefined);
}

/** admin_shutdown, crash_shutdown, cannot_connect_now. */
const PASSING_STATES = ["57P01", "57P02", "57P03"];

export function explainRefusal(error: unknown): Unavailable {
  if (hasCode(error, "ENOENT", "ENOTDIR", "ECONNREFUSED", "ENOTSOCK")) return { kind: "down" };
  if (hasCode(error, ...PASSING_STATES)) return { kind: "busy" };
  // pg gives a connection that broke or timed out no code.
  if (codeOf(error) === undefined || hasCode(error, "ECONNRESET", "EPIPE", "EAGAIN")) return { kind: "silent" };
  return { kind: "refused", sentence: `The embedded PostgreSQL refuses the connection: ${String(error)}.` };
}
