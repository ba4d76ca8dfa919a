// What PostgreSQL can do by itself: the SQL of a create, one payment a transaction, by clients that do nothing else.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

const DEBIAN_BINARIES = "/usr/lib/postgresql";
/** Enough that two cores are never idle. */
const CLIENTS = 16;

/** By pgbench where it is installed, else by a loop of node-postgres, which costs more than pgbench does. */
export function openLimit(service, projectIds) {
  const program = findPgbench();
  const sql = createSql(projectIds);
  return program === undefined
    ? { name: "limit (node-postgres)", measure: (seconds) => measureLoop(service.database, sql, seconds) }
    : { name: "limit (pgbench)", measure: (seconds) => measurePgbench(program, service, sql, seconds) };
}

function findPgbench() {
  const places = existsSync(DEBIAN_BINARIES)
    ? readdirSync(DEBIAN_BINARIES)
        .map((version) => join(DEBIAN_BINARIES, version, "bin", "pgbench"))
        .toReversed()
    : [];
  return ["pgbench", ...places].find((program) => spawnSync(program, ["--version"]).status === 0);
}

/** A payment like those that the load sends, in a project of the list; ids of its own making, in the order of time. */
function createSql(projectIds) {
  const list = projectIds.map((id) => `'${id}'`).join(",");
  const request = JSON.stringify({ customer: { id: "customer-7", ip_address: "203.0.113.7" } });
  return `select * from create_payins(
    array[(array[${list}]::uuid[])[1 + floor(random() * ${projectIds.length})]], array[uuidv7()], array['p2p'],
    array['limit-' || uuidv7()], array[sha256('body')], array['card-p2p'], array['RUB'], array[250000::bigint], array[250],
    array[0::bigint], array[6250::bigint], array['customer-7'], array['${request}'::jsonb], array[null::integer],
    array[null::bigint], array[null::integer], array[null::bigint], array[900])`;
}

async function measurePgbench(program, { database, stateDir }, sql, seconds) {
  const script = join(stateDir, "create.sql");
  writeFileSync(script, `${sql.replaceAll("\n", " ")};\n`);
  const { host, port, user, database: name } = database;
  const where = ["-h", host, "-p", String(port), "-U", user, name];
  // The first second, in which each client plans, is left out.
  const args = ["-n", "-M", "prepared", "-c", String(CLIENTS), "-j", "2", "-T", String(seconds + 1), "-P", "1"];
  const output = await run(program, [...args, "-f", script, ...where]);
  const rates = [...output.matchAll(/^progress: .*?, ([0-9.]+) tps/gm)].map((found) => Number(found[1]));
  if (rates.length < 2) throw new Error(`pgbench said:\n${output}`);
  return mean(rates.slice(1));
}

async function run(program, args) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${program}: ${output}`);
  return output;
}

async function measureLoop(database, sql, seconds) {
  const clients = Array.from({ length: CLIENTS }, () => new pg.Client(database));
  await Promise.all(clients.map((client) => client.connect()));
  const countFromMs = performance.now() + 1000;
  const endMs = countFromMs + seconds * 1000;
  let counted = 0;
  const loop = async (client) => {
    while (performance.now() < endMs) {
      await client.query({ name: "create", text: sql });
      if (performance.now() >= countFromMs) counted += 1;
    }
  };
  await Promise.all(clients.map(loop));
  await Promise.all(clients.map((client) => client.end()));
  return counted / seconds;
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
