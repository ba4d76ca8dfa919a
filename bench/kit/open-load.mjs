// Open-loop load. Each request has a time at which it is to be sent, whether or not earlier ones were answered, and its
// latency counts from that time: one that finds every connection busy waits, and the wait counts too.
// Without a rate every request is due at once, so each connection is always busy, which finds the peak.
import { isOk, sleep } from "./http.mjs";
import { openClient } from "./http-client.mjs";
import { openLatencies } from "./latencies.mjs";

const TICK_MS = 1;

/**
 * Sends for `seconds` after `warmupSeconds`. Answers that come in the warm-up, and latencies of what was due in it, are not
 * counted. Requests come ready to be written; with `again` they are sent more than once.
 */
export async function openLoad({ url, connections, requests, again = false, perSecond, seconds, warmupSeconds }) {
  const run = { sent: 0, answered: 0, counted: 0, latencies: openLatencies(), failure: undefined };
  const fail = (reason) => {
    run.failure ??= reason;
  };
  const client = await openClient(url, connections, fail);
  const beganMs = performance.now();
  const countFromMs = beganMs + warmupSeconds * 1000;
  let endMs = countFromMs + seconds * 1000;
  const dueMs = (index) => (perSecond === undefined ? beganMs : beganMs + (index / perSecond) * 1000);
  // At a rate, what is due and waits when the time is up is sent all the same: leaving it out would flatter.
  const dueMax = perSecond === undefined ? Number.POSITIVE_INFINITY : perSecond * (seconds + warmupSeconds);
  const last = Math.min(dueMax, again ? Number.POSITIVE_INFINITY : requests.length);
  const isOver = () => run.sent >= last || (perSecond === undefined && performance.now() >= endMs);
  const roomFor = () => perSecond !== undefined || run.sent - run.answered < connections;

  const sendDue = () => {
    while (!isOver() && roomFor() && dueMs(run.sent) <= performance.now()) {
      const intendedMs = dueMs(run.sent);
      client.send(requests[run.sent % requests.length], (answer) => take(answer, intendedMs));
      run.sent += 1;
      // Out of requests before the time was up: what can be counted ends here.
      if (run.sent >= last && perSecond === undefined) endMs = Math.min(endMs, performance.now());
    }
  };
  const take = (answer, intendedMs) => {
    run.answered += 1;
    if (!isOk(answer)) fail(`a request was answered:\n${answer}`);
    const nowMs = performance.now();
    if (nowMs >= countFromMs && nowMs <= endMs) run.counted += 1;
    if (intendedMs >= countFromMs) run.latencies.record(nowMs - intendedMs);
    if (perSecond === undefined) sendDue();
  };

  while (!isOver() || run.answered < run.sent) {
    sendDue();
    if (run.failure !== undefined) break;
    await sleep(TICK_MS);
  }
  client.close();
  if (run.failure !== undefined) throw new Error(run.failure);
  const countedS = Math.max(0.001, (endMs - countFromMs) / 1000);
  return { perSecond: run.counted / countedS, answered: run.answered, ...run.latencies.summary() };
}
