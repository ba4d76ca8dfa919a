// How fast are creates of card pay-ins? The process that takes a card also sends it on and writes what became of it, so
// they are slower than creates of transfers, beside which they are measured in the same run.
import { inRounds } from "./ask.mjs";
import { createRequests, PAYMENT_ID_PREFIX } from "./create-requests.mjs";
import { sleep } from "./load.mjs";
import { openLoad } from "./open-load.mjs";
import { addKey, addProjects, withDatabase } from "./projects.mjs";
import { startBeside, startService } from "./service.mjs";

const PROJECTS = 100;
const CONNECTIONS = 128;
/** Other work on the machine comes and goes: both are measured in turns, and the ratio within each turn. */
const ROUNDS = 5;
const WINDOW = { seconds: 2, warmupSeconds: 0.5 };
/** Of the creates of transfers. */
const AIM = 0.4;
/** Until something is known, and in case the last turn was a bad one. */
const PEAK_GUESS = 4_000;
const CHARGED_WITHIN_S = 60;
const ENV = { TILLGATE_AUTH_FAILURES_BURST: "100000" };

export async function benchEcom() {
  const service = await startService({ role: "api", env: ENV });
  try {
    const projectIds = await addProjects(service, PROJECTS);
    const bench = { service, projectIds, credentials: addKey(service, "hmac"), peaks: {} };
    // Code is compiled and tables have rows before anything counts.
    await measureRound(bench);
    await withDatabase(service.database, (client) => client.query("vacuum analyze"));
    return report(await inRounds(ROUNDS, () => measureRound(bench)));
  } finally {
    await service.stop();
  }
}

/** The worker runs the sandbox, to which cards are sent. While transfers are created it does not run. */
async function measureRound(bench) {
  const { cpu } = bench.service;
  const atFirst = cpu();
  const transfers = await creates(bench, "p2p");
  const transferCpuUs = cpuOfEach(atFirst, cpu(), transfers);
  await leaveAlone(bench);
  const ofCards = await measureCards(bench);
  await leaveAlone(bench);
  return { transfers, transferCpuUs, ...ofCards };
}

/** When this is over the worker has stopped: the worker and a statement that changes all payments would deadlock. */
async function measureCards(bench) {
  const { cpu } = bench.service;
  const worker = await startBeside(bench.service, { role: "worker" });
  try {
    const before = cpu();
    const cards = await creates(bench, "ecom");
    const charged = await untilCharged(bench, cards);
    return { cards, charged, cardCpuUs: cpuOfEach(before, cpu(), cards) };
  } finally {
    await worker.stop();
  }
}

async function creates(bench, product) {
  const { service, projectIds, credentials } = bench;
  const expected = Math.max(PEAK_GUESS, 1.5 * (bench.peaks[product] ?? 0));
  const count = Math.ceil(expected * (WINDOW.seconds + WINDOW.warmupSeconds));
  // Signed before the clock runs.
  const requests = createRequests({ credentials, projectIds, count, product });
  const beganMs = performance.now();
  const load = { url: service.sandbox.base_url, connections: CONNECTIONS, requests, ...WINDOW };
  const result = await openLoad(load);
  bench.peaks[product] = result.perSecond;
  return { ...result, beganMs };
}

/** A card's counts until it is charged: sending it is a part of the work. */
function cpuOfEach(before, after, { answered }) {
  const us = (name) => ((after[name] - before[name]) / answered) * 1e6;
  return { service: us("service"), postgres: us("postgres") };
}

/** Rows are locked in the order of their keys, as everywhere. */
const LEAVE_ALONE = `
  with made as (
    select project_id, request_id from payments
     where due_at is not null and starts_with(payment_id, $1)
     order by project_id, request_id
       for no key update)
  update payments p set due_at = null
    from made m where p.project_id = m.project_id and p.request_id = m.request_id`;

/** What was made needs no work any more: the next turn begins with an idle worker. */
async function leaveAlone({ service }) {
  await withDatabase(service.database, (client) => client.query(LEAVE_ALONE, [PAYMENT_ID_PREFIX]));
}

const OPEN_AND_DECLINED = `
  select count(*) filter (where state like 'processing:%')::int as open,
         count(*) filter (where state = 'decline')::int as declined
    from payments where product = 'ecom' and starts_with(payment_id, $1)`;

/** How many cards are charged in a second, from the first create to the last answer of the acquirer. */
async function untilCharged({ service }, { beganMs, answered }) {
  return withDatabase(service.database, async (client) => {
    for (let tries = 0; tries < CHARGED_WITHIN_S * 10; tries += 1) {
      const { open, declined } = (await client.query(OPEN_AND_DECLINED, [PAYMENT_ID_PREFIX])).rows[0];
      if (declined > 0) throw new Error(`${declined} cards were declined`);
      if (open === 0) return (answered / (performance.now() - beganMs)) * 1000;
      await sleep(100);
    }
    throw new Error(`cards were not charged within ${CHARGED_WITHIN_S} s`);
  });
}

function report({ rounds, failure }) {
  const middle = (pick) => median(rounds.map(pick));
  const us = (pick) => `${middle(pick).toFixed(0)} µs`;
  const ratios = rounds.map(({ cards, transfers }) => cards.perSecond / transfers.perSecond);
  return {
    question: `signed creates of card pay-ins beside p2p/payin, over ${CONNECTIONS} connections; medians of ${rounds.length} rounds`,
    rows: [
      { name: "transfers created", perSecond: middle(({ transfers }) => transfers.perSecond) },
      {
        name: "cards created",
        perSecond: middle(({ cards }) => cards.perSecond),
        ratio: median(ratios),
        aim: `${AIM} of the transfers`,
      },
      { name: "cards charged", perSecond: middle(({ charged }) => charged) },
    ],
    notes: [
      `Processor time of a transfer: service ${us(({ transferCpuUs }) => transferCpuUs.service)}, PostgreSQL ${us(({ transferCpuUs }) => transferCpuUs.postgres)}; of a card, until it is charged: service ${us(({ cardCpuUs }) => cardCpuUs.service)}, PostgreSQL ${us(({ cardCpuUs }) => cardCpuUs.postgres)}, which the sandbox uses too`,
      `The ratio went from ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}.`,
      "Charged: from the first create until the acquirer has answered for all of them. The sandbox plays the acquirer in the worker's process, on the same machine.",
    ],
    rounds,
    failure,
  };
}

function median(figures) {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
}
