// How fast is each call of a merchant, beside what the machine can do by itself in the same turns?
import { inRounds, oneByOne } from "../ask.mjs";
import { cpuOfEach, publishedCpu, readCpu } from "../kit/cpu-parts.mjs";
import { openLimit } from "../kit/limit.mjs";
import { median } from "../kit/median.mjs";
import { credit } from "../kit/merchant.mjs";
import { startProgram } from "../kit/programs.mjs";
import { addKey, addProjects, untilKnown, withDatabase } from "../kit/projects.mjs";
import { countNamed, somePayins } from "../kit/rows.mjs";
import { startService } from "../kit/service.mjs";
import { readTicks, stolenPercent } from "../kit/stolen.mjs";

const PROJECTS = 100;
/** Other work on the machine comes and goes: everything is measured in turns, and ratios within each turn. */
const ROUNDS = 3;
const WINDOW = { seconds: 2, warmupSeconds: 0.5 };
const HALF_WINDOW = { seconds: 4, warmupSeconds: 1 };
const RSA_SECONDS = 1;
const P99_MS_MAX = 20;
/** More than any machine of today answers: how many requests are signed before anything is known. */
const PEAK_GUESSES = { hmac: 10_000, rsa: 4_000 };
const ASKED_FOR = 2_000;
/** Requests whose signature is being verified count as failed until it is, and all of ours come from one address. */
const ENV = { TILLGATE_AUTH_FAILURES_BURST: "100000" };

/** `of`: what a call's rate is divided by; `aim`: what is to come of it at least. */
const CALLS = [
  { name: "create, HMAC", kind: "payin", key: "hmac", of: "bare transaction", aim: 1.0 },
  { name: "create, RSA", kind: "payin", key: "rsa", of: "bare transaction", aim: 0.85 },
  { name: "create, one project", kind: "payin", key: "hmac", hot: true, of: "create, HMAC", aim: 0.8 },
  { name: "payout, one project", kind: "payout", key: "hmac", hot: true, of: "bare transaction" },
  { name: "info", path: "/api/v1/payment/p2p/payin/info", key: "hmac", of: "bare echo", aim: 0.4 },
  { name: "balance", path: "/api/v1/balance/info", key: "hmac", of: "bare echo", aim: 0.4 },
];

export async function benchCalls() {
  const service = await startService({ role: "api", env: ENV });
  const programs = [];
  const start = (name) => {
    const program = startProgram(name);
    programs.push(program);
    return program;
  };
  try {
    return await withDatabase(service.database, async (client) => {
      const bench = await prepare({ service, client, start });
      const measured = await inRounds(ROUNDS, () => measureRound(bench));
      const halves = await oneByOne(CALLS, (call) => atHalf(bench, call, measured.rounds));
      const missing = await findMissing(bench);
      return report(bench, { ...measured, failure: measured.failure ?? halves.failure ?? missing }, halves.figures);
    });
  } finally {
    for (const program of programs) program.stop();
    await service.stop();
  }
}

async function prepare({ service, client, start }) {
  const projectIds = await addProjects(service, PROJECTS);
  credit(service, projectIds[0]);
  const echo = start("echo-server.mjs");
  const bench = {
    ...{ service, client, projectIds, peaks: {}, created: 0 },
    keys: { hmac: addKey(service, "hmac"), rsa: addKey(service, "rsa") },
    limit: await openLimit(service),
    caller: start("caller.mjs"),
    rsa: start("rsa.mjs"),
    echoUrl: `http://127.0.0.1:${(await echo.ask({ listen: true })).port}`,
  };
  for (const credentials of Object.values(bench.keys)) await untilKnown(service, credentials, projectIds);
  // Code is compiled and tables have rows before anything counts.
  await measureCall(bench, CALLS[0], WINDOW);
  await client.query("vacuum analyze");
  bench.asked = await somePayins(client, ASKED_FOR);
  return bench;
}

async function measureRound(bench) {
  const figures = {
    "bare transaction": { perSecond: await bench.limit.measure(WINDOW.seconds) },
    "bare echo": await measureEcho(bench),
    "RSA signatures": await bench.rsa.ask({ work: { operation: "sign", seconds: RSA_SECONDS } }),
    "RSA verifications": await bench.rsa.ask({ work: { operation: "verify", seconds: RSA_SECONDS } }),
  };
  for (const call of CALLS) {
    figures[call.name] = await measureCall(bench, call, WINDOW);
    bench.peaks[call.name] = figures[call.name].perSecond;
  }
  return figures;
}

async function measureEcho({ caller, echoUrl }) {
  await caller.ask({ signCalls: { path: "/", bodies: [{ general: { project_id: "0".repeat(32) } }] } });
  return caller.ask({ work: { url: echoUrl, ...WINDOW } });
}

/** At a rate, or as fast as it goes. */
async function measureCall(bench, call, { perSecond, seconds, warmupSeconds }) {
  const { service, client, caller } = bench;
  const expected = perSecond ?? Math.max(1_000, 1.5 * (bench.peaks[call.name] ?? PEAK_GUESSES[call.key]));
  await sign(bench, call, Math.ceil(expected * (seconds + warmupSeconds)));
  const cpu = () => readCpu(client, service, caller.cpuSeconds());
  const before = await cpu();
  const ticks = readTicks();
  const result = await caller.ask({ work: { url: service.sandbox.base_url, perSecond, seconds, warmupSeconds } });
  const stolen = stolenPercent(ticks);
  const cpuMs = publishedCpu(cpuOfEach(before, await cpu(), result.answered));
  if (call.kind !== undefined) bench.created += result.answered;
  return { ...result, cpuMs, stolen, rssMb: service.rssMb() };
}

async function sign(bench, call, count) {
  const { caller, keys, projectIds, asked } = bench;
  const credentials = keys[call.key];
  if (call.kind !== undefined) {
    const ids = call.hot ? projectIds.slice(0, 1) : projectIds;
    bench.prefix = (await caller.ask({ signCreates: { kind: call.kind, credentials, projectIds: ids, count } })).prefix;
    return;
  }
  const bodies =
    call.name === "info"
      ? asked.map(({ projectId, paymentId }) => ({ general: { project_id: projectId, payment_id: paymentId } }))
      : projectIds.map((id) => ({ general: { project_id: id } }));
  await caller.ask({ signCalls: { path: call.path, credentials, bodies } });
}

function atHalf(bench, call, rounds) {
  const perSecond = median(rounds.map((round) => round[call.name].perSecond)) / 2;
  return measureCall(bench, call, { perSecond, ...HALF_WINDOW });
}

/** Each create that was answered is a row, or the figures mean nothing. */
async function findMissing({ client, prefix, created }) {
  const count = await countNamed(client, prefix);
  return count >= created ? undefined : `${created} creates were answered, and ${count} are there`;
}

function report({ limit }, { rounds, failure }, halves) {
  const middle = (name, pick = (figure) => figure.perSecond) => median(rounds.map((round) => pick(round[name])));
  const limits = ["bare transaction", "bare echo", "RSA signatures", "RSA verifications"].map((name) => ({
    name: name === "bare transaction" ? limit.name : name,
    perSecond: middle(name),
  }));
  const calls = CALLS.map(({ name, of, aim }) => {
    const ratio = median(rounds.map((round) => round[name].perSecond / round[of].perSecond));
    const { p50Ms, p99Ms, p999Ms, stolen, rssMb } = halves[name] ?? {};
    const cpu = Object.fromEntries(
      ["serviceMs", "postgresMs", "loadMs"].map((part) => [part, middle(name, ({ cpuMs }) => cpuMs[part])]),
    );
    const row = { name, ratio, of, aim, perSecond: middle(name), p50Ms, p99Ms, p999Ms, stolen, ...cpu, rssMb };
    return { ...row, met: (aim === undefined || ratio >= aim) && p99Ms <= P99_MS_MAX };
  });
  return {
    question: `calls of a merchant, beside what the machine does by itself; medians of ${rounds.length} rounds`,
    published: true,
    rows: [...calls, ...limits],
    notes: [
      `Latencies are at half of the peak, and p99 is to be at most ${P99_MS_MAX} ms.`,
      "stolen: percent of the processors' time that other machines on the host took while latencies were measured",
    ],
    rounds,
    failure,
  };
}
