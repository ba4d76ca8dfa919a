// How does cost grow: with the payments that are stored, and with the projects that there are?
import { attempt, inRounds } from "../ask.mjs";
import { cpuOfEach, publishedCpu, readCpu } from "../kit/cpu-parts.mjs";
import { letCountsArrive, readDatabaseWork, workOfEach } from "../kit/database-work.mjs";
import { openMerchant } from "../kit/merchant.mjs";
import { startProgram } from "../kit/programs.mjs";
import { addKey, addProjects, untilKnown, withDatabase } from "../kit/projects.mjs";
import { leaveAlone, somePayins, storePayments } from "../kit/rows.mjs";
import { startBeside, startService } from "../kit/service.mjs";

const STORED = [10_000, 1_000_000];
const STORED_LONG = [...STORED, 10_000_000];
const PROJECTS = [1, 100, 10_000];
const SHOPS = 10;
const WINDOW = { seconds: 2, warmupSeconds: 0.5 };
const CREATES_MAX = 20_000;
const ASKED_FOR = 2_000;
const WHOLE = { kind: "payin", count: 500, atOnce: 200 };
const WHOLE_WARMUP = { kind: "payin", count: 300, atOnce: 100 };
/** A sequential scan that reads more rows than this is of a table that grows. */
const SCANNED_ROWS_MAX = 1_000;
const ENV = { TILLGATE_AUTH_FAILURES_BURST: "100000" };

const COLUMNS = [
  ["create ms", "createMs", 3],
  ["of it PostgreSQL", "createPostgresMs", 3],
  ["creates a second", "createPerSecond", 0],
  ["info ms", "infoMs", 3],
  ["of it PostgreSQL", "infoPostgresMs", 3],
  ["balance ms", "balanceMs", 3],
  ["whole pay-in ms", "wholeMs", 2],
  ["of it PostgreSQL", "wholePostgresMs", 2],
  ["memory MB", "rssMb", 0],
];

/** `count`: another largest number of stored payments. */
export async function benchGrowth({ long, count }) {
  const sizes = long ? STORED_LONG : STORED;
  const stored = await roundsOf(() => growPayments(count === undefined ? sizes : [STORED[0], count]));
  const projects = await roundsOf(growProjects);
  return {
    question: "processor time of service and PostgreSQL for one call or payment, as what is stored grows",
    columns: COLUMNS,
    rows: [...stored.rounds, ...projects.rounds],
    notes: [
      "A stored payment has two lines of history, an attempt, a receipt, two transfers and a delivered callback.",
      ...stored.rounds.map(
        ({ name, storedInS, scanned }) =>
          `${name}: stored in ${storedInS.toFixed(0)} s. Read from end to end: ${scanned}.`,
      ),
    ],
    failure: [stored.failure, projects.failure].filter((failure) => failure !== undefined).join("\n") || undefined,
  };
}

/** If one half cannot even begin, the other is measured. */
async function roundsOf(grow) {
  const { answer, failure } = await attempt(grow);
  return answer ?? { rounds: [], failure };
}

async function growPayments(sizes) {
  return withBench(async (bench) => {
    const projectIds = await addProjects(bench.service, SHOPS);
    await warmUp(bench, projectIds);
    return inRounds(sizes.length, async (round) => {
      const storedFromMs = performance.now();
      await storePayments(bench.service.database, { projectIds, from: sizes[round - 1] ?? 0, to: sizes[round] });
      const storedInS = (performance.now() - storedFromMs) / 1000;
      const asked = await somePayins(bench.client, ASKED_FOR);
      const work = await readDatabaseWork(bench.client);
      const whole = await measureWhole(bench);
      const create = await measureCreates(bench, projectIds);
      const info = await measureInfo(bench, asked);
      await letCountsArrive();
      const scanned = listScanned(workOfEach(work, await readDatabaseWork(bench.client), 1));
      await leaveAlone(bench.client);
      return {
        name: `${sizes[round].toLocaleString("en")} payments`,
        ...{ createMs: costOf(create), createPostgresMs: create.cpuMs.postgresMs, createPerSecond: create.perSecond },
        ...{ infoMs: costOf(info), infoPostgresMs: info.cpuMs.postgresMs },
        ...{ wholeMs: costOf(whole), wholePostgresMs: whole.cpuMs.postgresMs, rssMb: bench.service.rssMb() },
        ...{ storedInS, scanned },
      };
    });
  });
}

async function growProjects() {
  return withBench(async (bench) => {
    const projectIds = await addProjects(bench.service, PROJECTS[0]);
    await warmUp(bench, projectIds);
    return inRounds(PROJECTS.length, async (round) => {
      const more = PROJECTS[round] - projectIds.length;
      if (more > 0) projectIds.push(...(await addProjects(bench.service, more)));
      await untilKnown(bench.service, bench.credentials, projectIds);
      await bench.client.query("vacuum analyze");
      const create = await measureCreates(bench, projectIds);
      const balance = await measureBalance(bench, projectIds);
      return {
        name: `${PROJECTS[round].toLocaleString("en")} ${PROJECTS[round] === 1 ? "project" : "projects"}`,
        ...{ createMs: costOf(create), createPostgresMs: create.cpuMs.postgresMs, createPerSecond: create.perSecond },
        balanceMs: costOf(balance),
        rssMb: bench.service.rssMb(),
      };
    });
  });
}

async function withBench(work) {
  const service = await startService({ role: "api", env: ENV });
  const caller = startProgram("caller.mjs");
  try {
    return await withDatabase(service.database, (client) =>
      work({ service, caller, client, credentials: addKey(service, "hmac") }),
    );
  } finally {
    caller.stop();
    await service.stop();
  }
}

/** Code is compiled before anything counts. */
async function warmUp(bench, projectIds) {
  await untilKnown(bench.service, bench.credentials, projectIds);
  await measureCreates(bench, projectIds);
  await measureBalance(bench, projectIds);
  await measureInfo(bench, await somePayins(bench.client, ASKED_FOR));
  await leaveAlone(bench.client);
}

/** Which tables that grow a statement read from end to end, and how often. */
function listScanned({ tables }) {
  const scanned = tables.filter(({ seqScans, seqRows }) => seqScans > 0 && seqRows / seqScans > SCANNED_ROWS_MAX);
  return scanned.map(({ name, seqScans }) => `${name} ${seqScans} times`).join(", ") || "no table that grows";
}

/** By a worker that runs only for this. */
async function measureWhole({ service, client }) {
  const worker = await startBeside(service, { role: "worker" });
  const merchant = await openMerchant(service);
  try {
    const projectIds = await merchant.addProjects(SHOPS, { signing: "hmac" });
    await merchant.work({ ...WHOLE_WARMUP, projectIds });
    const { cpuMs } = await merchant.measure(client, { ...WHOLE, projectIds });
    return { cpuMs: publishedCpu(cpuMs) };
  } finally {
    merchant.stop();
    await worker.stop();
  }
}

async function measureCreates(bench, projectIds) {
  const { caller, credentials } = bench;
  await caller.ask({ signCreates: { kind: "payin", credentials, projectIds, count: CREATES_MAX } });
  return measureCalls(bench);
}

async function measureInfo(bench, asked) {
  const bodies = asked.map(({ projectId, paymentId }) => ({
    general: { project_id: projectId, payment_id: paymentId },
  }));
  const path = "/api/v1/payment/p2p/payin/info";
  await bench.caller.ask({ signCalls: { path, credentials: bench.credentials, bodies } });
  return measureCalls(bench);
}

async function measureBalance(bench, projectIds) {
  const bodies = projectIds.map((id) => ({ general: { project_id: id } }));
  await bench.caller.ask({ signCalls: { path: "/api/v1/balance/info", credentials: bench.credentials, bodies } });
  return measureCalls(bench);
}

async function measureCalls({ service, client, caller }) {
  const before = await readCpu(client, service);
  const result = await caller.ask({ work: { url: service.sandbox.base_url, ...WINDOW } });
  return { ...result, cpuMs: publishedCpu(cpuOfEach(before, await readCpu(client, service), result.answered)) };
}

function costOf({ cpuMs: { serviceMs, postgresMs } }) {
  return serviceMs + postgresMs;
}
