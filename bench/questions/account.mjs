// How fast are the lists of the personal account, with 1,000,000 payments of which 100,000 are the merchant's?
import { listCallbacksInScope } from "../../dist/app/callbacks/list-scope-callbacks.js";
import { readCallbackHealth } from "../../dist/app/callbacks/read-callback-health.js";
import { exportPayments } from "../../dist/app/reports/export-payments.js";
import { listPaymentsInScope } from "../../dist/app/reports/list-payments.js";
import { openExportPlaces } from "../../dist/app/reports/open-export.js";
import { readOverview } from "../../dist/app/reports/read-overview.js";
import { readRegister } from "../../dist/app/reports/read-register.js";
import { readStatement } from "../../dist/app/reports/read-statement.js";
import { openCallLog } from "../../dist/app/request-log/call-log.js";
import { listCallsInScope } from "../../dist/app/request-log/list-calls.js";
import { readCallbackQuestion } from "../../dist/core/callbacks/callback-question.js";
import { readPaymentQuestion } from "../../dist/core/reports/payment-filter.js";
import { readStatementQuestion } from "../../dist/core/reports/statement.js";
import { readCallFilter } from "../../dist/core/request-log/call-filter.js";
import { newId } from "../../dist/platform/new-id.js";
import { openDatabase } from "../../dist/store/db.js";
import { storeAccounts } from "../account-world.mjs";
import { familyCpuSeconds } from "../kit/cpu.mjs";
import { startService } from "../kit/service.mjs";

const COUNT = 1_000_000;
const ROUNDS = 40;
const WARMUP_ROUNDS = 5;
const P95_AIM_MS = 150;
/** An export may grow by so much while it is read: what the garbage collector has not taken yet. */
const EXPORT_GROWTH_MAX_MB = 64;
const DAY_MS = 86_400_000;
const LOGGED_ROWS = 100;
const LOGGED_CALLS_OF_ROW = 100;

const COLUMNS = [
  ["p50 ms", "p50Ms", 1],
  ["p95 ms", "p95Ms", 1],
  ["aim", "aim", 0],
  ["met", "met"],
  ["processor ms", "cpuMs", 1],
  ["of it PostgreSQL", "postgresMs", 1],
];

export async function benchAccount({ count = COUNT }) {
  const service = await startService({ role: "api" });
  const db = openDatabase({
    connection: service.database,
    connectionsMax: 2,
    applicationName: "bench",
    onIdleError: fail,
  });
  try {
    const projects = await storeAccounts(service.database, count);
    const scope = { merchantId: newId(), projects };
    await logCalls(db, projects[0].id);
    const rows = [];
    for (const [name, ask] of Object.entries(await questionsOf(db, scope))) {
      const scanned = await scannedTables(db, ask);
      if (scanned.length > 0) throw new Error(`${name}: reads all of ${scanned.join(", ")}`);
      rows.push({ name, ...(await measure(db, ask, service.postmasterPid)) });
    }
    const file = await measureExport(db, scope);
    return {
      question: `reads of the personal account, with ${count.toLocaleString("en")} payments of which one in ten is the merchant's`,
      columns: COLUMNS,
      rows,
      notes: [
        "Every list is answered with the exact totals of its filter, in one snapshot. No statement reads a whole table.",
        `CSV of ${file.lines.toLocaleString("en")} payments: ${file.seconds.toFixed(1)} s, ${file.megabytes.toFixed(1)} MB; the process grew by ${file.grownMb.toFixed(0)} MB after the first part`,
      ],
      ...(file.grownMb > EXPORT_GROWTH_MAX_MB ? { failure: "the export gathers in memory" } : {}),
    };
  } finally {
    await db.close();
    await service.stop();
  }
}

function fail(error) {
  throw error;
}

const dayAgo = (days) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** Each takes the database to ask, so that the same question can be explained. */
async function questionsOf(db, scope) {
  const list = (query) => (on) => listPaymentsInScope(on, scope, getValue(readPaymentQuestion(query)));
  const page = getValue(await list({})(db));
  const [first] = page.rows;
  const later = getValue(await list({ cursor: page.next })(db)).next;
  const statement = { project: scope.projects[0].id, currency: "RUB" };
  const ofStatement = (read, query) => (on) =>
    read(on, scope, getValue(readStatementQuestion({ ...statement, ...query })));
  const callbacks = (query) => {
    const { question, after } = getValue(readCallbackQuestion(query));
    return (on) => listCallbacksInScope(on, scope, question, after);
  };
  const health = (days) => (on) => readCallbackHealth(on, scope, { projectId: undefined, days, now: new Date() });
  const log = (query) => (on) => listCallsInScope(on, scope, getValue(readCallFilter(query)));
  const overview = (days) => (on) => readOverview(on, scope, { projectId: undefined, days }, new Date());
  return {
    "list, first page": list({}),
    "list, a later page": list({ cursor: later }),
    "list of pay-ins": list({ direction: "payin" }),
    "list of payouts": list({ direction: "payout" }),
    "list by amount": list({ sort: "amount" }),
    "list by amount, smallest first": list({ sort: "amount", order: "asc" }),
    "filter: success": list({ status: "success" }),
    "filter: decline": list({ status: "decline" }),
    "filter: dispute": list({ status: "dispute" }),
    "filter: method": list({ method: "sbp-p2p" }),
    "filter: currency": list({ currency: "UZS" }),
    "filter: amount": list({ min: "500000", max: "510000" }),
    "filter: project": list({ project: scope.projects[1].id }),
    "filter: customer": list({ customer: first.customerId }),
    "filter: customer that is not there": list({ customer: "nothing" }),
    "filter: one day": list({ from: dayAgo(45), to: dayAgo(45) }),
    "filter: 30 days": list({ from: dayAgo(30) }),
    "all filters": list({
      ...{ direction: "payin", status: "success", method: "card-p2p", currency: "RUB", min: "1000", max: "900000" },
      ...{ from: dayAgo(80), to: dayAgo(5), project: scope.projects[0].id, sort: "amount" },
    }),
    "search: request_id": list({ q: first.requestId }),
    "search: payment_id": list({ q: first.paymentId }),
    "search: reference": list({ q: `r${first.requestId}` }),
    "search: nothing": list({ q: "nothing" }),
    "statement of all time": ofStatement(readStatement, {}),
    "statement of 30 days": ofStatement(readStatement, { from: dayAgo(30) }),
    "register of 30 days": ofStatement(readRegister, { from: dayAgo(30) }),
    "overview of today": overview(1),
    "overview of 30 days": overview(30),
    "callbacks: delivered": callbacks({ state: "delivered" }),
    "callbacks: delivered, of 7 days": callbacks({ state: "delivered", from: dayAgo(7) }),
    "callbacks: delivered, of 7 days, a URL that is not there": callbacks({
      ...{ state: "delivered", from: dayAgo(7), url: "https://nothing.example" },
    }),
    "callbacks: given up": callbacks({ state: "dead" }),
    "health of a day": health(1),
    "health of 7 days": health(7),
    "request log": log({}),
    "request log: a search for nothing": log({ q: "nothing" }),
  };
}

/** As many as are kept of a project, a hundred a row. */
async function logCalls(db, projectId) {
  for (let row = 0; row < LOGGED_ROWS; row += 1) {
    const callLog = openCallLog({ db, log: { warn: fail }, nowMs: Date.now });
    for (let number = 0; number < LOGGED_CALLS_OF_ROW; number += 1) {
      const id = newId();
      const body = Buffer.from(JSON.stringify({ general: { project_id: projectId, payment_id: `order-${id}` } }));
      const answer = JSON.stringify({ request_id: newId(), status: "processing" });
      const path = "/api/v1/payment/p2p/payin";
      callLog.note(projectId, { id, path, status: 200, ms: 3.2, address: "192.0.2.1", body, answer, isReplay: false });
    }
    await callLog.close();
  }
}

function getValue(result) {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

async function measure(db, ask, postmasterPid) {
  for (let round = 0; round < WARMUP_ROUNDS; round += 1) getValue(await ask(db));
  const before = { own: ownSeconds(), postgres: familyCpuSeconds(postmasterPid) };
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    getValue(await ask(db));
    times.push(performance.now() - began);
  }
  const postgresMs = ((familyCpuSeconds(postmasterPid) - before.postgres) * 1000) / ROUNDS;
  const ownMs = ((ownSeconds() - before.own) * 1000) / ROUNDS;
  times.sort((a, b) => a - b);
  const p95Ms = times[Math.ceil(ROUNDS * 0.95) - 1];
  return {
    ...{ p50Ms: times[ROUNDS / 2 - 1], p95Ms, aim: P95_AIM_MS, met: p95Ms <= P95_AIM_MS ? "yes" : "no" },
    ...{ cpuMs: postgresMs + ownMs, postgresMs },
  };
}

function ownSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

/** The tables that grow with the payments. */
const LARGE = ["payments", "transfers", "attempts", "callbacks", "payment_history"];

/** Those that a question's plans read from end to end. */
async function scannedTables(db, ask) {
  const scanned = new Set();
  const explained = (run) => async (statement) => {
    if (statement.text.startsWith("set ")) return run(statement);
    const [row] = await run({ ...statement, name: undefined, text: `explain (format json) ${statement.text}` });
    for (const plan of row["QUERY PLAN"]) gather(plan.Plan, scanned);
    return run(statement);
  };
  await ask({ ...db, transaction: (work, mode) => db.transaction((tx) => work({ run: explained(tx.run) }), mode) });
  return [...scanned];
}

function gather(node, scanned) {
  if (node["Node Type"] === "Seq Scan" && LARGE.includes(node["Relation Name"])) scanned.add(node["Relation Name"]);
  for (const child of node.Plans ?? []) gather(child, scanned);
}

/** Read as fast as it comes. Memory is counted from the first part on, when all that an export of any size needs is there. */
async function measureExport(db, scope) {
  const began = performance.now();
  const opened = await exportPayments({ db, places: openExportPlaces() }, scope, getValue(readPaymentQuestion({})));
  const { lineCount, parts } = getValue(opened);
  let [bytes, lines, firstMb, mostMb] = [0, -1, undefined, 0];
  for await (const part of parts) {
    bytes += Buffer.byteLength(part);
    lines += part.split("\r\n").length - 1;
    const nowMb = process.memoryUsage().rss / 1e6;
    firstMb ??= nowMb;
    mostMb = Math.max(mostMb, nowMb);
  }
  if (lines !== lineCount) throw new Error(`the file has ${lines} lines; its filter means ${lineCount}`);
  return { lines, megabytes: bytes / 1e6, seconds: (performance.now() - began) / 1000, grownMb: mostMb - firstMb };
}
