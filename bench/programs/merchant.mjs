// A merchant in a process of its own: it creates payments, receives callbacks, confirms what is to be confirmed, and takes
// the time until each has succeeded. Payments start at a given rate, whether or not earlier ones are done, and latency
// counts from the intended start; or `atOnce` of them are kept under way, which finds the peak.
import { answerQuestions } from "../kit/answer-questions.mjs";
import { openCallbackServer } from "../kit/callback-server.mjs";
import { isOk, sleep } from "../kit/http.mjs";
import { openClient } from "../kit/http-client.mjs";
import { openLatencies } from "../kit/latencies.mjs";
import { confirmRequest, createRequest, FLOWS } from "../kit/merchant-flows.mjs";

const TICK_MS = 1;
const CONNECTIONS = 64;
/** The first and the last tenth are left out of the rate: then not all that can be is under way. */
const RATE_FROM = 0.1;
const RATE_TO = 0.9;

let run;
let runs = 0;

answerQuestions({
  listen: async () => ({ port: await openCallbackServer((body) => run?.receive(JSON.parse(body))) }),
  work: async (work) => {
    try {
      return await workThrough(work);
    } finally {
      run?.client?.close();
      run = undefined;
    }
  },
});

async function workThrough({ url, credentials, projectIds, kind, count, perSecond, atOnce, withinS }) {
  const flow = FLOWS[kind];
  runs += 1;
  run = openRun({ flow, credentials, projectIds, prefix: `${kind}-${runs}-${Date.now().toString(36)}-` });
  run.client = await openClient(url, CONNECTIONS, run.fail);
  const beganMs = performance.now();
  const giveUpMs = beganMs + withinS * 1000;
  for (let made = 0; run.doneMs.length < count; await sleep(TICK_MS)) {
    const nowMs = performance.now();
    const dueMs = (index) => beganMs + (index / perSecond) * 1000;
    const mayStart = () => (perSecond === undefined ? run.busy() < atOnce : dueMs(made) <= nowMs);
    for (; made < count && mayStart(); made += 1) run.start(made, perSecond === undefined ? nowMs : dueMs(made));
    if (run.fault !== undefined) throw new Error(run.fault);
    if (nowMs > giveUpMs)
      throw new Error(`${count - run.doneMs.length} of ${count} were not done in ${withinS} s: ${run.stuck()}`);
  }
  const { doneMs, callbacks } = run;
  return {
    count,
    callbacks,
    perSecond: rateOf(doneMs),
    seconds: (performance.now() - beganMs) / 1000,
    ...run.summaries(),
  };
}

function openRun({ flow, credentials, projectIds, prefix }) {
  const open = new Map();
  const [whole, creates, confirms] = [openLatencies(), openLatencies(), openLatencies()];
  // While the bank of the sandbox has the money under way there is nothing to do.
  let atBank = 0;
  const self = {
    doneMs: [],
    callbacks: 0,
    fault: undefined,
    client: undefined,
    fail: (reason) => {
      self.fault ??= reason;
    },
    busy: () => open.size - atBank,
    stuck: () => JSON.stringify(countBy([...open.values()].map(({ seen }) => seen))),
    start: (index, intendedMs) => {
      const payment = {
        id: `${prefix}${index}`,
        projectId: projectIds[index % projectIds.length],
        intendedMs,
        seen: "nothing",
      };
      open.set(payment.id, payment);
      const request = createRequest(flow, credentials, payment.projectId, payment.id);
      self.client.send(
        request,
        timed(creates, intendedMs, () => {}),
      );
    },
    receive: ({ general: { payment_id: paymentId }, status: { status, sub_status: subStatus } }) => {
      self.callbacks += 1;
      const payment = open.get(paymentId);
      if (payment === undefined) return;
      payment.seen = `${status}:${subStatus}`;
      if (status === "success") finish(payment);
      else if (status !== "processing") self.fail(`a payment became ${payment.seen}`);
      else if (subStatus === "awaiting_confirm" && flow.confirmPath !== undefined) confirm(payment);
    },
    summaries: () => ({ ...whole.summary(), create: creates.summary(), confirm: confirms.summary() }),
  };
  const timed = (latencies, fromMs, then) => (answer) => {
    latencies.record(performance.now() - fromMs);
    if (isOk(answer)) then();
    else self.fail(`a request was answered:\n${answer}`);
  };
  const waitForBank = () => {
    atBank += 1;
    setTimeout(() => (atBank -= 1), flow.bankMs);
  };
  const confirm = (payment) => {
    if (payment.confirmed) return;
    payment.confirmed = true;
    const request = confirmRequest(flow, credentials, payment.projectId, payment.id);
    self.client.send(request, timed(confirms, performance.now(), waitForBank));
  };
  const finish = ({ id, intendedMs }) => {
    open.delete(id);
    const nowMs = performance.now();
    self.doneMs.push(nowMs);
    // The sandbox's bank takes a fixed time, which is left out.
    whole.record(nowMs - intendedMs - flow.bankMs);
  };
  return self;
}

function rateOf(doneMs) {
  const from = Math.floor(doneMs.length * RATE_FROM);
  const to = Math.floor(doneMs.length * RATE_TO);
  return ((to - from) / (doneMs[to] - doneMs[from])) * 1000;
}

function countBy(words) {
  const counts = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
