// PgBouncer in transaction mode, between the service and HAProxy's primary.
import { chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeOwnDirectory } from "./account.mjs";
import { fillDeployFile } from "./fill-template.mjs";
import { HOST } from "./ports.mjs";
import { start } from "./processes.mjs";
import { query } from "./provider-database.mjs";
import { until } from "./wait.mjs";

const START_WITHIN_MS = 20_000;

export async function openPgbouncer({ directory, account, program, port, primaryPort, user, password, database }) {
  const home = join(directory, "pgbouncer");
  makeOwnDirectory(home, account);
  const [config, authFile] = [join(home, "pgbouncer.ini"), join(home, "users.txt")];
  writeFileSync(authFile, `"${user}" "${password}"\n`, { mode: 0o600 });
  const values = { DATABASE: database, PRIMARY_HOST: HOST, PRIMARY_PORT: primaryPort, LISTEN_HOST: HOST };
  fillDeployFile("pgbouncer/pgbouncer.ini", { ...values, LISTEN_PORT: port, AUTH_FILE: authFile }, config);
  if (account.uid !== undefined) for (const file of [config, authFile]) chownSync(file, account.uid, account.gid);
  let process;
  const url = `postgresql://${user}:${password}@${HOST}:${port}/${database}`;
  const pgbouncer = {
    url,
    start: async () => {
      process = start("pgbouncer", program, [config], { account, logFile: join(directory, "pgbouncer.log") });
      await until("PgBouncer answers", () => query(url, "select 1"), START_WITHIN_MS);
    },
    kill: () => process.end("SIGKILL"),
    stop: () => process.end("SIGINT"),
  };
  await pgbouncer.start();
  return pgbouncer;
}
