import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { getNobody, runAs } from "../../store/embedded/account.ts";
import { freePort } from "../http/free-port.ts";
import { dataPlace } from "../run/data-place.ts";

/** A PgBouncer in transaction mode before the tests' PostgreSQL. */
export type TestPooler = {
  readonly port: number;
  /** Lets its connections to the server go, as RECONNECT in its console does. */
  readonly reconnect: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function startPooler(program: string, user: string, settings: readonly string[]): Promise<TestPooler> {
  const postgres = inject("postgres");
  const directory = mkdtempSync(join(dataPlace(), "pooler-"));
  chmodSync(directory, 0o755);
  const port = await freePort();
  writeFileSync(join(directory, "users"), `"${user}" ""\n`);
  writeFileSync(
    join(directory, "pgbouncer.ini"),
    `[databases]
* = host=${postgres.host} port=${postgres.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(directory, "users")}
admin_users = ${user}
pool_mode = transaction
default_pool_size = 4
${settings.join("\n")}
`,
  );
  const nobody = await getNobody();
  if (!nobody.ok) throw new Error(nobody.error);
  const child = spawn(program, [join(directory, "pgbouncer.ini")], { ...runAs(nobody.value), stdio: "ignore" });
  await answers(child, port, user);
  return {
    port,
    reconnect: () => askConsole(port, user, "reconnect"),
    close: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
const ANSWER_TRIES_MAX = 200;

async function answers(child: ChildProcess, port: number, user: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await askConsole(port, user, "show version");
    } catch (error) {
      if (tries === ANSWER_TRIES_MAX || child.exitCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function askConsole(port: number, user: string, text: string): Promise<void> {
  const client = new pg.Client({ host: "127.0.0.1", port, user, database: "pgbouncer", ssl: false });
  client.on("error", () => undefined);
  await client.connect();
  await client.query(text);
  await client.end();
}
