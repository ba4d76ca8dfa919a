// How fast are creates of card pay-ins? The process that takes a card also sends it on and writes the result, so they are
// slower than creates of transfers, beside which they are measured in the same turns.
import { inRounds } from "../ask.mjs";
import { cpuOfEach, publishedCpu, readCpu } from "../kit/cpu-parts.mjs";
import { sleep } from "../kit/http.mjs";
import { median } from "../kit/median.mjs";
import { startProgram } from "../kit/programs.mjs";
import { addKey, addProjects, untilKnown, withDatabase } from "../kit/projects.mjs";
import { leaveAlone, readCards } from "../kit/rows.mjs";
import { startBeside, startService } from "../kit/service.mjs";

const PROJECTS = 100;
const ROUNDS = 3;
/** A sandbox that has just started is slow. */
const WARMUP = { seconds: 1.5, warmupSeconds: 0 };
const WINDOW = { seconds: 2, warmupSeconds: 0.5 };
const HALF_WINDOW = { seconds: 4, warmupSeconds: 1 };
/** Of the creates of transfers. */
const AIM = 0.4;
const P99_MS_MAX = 20;
/** Until something is known, and in case the last turn was a bad one. */
const PEAK_GUESS = 5_000;
const CHARGED_WITHIN_S = 60;
const ENV = { TILLGATE_AUTH_FAILURES_BURST: "100000" };

export async function benchCards() {
  const service = await startService({ role: "api", env: ENV });
  const caller = startProgram("caller.mjs");
  try {
    return await withDatabase(service.database, async (client) => {
      const projectIds = await addProjects(service, PROJECTS);
      const bench = { service, client, caller, projectIds, credentials: addKey(service, "hmac") };
      await untilKnown(service, bench.credentials, projectIds);
      // Code is compiled and tables have rows before anything counts.
      await measureRound(bench);
      await client.query("vacuum analyze");
      const measured = await inRounds(ROUNDS, () => measureRound(bench));
      const peak = median(measured.rounds.map(({ cards }) => cards.perSecond));
      return report(measured, await measureCards(bench, { perSecond: peak / 2, ...HALF_WINDOW }));
    });
  } finally {
    caller.stop();
    await service.stop();
  }
}

/** The worker runs the sandbox, to which cards are sent. While transfers are created it does not run. */
async function measureRound(bench) {
  const transfers = await creates(bench, "payin", WINDOW);
  await leaveAlone(bench.client);
  return { transfers, cards: await measureCards(bench, WINDOW) };
}

/** When this is over the worker has stopped. A card's processor time counts until it is charged: that is part of the work. */
async function measureCards(bench, window) {
  const { service, client, caller } = bench;
  const worker = await startBeside(service, { role: "worker" });
  try {
    await creates(bench, "card", WARMUP);
    await untilCharged(bench);
    const cpu = () => readCpu(client, service, caller.cpuSeconds());
    const before = await cpu();
    const beganMs = performance.now();
    const result = await creates(bench, "card", window);
    await untilCharged(bench);
    const chargedPerSecond = (result.answered / (performance.now() - beganMs)) * 1000;
    const cpuMs = publishedCpu(cpuOfEach(before, await cpu(), result.answered));
    return { ...result, chargedPerSecond, cpuMs, rssMb: service.rssMb() };
  } finally {
    await worker.stop();
    await leaveAlone(client);
  }
}

async function creates(bench, kind, { perSecond, seconds, warmupSeconds }) {
  const { service, caller, projectIds, credentials } = bench;
  const count = Math.ceil((perSecond ?? PEAK_GUESS) * (seconds + warmupSeconds));
  const { prefix } = await caller.ask({ signCreates: { kind, credentials, projectIds, count } });
  bench.prefix = prefix;
  return caller.ask({ work: { url: service.sandbox.base_url, perSecond, seconds, warmupSeconds } });
}

async function untilCharged({ client, prefix }) {
  for (let tries = 0; tries < CHARGED_WITHIN_S * 10; tries += 1) {
    const { open, declined } = await readCards(client, prefix);
    if (declined > 0) throw new Error(`${declined} cards were declined`);
    if (open === 0) return;
    await sleep(100);
  }
  throw new Error(`cards were not charged within ${CHARGED_WITHIN_S} s`);
}

function report({ rounds, failure }, half) {
  const middle = (pick) => median(rounds.map(pick));
  const ratio = middle(({ cards, transfers }) => cards.perSecond / transfers.perSecond);
  const cpu = Object.fromEntries(
    ["serviceMs", "postgresMs", "sandboxMs", "loadMs"].map((part) => [part, middle(({ cards }) => cards.cpuMs[part])]),
  );
  const { p50Ms, p99Ms, p999Ms, rssMb } = half;
  return {
    question: `creates of card pay-ins beside creates of transfers; medians of ${rounds.length} rounds`,
    published: true,
    rows: [
      {
        ...{
          name: "card create",
          ratio,
          of: "create of a transfer",
          aim: AIM,
          met: ratio >= AIM && p99Ms <= P99_MS_MAX,
        },
        ...{ perSecond: middle(({ cards }) => cards.perSecond), p50Ms, p99Ms, p999Ms, ...cpu, rssMb },
      },
      { name: "card charged", perSecond: middle(({ cards }) => cards.chargedPerSecond) },
      { name: "create of a transfer", perSecond: middle(({ transfers }) => transfers.perSecond) },
    ],
    notes: [
      "Processor time of a card counts until it is charged, the worker's process included.",
      "Charged: from the first create until the acquirer has answered for all of them. The sandbox plays the acquirer.",
    ],
    rounds,
    failure,
  };
}
