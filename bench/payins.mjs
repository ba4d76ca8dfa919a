// What does a whole pay-in cost: created, requisites, confirmed, settled, and every callback of it delivered?
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { cpuSeconds } from "./cpu.mjs";
import { cpuOfEach, readCpuParts } from "./cpu-parts.mjs";
import { forgetStatements, letCountsArrive, readDatabaseWork, readStatements, workOfEach } from "./database-work.mjs";
import { sleep } from "./load.mjs";
import { addKey, addProjects, withDatabase } from "./projects.mjs";
import { startCountingService, startService } from "./service.mjs";

const WARMUP = 300;
/** A pay-in that succeeded is over for the merchant before the service has marked its last callback. */
const SETTLE_MS = 1_000;
const SANDBOX_APART = ["--import", new URL("sandbox-apart.mjs", import.meta.url).href];

export async function benchPayins({
  count = 1_500,
  atOnce = 500,
  rate,
  projects = 10,
  rsa = false,
  statements = false,
  profile,
}) {
  const start = statements ? startCountingService : startService;
  const service = await start({ nodeOptions: [...SANDBOX_APART, ...profileInto(profile)] });
  const merchant = startMerchant();
  try {
    const signing = rsa ? "rsa" : "hmac";
    const load = await prepare(service, merchant, { signing, projects });
    const measured = await withDatabase(service.database, (client) =>
      withDatabase({ ...service.database, database: "tillgate_sandbox" }, (sandboxClient) => {
        const measuring = { service, merchant, client, sandboxClient, statements };
        return measure(measuring, { ...load, kind: "payin", count, perSecond: rate, atOnce });
      }),
    );
    return report(measured, { count, atOnce, rate, signing, rssMb: service.rssMb() });
  } finally {
    merchant.stop();
    await service.stop();
  }
}

/** A profile of the service's own process, written there when it ends. */
function profileInto(directory) {
  return directory === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${directory}`];
}

function startMerchant() {
  const child = fork(fileURLToPath(new URL("merchant.mjs", import.meta.url)));
  const ask = async (question) => {
    child.send(question);
    const answer = await new Promise((resolve) => child.once("message", resolve));
    if (answer.fault !== undefined) throw new Error(answer.fault);
    return answer;
  };
  return { ask, pid: child.pid, stop: () => child.disconnect() };
}

async function prepare(service, merchant, { signing, projects }) {
  const projectIds = await addProjects(service, projects);
  const { port } = await merchant.ask({ listen: true });
  await withDatabase(service.database, (client) =>
    client.query("update projects set callback_url = $1, callback_signing = $2 where id = any($3::uuid[])", [
      `http://127.0.0.1:${port}/callbacks`,
      signing,
      projectIds,
    ]),
  );
  const credentials = addKey(service, "hmac");
  return { url: service.sandbox.base_url, credentials, projectIds };
}

async function measure({ service, merchant, client, sandboxClient, statements }, load) {
  const withinS = 60 + load.count / (load.perSecond ?? 20);
  await merchant.ask({
    work: { ...load, kind: "payin", count: WARMUP, perSecond: undefined, atOnce: 100, withinS: 120 },
  });
  await letCountsArrive();
  if (statements) await forgetStatements(client);
  const workBefore = [await readDatabaseWork(client), await readDatabaseWork(sandboxClient)];
  const cpuBefore = { ...(await readCpuParts(client, service)), load: cpuSeconds(merchant.pid) };
  const work = await merchant.ask({ work: { ...load, withinS } });
  await sleep(SETTLE_MS);
  const cpuAfter = { ...(await readCpuParts(client, service)), load: cpuSeconds(merchant.pid) };
  await letCountsArrive();
  const workAfter = [await readDatabaseWork(client), await readDatabaseWork(sandboxClient)];
  return {
    ...work,
    cpuMs: cpuOfEach(cpuBefore, cpuAfter, load.count),
    databases: workAfter.map((after, index) => workOfEach(workBefore[index], after, load.count)),
    statements: statements ? await readStatements(client) : undefined,
  };
}

function report(measured, { count, atOnce, rate, signing, rssMb }) {
  const { cpuMs, databases, create, confirm } = measured;
  const [own, sandbox] = databases;
  const service = cpuMs.serviceMain + cpuMs.serviceOther;
  const shape = rate === undefined ? `${atOnce} at work at once` : `${rate} a second`;
  return {
    question: `${count} whole pay-ins with callbacks by ${signing.toUpperCase()}, ${shape}; ${(measured.callbacks / count).toFixed(2)} callbacks each`,
    rows: [
      { name: "whole pay-ins", ...measured },
      { name: "  create", ...create },
      { name: "  confirm", ...confirm },
    ],
    notes: [
      "The latency of a whole one is without the 2 s that the sandbox's bank takes.",
      [
        `Processor time of one, ms: service and PostgreSQL ${(service + cpuMs.postgres + cpuMs.postgresShared).toFixed(2)}`,
        `  service ${service.toFixed(2)} (main thread ${cpuMs.serviceMain.toFixed(2)}, others ${cpuMs.serviceOther.toFixed(2)})`,
        `  PostgreSQL for the service ${cpuMs.postgres.toFixed(2)}; its log, checkpoints and vacuum ${cpuMs.postgresShared.toFixed(2)}`,
        `  sandbox ${cpuMs.sandbox.toFixed(2)}, PostgreSQL for it ${cpuMs.postgresSandbox.toFixed(2)}`,
        `  load and receiver ${cpuMs.load.toFixed(2)}`,
      ].join("\n"),
      `Commits of one: service ${own.commits.toFixed(2)}, sandbox ${sandbox.commits.toFixed(2)}; log written by both ${(own.walBytes / 1024).toFixed(1)} kB`,
      `Rows of one, service\n${tableOf(own.tables)}`,
      `Rows of one, sandbox\n${tableOf(sandbox.tables)}`,
      ...(measured.statements === undefined ? [] : statementNotes(measured.statements, count)),
      `RSS of the service after the load: ${rssMb.toFixed(0)} MB`,
    ],
    cpuMs,
    databases,
    rssMb,
  };
}

const COLUMNS = ["inserted", "updated", "hot", "deleted", "indexScans", "seqScans", "seqRows"];

function tableOf(tables) {
  const head = `  ${"".padEnd(22)}${COLUMNS.map((name) => name.padStart(11)).join("")}`;
  const sums = Object.fromEntries(COLUMNS.map((name) => [name, tables.reduce((sum, table) => sum + table[name], 0)]));
  const busiest = tables.toSorted((one, other) => weightOf(other) - weightOf(one));
  return [head, ...[...busiest, { name: "all", ...sums }].map(tableLine)].join("\n");
}

function weightOf({ inserted, updated, indexScans }) {
  return inserted + updated + indexScans / 1000;
}

function tableLine(table) {
  return `  ${table.name.padEnd(22)}${COLUMNS.map((name) => table[name].toFixed(2).padStart(11)).join("")}`;
}

const STATEMENTS_SHOWN = 40;
const QUERY_CHARACTERS = 110;

function statementNotes(statements, count) {
  return ["tillgate", "tillgate_sandbox"].map((database) => {
    const own = statements.filter((statement) => statement.database === database);
    const sum = (what) => own.reduce((total, statement) => total + statement[what], 0) / count;
    const lines = own
      .toSorted((one, other) => other.ms - one.ms)
      .slice(0, STATEMENTS_SHOWN)
      .map(
        ({ calls, ms, query }) =>
          `  ${(calls / count).toFixed(3).padStart(8)} ${(ms / count).toFixed(4).padStart(9)}  ${query.slice(0, QUERY_CHARACTERS)}`,
      );
    const head = `Statements of one, ${database}: ${sum("calls").toFixed(2)}, ${sum("ms").toFixed(2)} ms, ${(sum("walBytes") / 1024).toFixed(1)} kB of log`;
    return [head, `  ${"calls".padStart(8)} ${"ms".padStart(9)}`, ...lines].join("\n");
  });
}
