// Does anything grow under a steady load: memory, queues, dead rows, or the room that a payment takes?
import { attempt } from "../ask.mjs";
import { heapMbAfterGc, SAYS_ITS_HEAP } from "../kit/heap.mjs";
import { sleep } from "../kit/http.mjs";
import { openMerchant } from "../kit/merchant.mjs";
import { withDatabase } from "../kit/projects.mjs";
import { readConnections, readLogBytes, readQueues, readSizes } from "../kit/rows.mjs";
import { startService } from "../kit/service.mjs";

const SECONDS = 60;
const SECONDS_LONG = 600;
const SAMPLES = 12;
const PROJECTS = 10;
/** Finds the peak, half of which is the load, and compiles the code. */
const PEAK = { kind: "payin", count: 600, atOnce: 300 };
/** The last third may exceed the one before it by so much. */
const GROWTH_MAX = 1.1;
/** Resident memory grows until the heap has its usual room, so a shorter soak judges what is left after a collection. */
const MEMORY_SECONDS_MIN = 300;
/** In seconds of the load: a queue that does not grow holds less. */
const QUEUE_SECONDS_MAX = 2;

const COLUMNS = [
  ["memory MB", "rssMb", 0],
  ["heap after collection MB", "heapMb", 1],
  ["connections", "connections", 0],
  ["due payments", "duePayments", 0],
  ["due callbacks", "dueCallbacks", 0],
  ["kB a payment", "kbEach", 1],
  ["kB of log a payment", "logKbEach", 1],
  ["dead rows %", "deadPercent", 1],
];

export async function benchSoak({ long, seconds = long ? SECONDS_LONG : SECONDS, rate }) {
  const service = await startService({ nodeOptions: SAYS_ITS_HEAP });
  const merchant = await openMerchant(service);
  try {
    return await withDatabase(service.database, async (client) => {
      const projectIds = await merchant.addProjects(PROJECTS, { signing: "hmac" });
      const peak = await merchant.work({ ...PEAK, projectIds });
      const perSecond = rate ?? peak.perSecond / 2;
      const load = { kind: "payin", projectIds, perSecond, count: Math.ceil(perSecond * seconds) };
      const work = attempt(() => merchant.work(load));
      const samples = await takeSamples({ service, client, work }, { seconds, perSecond });
      return report(samples, { ...(await work), perSecond, seconds });
    });
  } finally {
    merchant.stop();
    await service.stop();
  }
}

/** Until the time is over, or the load has failed. */
async function takeSamples({ service, client, work }, { seconds, perSecond }) {
  const samples = [];
  let failed = false;
  const failing = work.then(({ failure }) => {
    failed = failure !== undefined;
    // One that succeeds may end before the last sample.
    return failed ? undefined : new Promise(() => {});
  });
  const beganMs = performance.now();
  const payments = async () => (await client.query("select count(*)::int as count from payments")).rows[0].count;
  let last = { count: await payments(), logBytes: await readLogBytes(client) };
  for (let number = 1; number <= SAMPLES; number += 1) {
    const atS = (seconds * number) / SAMPLES;
    await Promise.race([sleep(beganMs + atS * 1000 - performance.now()), failing]);
    if (failed) break;
    const queues = await readQueues(client);
    const { bytes, dead, live } = await readSizes(client);
    const now = { count: await payments(), logBytes: await readLogBytes(client) };
    samples.push({
      name: `after ${atS.toFixed(0)} s`,
      rssMb: service.rssMb(),
      heapMb: await heapMbAfterGc(service.pid),
      connections: await readConnections(client),
      duePayments: queues.payments,
      dueCallbacks: queues.callbacks,
      kbEach: bytes / 1024 / now.count,
      logKbEach: (now.logBytes - last.logBytes) / 1024 / (now.count - last.count),
      deadPercent: (dead / (dead + live)) * 100,
      queueMax: QUEUE_SECONDS_MAX * perSecond,
    });
    last = now;
  }
  return samples;
}

function report(samples, { answer, failure, perSecond, seconds }) {
  const load = `whole pay-ins at ${perSecond.toFixed(0)} a second for ${seconds} s`;
  if (failure !== undefined) return { question: load, columns: COLUMNS, rows: samples, notes: [], failure };
  const { count, p50Ms, p99Ms, p999Ms } = answer;
  const third = SAMPLES / 3;
  const mean = (member, from) =>
    samples.slice(from, from + third).reduce((sum, sample) => sum + sample[member], 0) / third;
  const growth = (member) => mean(member, 2 * third) / mean(member, third);
  const judged = ["heapMb", "kbEach", ...(seconds < MEMORY_SECONDS_MIN ? [] : ["rssMb"])];
  const grown = judged.filter((member) => growth(member) > GROWTH_MAX);
  const queues = ["duePayments", "dueCallbacks"].filter((member) => mean(member, 2 * third) > samples[0].queueMax);
  const verdict = [...grown, ...queues];
  return {
    question: `${count} ${load}`,
    columns: COLUMNS,
    rows: samples,
    notes: [
      `The last third beside the one before: heap ${growth("heapMb").toFixed(2)}, memory ${growth("rssMb").toFixed(2)}, room of a payment ${growth("kbEach").toFixed(2)} (at most ${GROWTH_MAX}; memory counts from ${MEMORY_SECONDS_MIN} s on); a queue holds at most ${QUEUE_SECONDS_MAX} s of the load.`,
      `Latency of a whole one without the bank's 2 s: p50 ${p50Ms?.toFixed(0)} ms, p99 ${p99Ms?.toFixed(0)} ms, p99.9 ${p999Ms?.toFixed(0)} ms.`,
    ],
    failure: verdict.length === 0 ? undefined : `grew: ${verdict.join(", ")}`,
  };
}
