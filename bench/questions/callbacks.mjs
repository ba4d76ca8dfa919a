// How fast callbacks are delivered, and how little one bad endpoint matters to the others. The service is the real one,
// the receiver and the signer beside which it is measured are processes of their own.
import { inRounds } from "../ask.mjs";
import { insertEvents, makeProjects } from "../kit/callback-rows.mjs";
import { cpuSeconds } from "../kit/cpu.mjs";
import { sleep } from "../kit/http.mjs";
import { openLatencies } from "../kit/latencies.mjs";
import { startProgram } from "../kit/programs.mjs";
import { withDatabase } from "../kit/projects.mjs";
import { startService } from "../kit/service.mjs";

/** Other work on the machine comes and goes: everything is measured in turns, and the median of each counts. */
const ROUNDS = 3;
const COUNTS = { rsa: 3_000, hmac: 6_000 };
const SIGNING_SECONDS = 3;
const SIGNING_RATIO_AIM = 0.7;
const FIRST_ATTEMPT_MS_AIM = 1_000;
const ENDPOINTS = 100;
const LATENCY_SECONDS = 10;
const BATCH_EVERY_MS = 20;

export async function benchCallbacks() {
  const service = await startService();
  const receiver = startProgram("callback-receiver.mjs");
  const signer = startProgram("rsa.mjs");
  try {
    return await withDatabase(service.database, (client) => measureAll({ client, service, receiver, signer }));
  } finally {
    await service.stop();
    receiver.stop();
    signer.stop();
  }
}

async function measureAll(bench) {
  const { throughput, rounds, failure } = await measureThroughput(bench);
  const rows = [...throughput];
  const latencyFailure = await measureLatencies(bench, rows);
  const [alone, rsa, hmac] = throughput;
  const share = alone.cpuUs / (rsa.cpuUs.service + rsa.cpuUs.postgres + rsa.cpuUs.receiver);
  return {
    question: `callbacks a second to a fast receiver (medians of ${rounds.length} rounds), beside RSA signatures alone; then the time from a commit to the first attempt`,
    rows,
    notes: [
      "ratio: callbacks a second beside RSA signatures a second by themselves, on all cores, in the same run",
      `processor time for each: a signature alone ${alone.cpuUs.toFixed(0)} µs; a callback by RSA ${showCpu(rsa)}, by HMAC ${showCpu(hmac)}; with nothing else on the machine the ratio would be ${share.toFixed(2)}`,
      `first attempts: p99 is to be at most ${FIRST_ATTEMPT_MS_AIM} ms; of the ${ENDPOINTS} endpoints one hangs and one takes 9 s, and only the others count`,
      `RSS of the service after the load: ${bench.service.rssMb().toFixed(0)} MB`,
    ],
    rssMb: bench.service.rssMb(),
    failure: failure ?? latencyFailure,
  };
}

function showCpu({ cpuUs: { service, postgres, receiver } }) {
  const all = service + postgres + receiver;
  const parts = [
    `service ${service.toFixed(0)}`,
    `PostgreSQL ${postgres.toFixed(0)}`,
    `receiver ${receiver.toFixed(0)}`,
  ];
  return `${all.toFixed(0)} µs (${parts.join(", ")})`;
}

async function measureThroughput(bench) {
  const { rounds, failure } = await inRounds(ROUNDS, () => measureEach(bench));
  const measured = rounds.flat();
  const rows = [...new Set(measured.map(({ name }) => name))].map((name) =>
    median(measured.filter((row) => row.name === name)),
  );
  const alone = rows[0].perSecond;
  const throughput = rows.map((row) => ({
    ...row,
    ratio: row.perSecond / alone,
    ...(row.name === "callbacks by RSA" ? { aim: SIGNING_RATIO_AIM } : {}),
  }));
  return { throughput, rounds, failure };
}

async function measureEach(bench) {
  const rows = [{ name: "RSA signatures alone", ...(await signAlone(bench)) }];
  for (const signing of ["rsa", "hmac"]) {
    rows.push({ name: `callbacks by ${signing.toUpperCase()}`, ...(await deliverMany(bench, signing)) });
  }
  return rows;
}

/** From a commit to the first attempt. */
const LATENCIES = [
  ["HMAC, 500 payments/s", { signing: "hmac", perSecond: 500, manners: ["fast"] }],
  ["RSA, 500 payments/s", { signing: "rsa", perSecond: 500, manners: ["fast"] }],
  ["100 endpoints, 2 bad", { signing: "rsa", perSecond: 200, manners: mixedManners() }],
];

async function measureLatencies(bench, rows) {
  try {
    for (const [name, load] of LATENCIES) rows.push(await measureLatency(bench, name, load));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function signAlone({ signer }) {
  const beforeS = cpuSeconds(signer.pid);
  const { perSecond, count } = await signer.ask({ work: { operation: "sign", seconds: SIGNING_SECONDS } });
  return { perSecond, cpuUs: ((cpuSeconds(signer.pid) - beforeS) / count) * 1e6 };
}

/** All of them are there before the first is sent; the time counts from the first arrival to the last. */
async function deliverMany(bench, signing) {
  const { client, receiver, service } = bench;
  const [project] = await projectsFor(bench, signing, ["fast"]);
  const count = COUNTS[signing];
  const cpu = () => ({ ...service.cpu(), receiver: cpuSeconds(receiver.pid) });
  const ids = new Set(await insertEvents(client, Array(count).fill(project)));
  const before = cpu();
  while ((await receiver.ask({ take: "count" })).count < count) await sleep(50);
  const after = cpu();
  const { arrivals } = await receiver.ask({ take: "all" });
  const times = arrivals.filter(([id]) => ids.has(id)).map(([, atMs]) => atMs);
  const elapsedS = (Math.max(...times) - Math.min(...times)) / 1000;
  const cpuUs = Object.fromEntries(
    Object.entries(after).map(([name, seconds]) => [name, ((seconds - before[name]) / count) * 1e6]),
  );
  return { perSecond: count / elapsedS, cpuUs };
}

/** Events at a steady rate, round robin over the endpoints. From the commit to the first attempt, of those that work. */
async function measureLatency(bench, name, { signing, perSecond, manners }) {
  const projects = await projectsFor(bench, signing, manners);
  const committed = new Map();
  const perBatch = (perSecond * BATCH_EVERY_MS) / 1000;
  const beganMs = performance.now();
  for (let sent = 0; sent < perSecond * LATENCY_SECONDS; sent += perBatch) {
    await sleep(beganMs + (sent / perSecond) * 1000 - performance.now());
    const batch = Array.from({ length: perBatch }, (_, index) => projects[(sent + index) % projects.length]);
    const ids = await insertEvents(bench.client, batch);
    const atMs = Date.now();
    ids.forEach((id, index) => {
      if (batch[index].manner === "fast") committed.set(id, atMs);
    });
  }
  const elapsedS = (performance.now() - beganMs) / 1000;
  const latencies = await waitForArrivals(bench, committed);
  return {
    name,
    perSecond: (perSecond * LATENCY_SECONDS) / elapsedS,
    ...latencies.summary(),
    aim: "p99 1000 ms",
  };
}

async function waitForArrivals({ receiver }, committed) {
  const seen = new Map();
  for (let tries = 0; seen.size < committed.size && tries < 600; tries += 1) {
    await sleep(100);
    const { arrivals } = await receiver.ask({ take: "all" });
    for (const [id, atMs] of arrivals) if (committed.has(id) && !seen.has(id)) seen.set(id, atMs);
  }
  if (seen.size < committed.size) throw new Error(`${committed.size - seen.size} callbacks never came`);
  const latencies = openLatencies();
  for (const [id, atMs] of seen) latencies.record(atMs - committed.get(id));
  return latencies;
}

/** One port and one project for each, known to the service before anything is sent. */
async function projectsFor({ client, receiver, service }, signing, manners) {
  const { ports } = await receiver.ask({ listen: manners });
  const urls = ports.map((port) => `http://127.0.0.1:${port}/callbacks`);
  const projects = await makeProjects(client, service.sandbox.merchant_id, signing, urls);
  const withManner = projects.map((project, index) => ({ ...project, manner: manners[index] }));
  // The first of each makes the project's secrets, which is done once in its life.
  await insertEvents(client, withManner);
  const working = manners.filter((manner) => manner === "fast").length;
  while ((await receiver.ask({ take: "count" })).count < working) await sleep(50);
  await receiver.ask({ take: "all" });
  return withManner;
}

function mixedManners() {
  return ["hangs", "slow", ...Array(ENDPOINTS - 2).fill("fast")];
}

function median(rows) {
  return rows.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(rows.length / 2)];
}
