// The sandbox plays a foreign provider, so its books are on a PostgreSQL of their own: a failover of ours takes nothing from them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { makeOwnDirectory } from "./account.mjs";
import { HOST } from "./ports.mjs";
import { run, start } from "./processes.mjs";
import { until } from "./wait.mjs";

const START_WITHIN_MS = 30_000;
const DATABASE = "tillgate_sandbox";

export async function openProviderDatabase({ directory, account, postgres, port }) {
  const home = join(directory, "provider");
  const data = join(home, "data");
  makeOwnDirectory(home, account);
  await run(
    join(postgres, "initdb"),
    ["-D", data, "-U", "provider", "-A", "trust", "-E", "UTF8", "--locale", "C.UTF-8", "-N"],
    {
      account,
    },
  );
  writeFileSync(join(data, "postgresql.auto.conf"), `port = ${port}\nlisten_addresses = '${HOST}'\n`, { flag: "a" });
  const args = ["-D", data, "-k", home];
  start("provider", join(postgres, "postgres"), args, { account, logFile: join(directory, "provider.log") });
  const urlOf = (database) => `postgresql://provider@${HOST}:${port}/${database}`;
  await until("the provider's database answers", () => query(urlOf("postgres"), "select 1"), START_WITHIN_MS);
  await query(urlOf("postgres"), `create database ${DATABASE}`);
  return { url: urlOf(DATABASE) };
}

/** One statement on a connection of its own. */
export async function query(url, text, values = []) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
