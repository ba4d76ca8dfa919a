import type { Socket } from "node:net";
import pg from "pg";
import type { PostgresUrl, ServerPlace, WantedRole } from "./postgres-url.ts";

/** The servers that a URL lists. Each new connection goes to the first of them that answers and has the wanted role. */
export type Servers = {
  /** All attempts together end within the limit. */
  readonly connect: (settings: pg.ClientConfig, limitMs: number) => Promise<pg.Client>;
};

const SILENT = "ETIMEDOUT";
/** No server of the list can be used now. A code of its own, because each of them may have failed in another way. */
const NO_SERVER = "08001";

type Attempt = { readonly server: ServerPlace; readonly role: WantedRole };

export function openServers(url: PostgresUrl): Servers {
  /** First the one that was right last, which is asked for its role like any other; last those that were silent. */
  let inOrder = url.servers;
  const others = (than: ServerPlace) => inOrder.filter((server) => server !== than);

  function attempts(): Attempt[] {
    const withRole = (role: WantedRole) => inOrder.map((server) => ({ server, role }));
    return url.role === "prefer-standby" ? [...withRole("standby"), ...withRole("any")] : withRole(url.role);
  }

  return {
    connect: async (settings, limitMs) => {
      const untilMs = performance.now() + limitMs;
      const todo = attempts();
      const failures: { readonly server: ServerPlace; readonly error: Error }[] = [];
      for (const [index, { server, role }] of todo.entries()) {
        // A server that swallows what is sent to it leaves the others their share of the time.
        const shareMs = Math.max(1, (untilMs - performance.now()) / (todo.length - index));
        const withinMs = Math.ceil(Math.min(shareMs, url.connectTimeoutMs ?? shareMs));
        try {
          const client = await connectTo({ ...settings, connectionString: url.urlOf(server) }, role, withinMs);
          inOrder = [server, ...others(server)];
          return client;
        } catch (error) {
          if (!(error instanceof Error) || todo.length === 1 || isFinal(error)) throw error;
          failures.push({ server, error });
          if (error instanceof ConnectFault && error.code === SILENT) inOrder = [...others(server), server];
        }
      }
      throw noServer(url.role, failures);
    },
  };
}

/** One server whose place is known otherwise than by a URL. */
export function openServer(place: pg.ClientConfig): Servers {
  return { connect: (settings, limitMs) => connectTo({ ...settings, ...place }, "any", limitMs) };
}

async function connectTo(config: pg.ClientConfig, role: WantedRole, limitMs: number): Promise<pg.Client> {
  const untilMs = performance.now() + limitMs;
  const client = new pg.Client({ ...config, connectionTimeoutMillis: limitMs });
  // Without a listener, a connection that breaks before it is handed over would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    if (role !== "any") await requireRole(client, role, Math.max(1, untilMs - performance.now()));
    return client;
  } catch (error) {
    cutOff(client);
    throw isTimeout(error) ? new ConnectFault(`no answer within ${Math.round(limitMs)} ms`, SILENT) : error;
  }
}

/** Without a goodbye, for which a server that is frozen would keep us waiting. */
export function cutOff(client: pg.Client): void {
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroy();
}

/** As `pg` and libpq have it: a code by which the kind of fault is known. */
class ConnectFault extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && ["timeout expired", "Query read timeout"].includes(error.message);
}

/** Asked rather than read from what a server reports at the start: a pooler repeats what it was told at its own start. */
const ASK_ROLE = `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

type Standing = { readonly isStandby: boolean; readonly isReadOnly: boolean };

async function requireRole(client: pg.Client, role: WantedRole, limitMs: number): Promise<void> {
  const { rows } = await client.query<Standing>({ text: ASK_ROLE, query_timeout: limitMs } as pg.QueryConfig);
  const refusal = refusalOf(role, rows[0] ?? { isStandby: false, isReadOnly: false });
  if (refusal !== undefined) throw new ConnectFault(refusal, NO_SERVER);
}

/** Why a server is not what is wanted; undefined when it is. */
export function refusalOf(role: WantedRole, { isStandby, isReadOnly }: Standing): string | undefined {
  switch (role) {
    case "read-write":
      return isStandby ? "is a standby" : isReadOnly ? "is read-only" : undefined;
    case "read-only":
      return isStandby || isReadOnly ? undefined : "is read-write";
    case "primary":
      return isStandby ? "is a standby" : undefined;
    case "standby":
      return isStandby ? undefined : "is the primary";
    default:
      return undefined;
  }
}

/** What every server of a cluster says alike: a wrong password, an unknown database, a missing right. */
function isFinal(error: Error): boolean {
  return error instanceof pg.DatabaseError && /^(28|3D|42)/.test(error.code ?? "");
}

function noServer(role: WantedRole, failures: readonly { server: ServerPlace; error: Error }[]): Error {
  const each = failures.map(({ server: { host, port }, error }) => {
    const said = error instanceof AggregateError ? error.errors[0] : error;
    const reason = said instanceof Error && said.message !== "" ? said.message : "no connection";
    return `${host}:${port ?? 5432} ${reason}`;
  });
  const wanted = role === "any" ? "answers" : `is ${role}`;
  return new ConnectFault(`no server of the list ${wanted} (${each.join("; ")})`, NO_SERVER);
}
