// Open-loop load over raw sockets. Each request has a time at which it is to be sent, whether or not earlier ones were
// answered, and its latency counts from that time: one that finds every connection busy waits, and the wait counts too.
// Without a rate every request is due at once, so each connection is always busy, which finds the peak.
// Requests come ready to be written, signed beforehand, and go one at a time over each connection.
import { connect } from "node:net";
import { answerEnd, latencySummary, sleep } from "./load.mjs";

const TICK_MS = 1;

/**
 * With `perSecond`, sends all requests at that rate; without it, sends for `seconds` after `warmupSeconds`, or until there
 * are no more. Answers that come in the warm-up, and latencies of what was due in it, are not counted.
 */
export async function openLoad({ url, connections, requests, perSecond, seconds, warmupSeconds }) {
  const run = { requests, perSecond, sent: 0, answered: 0, counted: 0, latenciesMs: [], idle: [], failure: undefined };
  await Promise.all(Array.from({ length: connections }, () => openConnection(new URL(url), run)));
  run.beganMs = performance.now();
  run.countFromMs = run.beganMs + warmupSeconds * 1000;
  run.endMs = run.countFromMs + seconds * 1000;
  while (!isOver(run) || run.answered < run.sent) {
    while (run.idle.length > 0 && isNextDue(run)) send(run, run.idle.pop());
    if (run.failure !== undefined) throw new Error(run.failure);
    await sleep(TICK_MS);
  }
  for (const socket of run.idle) socket.destroy();
  const countedS = (run.endMs - run.countFromMs) / 1000;
  return { perSecond: run.counted / countedS, answered: run.answered, ...latencySummary(run.latenciesMs) };
}

/** What is due and still waits for a connection when the time is up is sent all the same: leaving it out would flatter. */
function isOver(run) {
  const hasRate = run.perSecond !== undefined;
  return run.sent === run.requests.length || (!hasRate && performance.now() >= run.endMs);
}

function isNextDue(run) {
  return !isOver(run) && dueMs(run, run.sent) <= performance.now();
}

function dueMs(run, index) {
  return run.perSecond === undefined ? run.beganMs : run.beganMs + (index / run.perSecond) * 1000;
}

function send(run, socket) {
  socket.requestIndex = run.sent;
  socket.write(run.requests[run.sent]);
  run.sent += 1;
  // Out of requests before the time was up: what can be counted ends here.
  if (run.sent === run.requests.length) run.endMs = Math.min(run.endMs, performance.now());
}

function openConnection({ hostname, port }, run) {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let pending = Buffer.alloc(0);
    socket.setNoDelay(true);
    socket.on("connect", () => {
      run.idle.push(socket);
      resolve();
    });
    socket.on("error", reject);
    socket.on("end", () => {
      run.failure ??= "the server closed a connection";
    });
    socket.on("data", (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const end = answerEnd(pending);
      if (end === undefined || pending.length < end) return;
      take(run, socket, pending);
      pending = pending.subarray(end);
      if (isNextDue(run)) send(run, socket);
      else run.idle.push(socket);
    });
  });
}

const OK = Buffer.from("HTTP/1.1 200");

function take(run, { requestIndex }, answer) {
  run.answered += 1;
  if (!answer.subarray(0, OK.length).equals(OK)) run.failure ??= `a request was answered:\n${answer}`;
  const nowMs = performance.now();
  if (nowMs >= run.countFromMs && nowMs <= run.endMs) run.counted += 1;
  const intendedMs = dueMs(run, requestIndex);
  if (intendedMs >= run.countFromMs) run.latenciesMs.push(nowMs - intendedMs);
}
