// What does a gateway in front of another one add? The same payments are made at B itself, and at A, which sends them on to B.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRounds } from "../ask.mjs";
import { cpuOfEach, publishedCpu, readCpu } from "../kit/cpu-parts.mjs";
import { sleep } from "../kit/http.mjs";
import { median } from "../kit/median.mjs";
import { openMerchant } from "../kit/merchant.mjs";
import { withDatabase } from "../kit/projects.mjs";
import { startService } from "../kit/service.mjs";

const ROUNDS = 3;
const KINDS = ["payin", "card"];
/** The processes of two gateways are new, and compile what a payment needs. */
const WARMUP = { count: 300, atOnce: 50 };
/** While the last callbacks of a load are marked, and B's balance is still asked for. */
const SETTLE_MS = 1_000;
const HALF_SECONDS = 8;
const PROVIDER = "upstream-b";
const ROUTES = ["payin:card-p2p", "payin:card-ecom", "payout:card-p2p", "payout:card-ecom"];
const ENV = { TILLGATE_AUTH_FAILURES_BURST: "100000" };

export async function benchUpstream({ count = 1_000, atOnce = 200 }) {
  const [a, b] = [await startService({ env: ENV }), await startService({ env: ENV })];
  const merchants = { direct: await openMerchant(b), through: await openMerchant(a) };
  try {
    return await withDatabase(a.database, (clientA) =>
      withDatabase(b.database, async (clientB) => {
        await connect(a, b, clientB);
        const projectIds = {
          direct: await merchants.direct.addProjects(1, { signing: "hmac" }),
          through: await merchants.through.addProjects(1, { signing: "hmac" }),
        };
        for (const route of ROUTES) a.cli("project", "set", projectIds.through[0], "--route", `${route}=${PROVIDER}`);
        const bench = { a, b, clientA, clientB, merchants, projectIds, count, atOnce };
        await warmUp(bench);
        const measured = await inRounds(ROUNDS, () => measureRound(bench));
        return report(measured, { count, atOnce, rss: { a: a.rssMb(), b: b.rssMb() } });
      }),
    );
  } finally {
    for (const merchant of Object.values(merchants)) merchant.stop();
    await a.stop();
    await b.stop();
  }
}

/** A's account at B is the project that B's development mode made. */
async function connect(a, b, clientB) {
  const { base_url, merchant_id, project_id, hmac_key_id, hmac_secret, callback_hmac_secret } = b.sandbox;
  await clientB.query(
    "update projects set callback_signing = 'hmac', rate_per_second = 1000000, rate_burst = 1000000 where id = $1",
    [project_id],
  );
  const where = ["--kind", "upstream", "--book", "test", "--base-url", base_url];
  const who = ["--merchant-id", merchant_id, "--project-id", project_id, "--key-id", hmac_key_id];
  const files = [
    "--key",
    secretFile(a, "call", hmac_secret),
    "--callback-key",
    secretFile(a, "callback", callback_hmac_secret),
  ];
  a.cli("provider", "add", PROVIDER, ...where, ...who, ...files);
}

function secretFile({ stateDir }, name, secret) {
  const path = join(stateDir, `${name}.secret`);
  writeFileSync(path, secret, { mode: 0o600 });
  return path;
}

async function warmUp({ merchants, projectIds }) {
  for (const kind of KINDS) {
    for (const way of Object.keys(merchants))
      await merchants[way].work({ ...WARMUP, kind, projectIds: projectIds[way] });
  }
}

/** In turns, so that other work on the machine meets both ways. Latencies of both are taken at half of A's peak. */
async function measureRound(bench) {
  const round = {};
  for (const kind of KINDS) {
    const load = { kind, count: bench.count, atOnce: bench.atOnce };
    const [direct, through] = [await measureWay(bench, "direct", load), await measureWay(bench, "through", load)];
    const perSecond = through.perSecond / 2;
    const half = { kind, count: Math.ceil(perSecond * HALF_SECONDS), perSecond };
    const halves = [await measureWay(bench, "direct", half), await measureWay(bench, "through", half)];
    round[kind] = { direct: { ...direct, half: halves[0] }, through: { ...through, half: halves[1] } };
  }
  return round;
}

/** With the processor time of one payment, of each gateway by itself. */
async function measureWay({ a, b, clientA, clientB, merchants, projectIds }, way, load) {
  const read = async () => [await readCpu(clientA, a), await readCpu(clientB, b)];
  const before = await read();
  const result = await merchants[way].work({ ...load, projectIds: projectIds[way] });
  await sleep(SETTLE_MS);
  const after = await read();
  const [ofA, ofB] = after.map((cpu, at) => publishedCpu(cpuOfEach(before[at], cpu, load.count)));
  return { ...result, cpu: { a: ofA, b: ofB } };
}

const NAMES = { payin: "whole pay-in", card: "whole card payment" };

function report({ rounds, failure }, { count, atOnce, rss }) {
  const rows = KINDS.flatMap((kind) => {
    const of = (pick) => median(rounds.map((round) => pick(round[kind])));
    const ratio = of(({ direct, through }) => through.perSecond / direct.perSecond);
    return [
      rowOf(`${NAMES[kind]} at B`, (pick) => of(({ direct }) => pick(direct))),
      { ...rowOf(`${NAMES[kind]} through A`, (pick) => of(({ through }) => pick(through))), ratio, of: "at B" },
      createRow(`  create of it at B`, (pick) => of(({ direct }) => pick(direct.half.create))),
      createRow(`  create of it at A`, (pick) => of(({ through }) => pick(through.half.create))),
    ];
  });
  return {
    question: `what a gateway in front of another one adds: ${count} of each at the peak, ${atOnce} at work at once; medians of ${rounds.length} rounds`,
    rows,
    notes: [
      "Latencies, of both ways, are at half of A's peak, and without the 2 s that the sandbox's bank takes for a transfer.",
      "A and B, each with its PostgreSQL, B's sandbox and the load share this machine: on machines of their own the ratio of the rates would be higher.",
      ...KINDS.map((kind) => costNote(kind, rounds)),
      `RSS after the load: A ${rss.a.toFixed(0)} MB, B ${rss.b.toFixed(0)} MB`,
    ],
    rounds,
    failure,
  };
}

function rowOf(name, of) {
  return {
    name,
    perSecond: of(({ perSecond }) => perSecond),
    ...{
      p50Ms: of(({ half }) => half.p50Ms),
      p99Ms: of(({ half }) => half.p99Ms),
      p999Ms: of(({ half }) => half.p999Ms),
    },
    serviceMs: of(({ cpu }) => cpu.a.serviceMs + cpu.b.serviceMs),
    postgresMs: of(({ cpu }) => cpu.a.postgresMs + cpu.b.postgresMs),
    sandboxMs: of(({ cpu }) => cpu.a.sandboxMs + cpu.b.sandboxMs),
  };
}

function createRow(name, of) {
  return { name, p50Ms: of(({ p50Ms }) => p50Ms), p99Ms: of(({ p99Ms }) => p99Ms), p999Ms: of(({ p999Ms }) => p999Ms) };
}

/** An idle gateway takes a little too, such as B's own sandbox and A's while payments are made at B. */
function costNote(kind, rounds) {
  const of = (way, gateway) =>
    median(rounds.map((round) => round[kind][way].cpu[gateway].serviceMs + round[kind][way].cpu[gateway].postgresMs));
  const [alone, ofA, ofB] = [of("direct", "b"), of("through", "a"), of("through", "b")];
  const added = (ofA + ofB) / alone;
  return (
    `${NAMES[kind]}, processor time of service and PostgreSQL: at B itself ${alone.toFixed(2)} ms; ` +
    `through A ${ofA.toFixed(2)} ms of A and ${ofB.toFixed(2)} ms of B, ${added.toFixed(2)} times as much together`
  );
}
