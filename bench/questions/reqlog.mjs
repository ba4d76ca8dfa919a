// What do creates lose to the request log? Two processes on one database, one that keeps it and one that does not, in turns. Both
// run beside the one that holds the database: that one does more, which a comparison with it would count as the log's.
import { inRounds } from "../ask.mjs";
import { cpuOfEach, publishedCpu, readCpu } from "../kit/cpu-parts.mjs";
import { sleep } from "../kit/http.mjs";
import { median } from "../kit/median.mjs";
import { startProgram } from "../kit/programs.mjs";
import { addKey, addProjects, untilKnown, withDatabase } from "../kit/projects.mjs";
import { leaveAlone } from "../kit/rows.mjs";
import { startBeside, startService } from "../kit/service.mjs";

const PROJECTS = 100;
const ROUNDS = 12;
const WINDOW = { seconds: 3, warmupSeconds: 0.5 };
const PEAK_GUESS = 6_000;
/** Of the rate without the log. */
const AIM = 0.95;
/** The last calls of a turn are written a second later, which is part of what they cost. */
const WRITTEN_WITHIN_MS = 1_500;
const ENV = { TILLGATE_AUTH_FAILURES_BURST: "100000" };

export async function benchReqlog({ projects = PROJECTS } = {}) {
  const service = await startService({ role: "api", env: { ...ENV, TILLGATE_REQUEST_LOG: "off" } });
  const caller = startProgram("caller.mjs");
  const beside = [];
  try {
    for (const log of ["on", "off"])
      beside.push(await startBeside(service, { role: "api", env: { ...ENV, TILLGATE_REQUEST_LOG: log } }));
    const [logging, without] = beside;
    return await withDatabase(service.database, (client) =>
      measure({ service, logging, without, caller, client, projects }),
    );
  } finally {
    caller.stop();
    for (const each of beside) await each.stop();
    await service.stop();
  }
}

async function measure({ service, logging, without, caller, client, projects }) {
  const projectIds = await addProjects(service, projects);
  const credentials = addKey(service, "hmac");
  for (const each of [logging, without]) await untilKnown(each, credentials, projectIds);
  const bench = { service, caller, client, projectIds, credentials };
  const sides = [
    { name: "with the log", url: logging.sandbox.base_url },
    { name: "without", url: without.sandbox.base_url },
  ];
  // Code is compiled and tables have rows before anything counts.
  for (const { url } of sides) await creates(bench, url);
  await leaveAlone(client);
  await client.query("vacuum analyze");
  const measured = await inRounds(ROUNDS, async (round) => {
    const figures = {};
    for (const { name, url } of round % 2 === 0 ? sides : sides.toReversed()) {
      figures[name] = await creates(bench, url);
      await leaveAlone(client);
    }
    return figures;
  });
  return report(measured, { projects, stored: await readStored(client) });
}

async function creates({ service, caller, client, projectIds, credentials }, url) {
  const count = Math.ceil(PEAK_GUESS * (WINDOW.seconds + WINDOW.warmupSeconds));
  await caller.ask({ signCreates: { kind: "payin", credentials, projectIds, count } });
  const cpu = () => readCpu(client, service, caller.cpuSeconds());
  const before = await cpu();
  const result = await caller.ask({ work: { url, ...WINDOW } });
  await sleep(WRITTEN_WITHIN_MS);
  return { ...result, cpuMs: publishedCpu(cpuOfEach(before, await cpu(), result.answered)) };
}

async function readStored(client) {
  const { rows } = await client.query(
    `select coalesce(sum(call_count), 0)::int as calls, count(*)::int as chunks,
            coalesce(sum(length(heads) + length(bodies)), 0)::float8 as bytes from request_log`,
  );
  return rows[0];
}

function report({ rounds, failure }, { projects, stored }) {
  const middle = (name, pick) => median(rounds.map((round) => pick(round[name])));
  const row = (name) => ({
    name,
    perSecond: middle(name, ({ perSecond }) => perSecond),
    serviceMs: middle(name, ({ cpuMs }) => cpuMs.serviceMs),
    postgresMs: middle(name, ({ cpuMs }) => cpuMs.postgresMs),
  });
  const ratio = median(rounds.map((round) => round["with the log"].perSecond / round.without.perSecond));
  const own = ({ serviceMs, postgresMs }) => serviceMs + postgresMs;
  const extra = median(rounds.map((round) => own(round["with the log"].cpuMs) - own(round.without.cpuMs)));
  return {
    question: `creates with the request log and without it, ${projects} projects; medians of ${rounds.length} rounds`,
    rows: [{ ...row("with the log"), ratio, of: "without", aim: AIM, met: ratio >= AIM }, row("without")],
    notes: [
      `Processor time that a create takes for the log, service and PostgreSQL: ${(extra * 1000).toFixed(1)} µs.`,
      `Kept: ${stored.calls} calls in ${stored.chunks} rows, ${(stored.bytes / Math.max(1, stored.calls)).toFixed(0)} bytes each.`,
    ],
    rounds,
    stored,
    failure,
  };
}
