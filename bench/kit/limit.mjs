// What the machine can do by itself: a bare transaction of a payment by pgbench, on a server like the service's.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { withDatabase } from "./projects.mjs";

const DEBIAN_BINARIES = "/usr/lib/postgresql";
const CLIENTS = 8;
const DATABASE = "bench_limit";
const SCHEMA = readFileSync(new URL("bare-transaction.sql", import.meta.url), "utf8");
/** The first second, in which each client plans, is left out. */
const WARMUP_S = 1;

/** Each service's own server has it once. By pgbench where it is installed, else by a loop of node-postgres. */
export async function openLimit(service) {
  const database = { ...service.database, database: DATABASE };
  await withDatabase(service.database, (client) => client.query(`create database ${DATABASE}`));
  await withDatabase(database, async (client) => {
    await client.query(SCHEMA);
    await client.query("vacuum analyze");
  });
  const program = findPgbench();
  return program === undefined
    ? { name: "bare transaction (node-postgres)", measure: (seconds) => measureLoop(database, seconds) }
    : {
        name: "bare transaction (pgbench)",
        measure: (seconds) => measurePgbench(program, { database, stateDir: service.stateDir }, seconds),
      };
}

function findPgbench() {
  const places = existsSync(DEBIAN_BINARIES)
    ? readdirSync(DEBIAN_BINARIES)
        .map((version) => join(DEBIAN_BINARIES, version, "bin", "pgbench"))
        .toReversed()
    : [];
  return ["pgbench", ...places].find((program) => spawnSync(program, ["--version"]).status === 0);
}

const SCRIPT = `\\set payer random(1, 10000)
\\set shop random(10001, 20000)
select pay(:payer, :shop, 250000);
`;

async function measurePgbench(program, { database, stateDir }, seconds) {
  const script = join(stateDir, "pay.sql");
  writeFileSync(script, SCRIPT);
  const { host, port, user, database: name } = database;
  const where = ["-h", host, "-p", String(port), "-U", user, name];
  const args = ["-n", "-M", "prepared", "-c", String(CLIENTS), "-j", "1", "-T", String(seconds + WARMUP_S), "-P", "1"];
  const output = await run(program, [...args, "-f", script, ...where]);
  const rates = [...output.matchAll(/^progress: .*?, ([0-9.]+) tps/gm)].map((found) => Number(found[1]));
  if (rates.length <= WARMUP_S) throw new Error(`pgbench said:\n${output}`);
  return mean(rates.slice(WARMUP_S));
}

async function run(program, args) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${program}: ${output}`);
  return output;
}

async function measureLoop(database, seconds) {
  const clients = Array.from({ length: CLIENTS }, () => new pg.Client(database));
  await Promise.all(clients.map((client) => client.connect()));
  const countFromMs = performance.now() + WARMUP_S * 1000;
  const endMs = countFromMs + seconds * 1000;
  let counted = 0;
  const loop = async (client) => {
    while (performance.now() < endMs) {
      const [payer, shop] = [randomTo(10_000), 10_000 + randomTo(10_000)];
      await client.query({ name: "pay", text: "select pay($1, $2, 250000)", values: [payer, shop] });
      if (performance.now() >= countFromMs) counted += 1;
    }
  };
  await Promise.all(clients.map(loop));
  await Promise.all(clients.map((client) => client.end()));
  return counted / seconds;
}

function randomTo(max) {
  return 1 + Math.floor(Math.random() * max);
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
