// Does a long queue cost more for each item than a short one? Pay-ins that wait for requisites, and callbacks.
import { oneByOne } from "../ask.mjs";
import { insertEvents, makeProjects } from "../kit/callback-rows.mjs";
import { cpuOfEach, publishedCpu, readCpu } from "../kit/cpu-parts.mjs";
import { sleep } from "../kit/http.mjs";
import { startProgram } from "../kit/programs.mjs";
import { addKey, addProjects, untilKnown, withDatabase } from "../kit/projects.mjs";
import { countIssued, leaveAlone } from "../kit/rows.mjs";
import { startBeside, startService } from "../kit/service.mjs";

/** Of each queue so many are done before anything counts, while the worker's code is compiled, and so many count. */
const WARMUP = 1_000;
const COUNTED = 2_000;
/** Items are done in batches, so that some more than were waited for may be done. */
const SHORT = WARMUP + COUNTED + 1_000;
const LONG = 100_000;
const PROJECTS = 100;
const FILL_MAX_S = 200;
const DRAIN_MAX_S = 180;
const INSERT_AT_ONCE = 10_000;
/** An item of a long queue may cost so much more. */
const RATIO_MAX = 1.2;
const ENV = { TILLGATE_AUTH_FAILURES_BURST: "100000" };

const COLUMNS = [
  ["ratio", "ratio", 2],
  ["aim at most", "aim", 2],
  ["met", "met"],
  ["a second", "perSecond", 0],
  ["service ms", "serviceMs", 3],
  ["PostgreSQL ms", "postgresMs", 3],
  ["memory MB", "rssMb", 0],
];

export async function benchQueue({ count = LONG }) {
  const service = await startService({ role: "api", env: ENV });
  const programs = { caller: startProgram("caller.mjs"), receiver: startProgram("callback-receiver.mjs") };
  try {
    return await withDatabase(service.database, async (client) => {
      const bench = { service, client, ...programs, credentials: addKey(service, "hmac") };
      const answers = [];
      for (const [what, open] of Object.entries({ payments: openPayments, callbacks: openCallbacks })) {
        const short = { name: `${what}, ${SHORT}`, length: SHORT, open };
        const queues = [short, { name: `${what}, ${count}`, length: count, open, beside: short.name }];
        answers.push({ queues, ...(await oneByOne(queues, (queue) => measureQueue(bench, queue))) });
      }
      return report(answers);
    });
  } finally {
    for (const program of Object.values(programs)) program.stop();
    await service.stop();
  }
}

/** The queue is full before the worker starts, and the worker is stopped when enough of it is done. */
async function measureQueue(bench, { length, open }) {
  const { service, client } = bench;
  const countDone = await open(bench, length);
  await client.query("vacuum analyze");
  const worker = await startBeside(service, { role: "worker" });
  try {
    const from = await untilDone(countDone, WARMUP);
    const before = await readCpu(client, service);
    const to = await untilDone(countDone, from.done + COUNTED);
    const after = await readCpu(client, service);
    const done = to.done - from.done;
    const cpuMs = publishedCpu(cpuOfEach(before, after, done));
    return { perSecond: (done / (to.atMs - from.atMs)) * 1000, ...cpuMs, rssMb: worker.rssMb() };
  } finally {
    await worker.stop();
    await leaveAlone(client);
  }
}

async function untilDone(countDone, wanted) {
  const giveUpMs = performance.now() + DRAIN_MAX_S * 1000;
  for (;;) {
    const done = await countDone();
    if (done >= wanted) return { done, atMs: performance.now() };
    if (performance.now() > giveUpMs) throw new Error(`${done} of ${wanted} were done in ${DRAIN_MAX_S} s`);
    await sleep(20);
  }
}

/** Created by calls, as they would be. */
async function openPayments({ service, client, caller, credentials }, length) {
  const projectIds = await addProjects(service, PROJECTS);
  await untilKnown(service, credentials, projectIds);
  await caller.ask({ signCreates: { kind: "unpaidPayin", credentials, projectIds, count: length } });
  const load = { url: service.sandbox.base_url, seconds: FILL_MAX_S, warmupSeconds: 0 };
  const { answered } = await caller.ask({ work: load });
  if (answered < length) throw new Error(`${answered} of ${length} creates were answered in ${FILL_MAX_S} s`);
  const issuedBefore = await countIssued(client);
  return async () => (await countIssued(client)) - issuedBefore;
}

async function openCallbacks({ service, client, receiver }, length) {
  const { ports } = await receiver.ask({ listen: ["fast"] });
  await receiver.ask({ take: "all" });
  const urls = [`http://127.0.0.1:${ports[0]}/callbacks`];
  const [project] = await makeProjects(client, service.sandbox.merchant_id, "hmac", urls);
  for (let left = length; left > 0; left -= INSERT_AT_ONCE) {
    await insertEvents(client, Array(Math.min(left, INSERT_AT_ONCE)).fill(project));
  }
  return async () => (await receiver.ask({ take: "count" })).count;
}

function rowsOf({ queues, figures }) {
  const cost = (of) => figures[of].serviceMs + figures[of].postgresMs;
  const measured = queues.filter(({ name }) => name in figures);
  return measured.map(({ name, beside }) => {
    if (beside === undefined) return { name, ...figures[name] };
    const ratio = cost(name) / cost(beside);
    return { name, ratio, aim: RATIO_MAX, met: ratio <= RATIO_MAX, ...figures[name] };
  });
}

/** A queue that fails does not keep the other kind from being measured. */
function report(answers) {
  const failures = answers.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  return {
    question: `cost of an item of a long queue beside one of a short queue; ${COUNTED} items of each count`,
    columns: COLUMNS,
    rows: answers.flatMap(rowsOf),
    notes: [
      "Payments: from new to requisites, with one worker's process. Callbacks: to one fast endpoint, signed by HMAC.",
      "ratio: processor time of service and PostgreSQL for one item, beside that in the short queue",
    ],
    failure: failures.length === 0 ? undefined : failures.join("\n"),
  };
}
