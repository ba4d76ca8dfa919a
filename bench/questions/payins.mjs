// What does a whole pay-in cost, in detail: created, requisites, confirmed, settled, and every callback of it delivered?
import {
  forgetStatements,
  letCountsArrive,
  readDatabaseWork,
  readStatements,
  workOfEach,
} from "../kit/database-work.mjs";
import { openMerchant } from "../kit/merchant.mjs";
import { withDatabase } from "../kit/projects.mjs";
import { startCountingService, startService } from "../kit/service.mjs";

const WARMUP = { kind: "payin", count: 300, atOnce: 100 };

export async function benchPayins(options) {
  const { count = 1_500, atOnce = 500, rate, projects = 10, rsa = false, statements = false, profile } = options;
  const start = statements ? startCountingService : startService;
  const service = await start({ nodeOptions: profileInto(profile) });
  const merchant = await openMerchant(service);
  try {
    const signing = rsa ? "rsa" : "hmac";
    const projectIds = await merchant.addProjects(projects, { signing });
    const load = { projectIds, kind: "payin", count, perSecond: rate, atOnce };
    const measured = await withDatabase(service.database, (client) =>
      withDatabase({ ...service.database, database: "tillgate_sandbox" }, (sandboxClient) =>
        measure({ merchant, client, sandboxClient, statements }, load),
      ),
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

async function measure({ merchant, client, sandboxClient, statements }, load) {
  await merchant.work({ ...WARMUP, projectIds: load.projectIds });
  await letCountsArrive();
  if (statements) await forgetStatements(client);
  const before = [await readDatabaseWork(client), await readDatabaseWork(sandboxClient)];
  const result = await merchant.measure(client, load);
  await letCountsArrive();
  const after = [await readDatabaseWork(client), await readDatabaseWork(sandboxClient)];
  return {
    ...result,
    databases: after.map((work, index) => workOfEach(before[index], work, load.count)),
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
