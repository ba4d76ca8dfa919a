// One scenario: a steady load, the fault, the recovery, and when the load has ended and every payment with it, the checks.
import { checkScenario } from "./check.mjs";
import { longestGap, percentile, tally } from "./figures.mjs";
import { errorsSince, markLogs } from "./gateway.mjs";
import { openLoad } from "./load.mjs";
import { sleep } from "./wait.mjs";

const RECOVERED_WITHIN_MS = 120_000;
/** Served again means: creates were acknowledged in each of the last seconds. */
const SERVED_FOR_S = 3;
const ALL_FINAL_WITHIN_MS = 150_000;
const LOOK_EVERY_MS = 250;

export function newBook() {
  return { answers: [], acknowledged: new Map(), refused: [] };
}

export async function runScenario(scenario, world, { steadyMs, afterMs, rate }) {
  const { cluster, gateway, merchant, inbox, projectId } = world;
  await cluster.healthy();
  const book = newBook();
  world.book = book;
  const marks = markLogs(gateway);
  const stall = watchStalls();
  const endsBefore = gateway.unexpectedEnds;
  const load = openLoad({ merchant, projectId, rate, book: () => book });
  await sleep(steadyMs);
  const faultMs = Date.now();
  const mend = await scenario.begin(world);
  await sleep(Math.max(0, faultMs + (scenario.leastMs ?? 0) - Date.now()));
  const served = scenario.leastMs === undefined ? await untilServed(book, faultMs) : true;
  await mend?.();
  if (scenario.leastMs !== undefined) await untilServed(book, Date.now());
  await sleep(afterMs);
  const endMs = Date.now();
  await load.stop();
  const inFlightMs = await untilAllFinal(book, inbox, faultMs);
  const gap = longestGap(acknowledgedTimes(book), faultMs - steadyMs, endMs);
  const stallMs = stall.end();
  const errors = errorsSince(marks);
  const checked = await checkScenario({ ...world, book });
  return {
    ...{ name: scenario.name, title: scenario.title, aimS: scenario.aimS, served },
    ...{ stallMs, gapMs: gap.ms, gapFromMs: gap.fromMs - faultMs, inFlightMs },
    answers: tally(book.answers.map(({ word }) => word)),
    p99Ms: percentile(
      book.answers.map(({ ms }) => ms),
      99,
    ),
    payments: book.acknowledged.size,
    refused: tally(book.refused),
    ...checked,
    states: tally(checked.states),
    ...{ errorLines: errors.length, errors: tally(errors.map(messageOf)).slice(0, ERRORS_SHOWN) },
    unexpectedEnds: gateway.unexpectedEnds - endsBefore,
  };
}

const TICK_MS = 50;

/** How long this process itself did not run: a machine that stands still makes every figure of time worthless. */
function watchStalls() {
  let longestMs = 0;
  let lastMs = performance.now();
  const ticker = setInterval(() => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs - TICK_MS);
    lastMs = nowMs;
  }, TICK_MS);
  return {
    end: () => {
      clearInterval(ticker);
      return Math.round(longestMs);
    },
  };
}

const ERRORS_SHOWN = 10;

function messageOf(line) {
  try {
    const { msg, error, err, reason } = JSON.parse(line);
    return [msg, error?.message ?? err?.message, reason].filter((part) => part !== undefined).join(": ");
  } catch {
    return line.slice(0, 200);
  }
}

function acknowledgedTimes({ acknowledged }) {
  return [...acknowledged.values()].map(({ atMs }) => atMs);
}

async function untilServed(book, fromMs) {
  const giveUpMs = Date.now() + RECOVERED_WITHIN_MS;
  while (Date.now() < giveUpMs) {
    const now = Date.now();
    const times = acknowledgedTimes(book);
    const served = Array.from({ length: SERVED_FOR_S }, (_, ago) =>
      times.some((ms) => ms <= now - ago * 1000 && ms > now - (ago + 1) * 1000),
    );
    if (now - fromMs > SERVED_FOR_S * 1000 && served.every(Boolean)) return true;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}

/** From the fault until the merchant was told the end of every payment that was acknowledged; undefined when it was not. */
async function untilAllFinal({ acknowledged }, { finals }, faultMs) {
  const giveUpMs = Date.now() + ALL_FINAL_WITHIN_MS;
  const all = [...acknowledged.values()];
  while (all.some(({ requestId }) => !finals.has(requestId))) {
    if (Date.now() > giveUpMs) return undefined;
    await sleep(LOOK_EVERY_MS);
  }
  // Those that were under way when it broke: a later one has had no fault.
  const underWay = all.filter(({ atMs }) => atMs <= faultMs);
  return Math.max(0, ...underWay.map(({ requestId }) => finals.get(requestId).atMs - faultMs));
}
