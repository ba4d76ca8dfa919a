// A receiver of callbacks in a process of its own, over raw sockets so that it costs little beside what it measures. It
// listens on as many ports as it is told to, each of which answers at once, after a while ("slow"), or never ("hangs").
import { createServer } from "node:net";
import { answerQuestions } from "../kit/answer-questions.mjs";

const SLOW_MS = 9_000;
const OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
const HEAD_END = Buffer.from("\r\n\r\n");

/** When each event came first, by its id. */
let arrivals = new Map();

answerQuestions({
  listen: async (manners) => ({ ports: await Promise.all(manners.map(openPort)) }),
  take: (what) => {
    if (what === "count") return { count: arrivals.size };
    const taken = [...arrivals];
    arrivals = new Map();
    return { arrivals: taken };
  },
});

function openPort(manner) {
  const server = createServer((socket) => {
    let pending = Buffer.alloc(0);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      for (let end = requestEnd(pending); end !== undefined && pending.length >= end; end = requestEnd(pending)) {
        receive(pending.toString("latin1", 0, end), manner, socket);
        pending = pending.subarray(end);
      }
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
}

function requestEnd(bytes) {
  const head = bytes.indexOf(HEAD_END);
  if (head === -1) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(bytes.toString("latin1", 0, head))?.[1] ?? "0";
  return head + HEAD_END.length + Number(length);
}

function receive(text, manner, socket) {
  const id = /\r\nwebhook-id: ([0-9a-f]+)/i.exec(text)?.[1];
  if (!arrivals.has(id)) arrivals.set(id, Date.now());
  if (manner === "fast") socket.write(OK);
  if (manner === "slow") setTimeout(() => socket.write(OK), SLOW_MS);
}
