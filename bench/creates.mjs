// How fast are creates? Beside what PostgreSQL can do with the same SQL and one payment a transaction, in the same run.
import { inRounds } from "./ask.mjs";
import { createRequests, PAYMENT_ID_PREFIX } from "./create-requests.mjs";
import { openLimit } from "./limit.mjs";
import { openLoad } from "./open-load.mjs";
import { addKey, addProjects, withDatabase } from "./projects.mjs";
import { startService } from "./service.mjs";

const PROJECTS = 100;
const CONNECTIONS = 128;
/** Other work on the machine comes and goes: everything is measured in turns, and ratios within each turn. */
const ROUNDS = 5;
/** Signing with RSA takes the load ten times as long as sending, so it gets fewer turns. */
const RSA_ROUNDS = 3;
const WINDOW = { seconds: 2, warmupSeconds: 0.5 };
const LATENCY_WINDOW = { seconds: 3, warmupSeconds: 0.5 };
/** Of the limit; of the creates that are spread over projects; in milliseconds. */
const AIMS = { spread: 0.7, oneProject: 0.8, p99Ms: 50 };
/** More than any machine of today answers: how many requests are signed before anything is known. */
const PEAK_GUESS = 10_000;
/** Requests whose signature is being verified count as failed until it is, and all of ours come from one address. */
const ENV = { TILLGATE_AUTH_FAILURES_BURST: "100000" };

export async function benchCreates() {
  const service = await startService({ role: "api", env: ENV });
  try {
    const bench = await prepare(service);
    const measured = await inRounds(ROUNDS, (round) => measureRound(bench, round));
    if (measured.failure === undefined) await checkAllThere(bench);
    return report(bench.limit.name, measured);
  } finally {
    await service.stop();
  }
}

async function prepare(service) {
  const projectIds = await addProjects(service, PROJECTS);
  const bench = {
    service,
    projectIds,
    keys: { hmac: addKey(service, "hmac"), rsa: addKey(service, "rsa") },
    limit: openLimit(service, projectIds),
    peak: PEAK_GUESS,
    answered: 0,
  };
  // Code is compiled and tables have rows before anything counts, and the limit plans for such tables too.
  await creates(bench, { projectIds, ...WINDOW });
  await withDatabase(service.database, (client) => client.query("vacuum analyze"));
  return bench;
}

async function measureRound(bench, round) {
  const { projectIds } = bench;
  const cpu = () => ({ ...bench.service.cpu(), load: process.cpuUsage().user + process.cpuUsage().system });
  const limit = await bench.limit.measure(WINDOW.seconds);
  const before = cpu();
  const spread = await creates(bench, { projectIds, ...WINDOW });
  const after = cpu();
  const oneProject = await creates(bench, { projectIds: projectIds.slice(0, 1), ...WINDOW });
  const rsa = round < RSA_ROUNDS ? await creates(bench, { projectIds, kind: "rsa", ...WINDOW }) : undefined;
  const half = await creates(bench, { projectIds, perSecond: spread.perSecond / 2, ...LATENCY_WINDOW });
  return { limit, spread, oneProject, rsa, half, cpuUs: cpuOfEach(before, after, spread.answered) };
}

async function creates(bench, { projectIds, kind = "hmac", perSecond, seconds, warmupSeconds }) {
  const expected = perSecond ?? 1.5 * bench.peak;
  const count = Math.ceil(expected * (seconds + warmupSeconds));
  // Signed before the clock runs; a signature is good for five minutes.
  const requests = createRequests({ credentials: bench.keys[kind], projectIds, count });
  const url = bench.service.sandbox.base_url;
  const result = await openLoad({ url, connections: CONNECTIONS, requests, perSecond, seconds, warmupSeconds });
  if (perSecond === undefined) bench.peak = result.perSecond;
  bench.answered += result.answered;
  return result;
}

function cpuOfEach(before, after, count) {
  return {
    service: ((after.service - before.service) / count) * 1e6,
    postgres: ((after.postgres - before.postgres) / count) * 1e6,
    load: (after.load - before.load) / count,
  };
}

/** Each create that was answered is a row, or the figures mean nothing. */
async function checkAllThere({ service, answered }) {
  const { rows } = await withDatabase(service.database, (client) =>
    client.query("select count(*)::int as count from payments where starts_with(payment_id, $1)", [PAYMENT_ID_PREFIX]),
  );
  if (rows[0].count !== answered) throw new Error(`${answered} creates were answered, and ${rows[0].count} are there`);
}

function report(limitName, { rounds, failure }) {
  const middle = (pick) => median(rounds.map(pick).filter((figure) => figure !== undefined));
  const cpuUs = {
    service: middle(({ cpuUs }) => cpuUs.service),
    postgres: middle(({ cpuUs }) => cpuUs.postgres),
    load: middle(({ cpuUs }) => cpuUs.load),
  };
  return {
    question: `signed p2p/payin creates, open loop over ${CONNECTIONS} connections; medians of ${rounds.length} rounds`,
    rows: [
      { name: limitName, perSecond: middle(({ limit }) => limit) },
      {
        name: `${PROJECTS} projects, HMAC`,
        perSecond: middle(({ spread }) => spread.perSecond),
        ratio: middle(({ spread, limit }) => spread.perSecond / limit),
        aim: `${AIMS.spread} of the limit`,
      },
      {
        name: "one project, HMAC",
        perSecond: middle(({ oneProject }) => oneProject.perSecond),
        ratio: middle(({ oneProject, spread }) => oneProject.perSecond / spread.perSecond),
        aim: `${AIMS.oneProject} of ${PROJECTS} projects`,
      },
      {
        name: `${PROJECTS} projects, RSA`,
        perSecond: middle(({ rsa }) => rsa?.perSecond),
        ratio: middle(({ rsa, spread }) => rsa && rsa.perSecond / spread.perSecond),
      },
      {
        name: "half of the peak",
        perSecond: middle(({ half }) => half.perSecond),
        p50Ms: middle(({ half }) => half.p50Ms),
        p99Ms: middle(({ half }) => half.p99Ms),
        aim: `p99 of ${AIMS.p99Ms} ms`,
      },
    ],
    notes: [
      "The limit is the same SQL function with one payment a transaction, which cannot share commits as the service does.",
      `Processor time of a create: service ${cpuUs.service.toFixed(0)} µs, PostgreSQL ${cpuUs.postgres.toFixed(0)} µs, load ${cpuUs.load.toFixed(0)} µs`,
    ],
    cpuUs,
    rounds,
    failure,
  };
}

function median(figures) {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
}
