// The whole drill: the cluster, the service and the merchant are started once, then one scenario follows the other.
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { credentialsFromSandboxFile } from "../../sdk/dist/index.js";
import { serverAccount } from "./account.mjs";
import { openCluster } from "./cluster.mjs";
import { filledDeployFile } from "./fill-template.mjs";
import { startFront } from "./front.mjs";
import { startGateway, tillgate } from "./gateway.mjs";
import { openInbox } from "./inbox.mjs";
import { confirmPayin } from "./load.mjs";
import { openMerchant } from "./merchant.mjs";
import { openPgbackrest } from "./pgbackrest.mjs";
import { openPgbouncer } from "./pgbouncer.mjs";
import { freePorts, HOST } from "./ports.mjs";
import { endAll, run } from "./processes.mjs";
import { openProviderDatabase, query } from "./provider-database.mjs";
import { installPatroni } from "./requirements.mjs";
import { newBook, runScenario } from "./run-scenario.mjs";
import { SCENARIOS, SHORT } from "./scenarios.mjs";
import { faultsOf, renderReport, renderResults, writeReport } from "./table.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DATABASE = "tillgate";
const FUNDS_MINOR = "1000000000000";
const RATE_LIMIT = "100000";
const LONG = { steadyMs: 8_000, afterMs: 8_000 };
const BRIEF = { steadyMs: 5_000, afterMs: 4_000 };

export async function runDrill(options, requirements) {
  const began = Date.now();
  const say = (text) => console.log(`${String(Math.round((Date.now() - began) / 1000)).padStart(4)} s  ${text}`);
  const scenarios = chosen(options, requirements, say);
  const directory = mkdtempSync(join(realpathSync(tmpdir()), "tillgate-drill-"));
  chmodSync(directory, 0o755);
  // Also after Ctrl-C, when the processes were ended.
  process.on("exit", () => options.keep || rmSync(directory, { recursive: true, force: true }));
  try {
    const programs = { ...requirements, ...(await installPatroni()) };
    const archives = scenarios.some(({ run: runAlone }) => runAlone !== undefined);
    const world = await openWorld({ directory, programs, archives, say });
    const results = [];
    for (const scenario of scenarios) {
      await openDoor(world, scenario.door ?? "haproxy");
      say(`${scenario.name} …`);
      const times = { ...(options.short ? BRIEF : LONG), rate: options.rate };
      const result = await (scenario.run?.(world) ?? runScenario(scenario, world, times));
      say(JSON.stringify(result));
      results.push(result);
    }
    await world.gateway.stop();
    return await report(results, { options, versions: { ...requirements.versions, patroni: programs.version }, world });
  } finally {
    await endAll();
    if (options.keep) say(`logs and data are in ${directory}`);
  }
}

function chosen({ only, short }, { pgbouncer }, say) {
  const names = only ?? (short ? SHORT : SCENARIOS.map(({ name }) => name));
  const found = names.map((name) => SCENARIOS.find((scenario) => scenario.name === name));
  return found.filter(({ name, door }) => {
    if (door !== "pgbouncer" || pgbouncer !== undefined) return true;
    say(`SKIPPED: ${name} needs PgBouncer 1.21 or newer; set TILLGATE_TEST_PGBOUNCER to its path`);
    return false;
  });
}

async function openWorld({ directory, programs, archives, say }) {
  const account = serverAccount();
  const [providerPort, frontPort, pgbouncerPort, ...gatewayPorts] = await freePorts(7);
  say("starting etcd, three PostgreSQL servers under Patroni, and HAProxy");
  const pgbackrest = archives ? openPgbackrest({ directory, account }) : undefined;
  const archiving = pgbackrest ?? NO_ARCHIVE;
  const cluster = await openCluster({ directory, account, programs, archiving });
  const provider = await openProviderDatabase({ directory, account, postgres: programs.postgres, port: providerPort });
  const password = await makeDatabase(cluster);
  const world = {
    ...{ say, pgbackrest },
    ...{ directory, account, programs, cluster, password, gatewayPorts, pgbouncerPort },
    book: newBook(),
  };
  world.doors = {
    haproxy: { DATABASE_URL: urlOf(password, `${HOST}:${cluster.primaryPort}`) },
    hosts: {
      DATABASE_URL: urlOf(password, cluster.nodes.map((node) => `${HOST}:${node.postgresPort}`).join(","), READ_WRITE),
    },
  };
  world.databaseUrl = world.doors.haproxy.DATABASE_URL;
  world.providerUrl = provider.url;
  world.url = startFront({ directory, port: frontPort, apiPorts: gatewayPorts.slice(0, 2) });
  world.baseEnv = {
    PATH: process.env.PATH,
    HOST,
    TILLGATE_SANDBOX_DATABASE_URL: provider.url,
    TILLGATE_DATA_DIR: join(directory, "state"),
    TILLGATE_PUBLIC_URL: world.url,
    TILLGATE_TRUSTED_PROXIES: HOST,
  };
  say("starting two api and two worker processes");
  await openDoor(world, "haproxy");
  await openShop(world);
  return world;
}

const NO_ARCHIVE = { archiveCommand: () => "true", env: {} };
const READ_WRITE = "?target_session_attrs=read-write";

function urlOf(password, hosts, rest = "") {
  return `postgresql://${DATABASE}:${password}@${hosts}/${DATABASE}${rest}`;
}

async function makeDatabase({ primaryPort, passwords }) {
  const password = randomBytes(16).toString("hex");
  const url = adminUrl({ primaryPort, passwords });
  await query(url, `create role ${DATABASE} login password '${password}'`);
  await query(url, `create database ${DATABASE} owner ${DATABASE}`);
  return password;
}

function adminUrl({ primaryPort, passwords }) {
  return `postgresql://postgres:${passwords.superuser}@${HOST}:${primaryPort}/postgres`;
}

/** The service is started again when the next scenario reaches the database in another way. */
async function openDoor(world, door) {
  if (world.door === door) return;
  await world.gateway?.stop();
  if (door === "pgbouncer") await openPool(world);
  world.env = { ...world.baseEnv, ...world.doors[door] };
  world.gateway = await startGateway({ directory: world.directory, env: world.env, ports: world.gatewayPorts });
  world.door = door;
}

async function openPool(world) {
  const { directory, account, programs, cluster, password, pgbouncerPort: port } = world;
  await query(adminUrl(cluster), filledDeployFile("pgbouncer/role.sql", { ROLE: DATABASE, DATABASE }));
  const line = { directory, account, program: programs.pgbouncer, port, primaryPort: cluster.primaryPort };
  world.pgbouncer = await openPgbouncer({ ...line, user: DATABASE, password, database: DATABASE });
  world.doors.pgbouncer = { DATABASE_URL: world.pgbouncer.url, DATABASE_DIRECT_URL: world.databaseUrl };
}

/** The sandbox's own test project, with money, and callbacks that come to us. */
async function openShop(world) {
  const file = JSON.parse(readFileSync(join(world.baseEnv.TILLGATE_DATA_DIR, "sandbox.json"), "utf8"));
  const projectId = file.project_id;
  world.projectId = projectId;
  world.merchant = openMerchant({
    url: world.url,
    credentials: credentialsFromSandboxFile(file, "hmac"),
    book: () => world.book,
  });
  world.inbox = await openInbox(({ general, status }) => {
    if (status.sub_status === "awaiting_confirm") void confirmPayin(world.merchant, projectId, general.payment_id);
  });
  world.inbox.keys = { publicKeyPem: file.callback_public_key_pem, projectId, webhookSecret: file.webhook_secret };
  const set = ["--callback-url", world.inbox.url, "--rate", RATE_LIMIT, "--burst", RATE_LIMIT];
  await tillgate(world.env, "project", "set", projectId, ...set);
  const why = ["--reference", "drill", "--reason", "money for the drill"];
  await tillgate(world.env, "balance", "credit", projectId, FUNDS_MINOR, "RUB", ...why);
}

async function report(results, { options, versions, world }) {
  const about = {
    date: new Date().toISOString().slice(0, 10),
    commit: (await run("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT })).trim(),
    machine: `${cpus().length} × ${cpus()[0].model.trim()}`,
    versions,
    rate: options.rate,
  };
  console.log(`\n${renderResults(results)}\n`);
  writeFileSync(join(world.directory, "results.json"), JSON.stringify({ about, results }, null, 2));
  if (options.write) writeReport(renderReport(results, about));
  const faults = results.flatMap(faultsOf);
  for (const fault of faults) console.error(fault);
  console.log(faults.length === 0 ? "Nothing was lost or doubled." : "THE DRILL FAILED.");
  return faults.length === 0 ? 0 : 1;
}
