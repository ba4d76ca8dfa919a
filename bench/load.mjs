// Closed-loop load over raw sockets: each connection sends its request, waits for the whole answer, and sends the next.
// Raw, so that the generator costs far less than what it measures.
import { connect } from "node:net";

/** Sends for `seconds` over `connections`; the first `warmupSeconds` are not counted. */
export async function load({ url, connections, seconds, warmupSeconds, requests }) {
  const { hostname, port } = new URL(url);
  const state = { counting: false, ending: false, latenciesMs: [], statuses: new Map() };
  const loops = Array.from({ length: connections }, (_, index) => loop(hostname, Number(port), requests, index, state));
  await sleep(warmupSeconds * 1000);
  state.counting = true;
  const began = performance.now();
  await sleep(seconds * 1000);
  state.counting = false;
  const elapsedS = (performance.now() - began) / 1000;
  state.ending = true;
  await Promise.all(loops);
  return summary(state, elapsedS);
}

function loop(host, port, requests, index, state) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    socket.setNoDelay(true);
    let turn = index;
    let sentAt = 0;
    let pending = Buffer.alloc(0);
    const send = () => {
      sentAt = performance.now();
      socket.write(requests[turn++ % requests.length]);
    };
    socket.on("connect", send);
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const end = answerEnd(pending);
      if (end === undefined || pending.length < end) return;
      if (state.counting) count(state, pending, performance.now() - sentAt);
      pending = pending.subarray(end);
      if (state.ending) {
        socket.end();
        resolve();
      } else send();
    });
    socket.on("close", () => (state.ending ? resolve() : reject(new Error("the server closed a connection"))));
  });
}

const HEAD_END = Buffer.from("\r\n\r\n");

/** Where the first answer in `bytes` ends; undefined while its head is not there yet. */
export function answerEnd(bytes) {
  const head = bytes.indexOf(HEAD_END);
  if (head === -1) return undefined;
  const length = /content-length: (\d+)/i.exec(bytes.toString("latin1", 0, head))?.[1];
  if (length === undefined) throw new Error("an answer without content-length");
  return head + HEAD_END.length + Number(length);
}

function count(state, bytes, latencyMs) {
  state.latenciesMs.push(latencyMs);
  const status = bytes.toString("latin1", 9, 12);
  state.statuses.set(status, (state.statuses.get(status) ?? 0) + 1);
}

function summary({ latenciesMs, statuses }, elapsedS) {
  const ok = statuses.get("200") ?? 0;
  return { perSecond: ok / elapsedS, ...latencySummary(latenciesMs), failed: latenciesMs.length - ok };
}

export function latencySummary(latenciesMs) {
  const sorted = Float64Array.from(latenciesMs).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

export function httpRequest(path, headers, body) {
  const lines = Object.entries({ host: "127.0.0.1", ...headers, "content-length": Buffer.byteLength(body) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n${body}`);
}

export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
