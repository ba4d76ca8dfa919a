// A pool of raw sockets to one server, each with one request at a time: it costs far less than what it measures.
import { connect } from "node:net";
import { answerEnd } from "./http.mjs";

/**
 * `send` hands an answer to `done`; a request that finds every connection busy waits for one. A connection that the server
 * closes while it is idle is replaced when it is needed; one that closes with a request under way is a fault.
 */
export async function openClient(url, connections, onFault) {
  const { hostname, port } = new URL(url);
  const pool = { hostname, port: Number(port), onFault, idle: [], waiting: [], sockets: new Set(), closed: false };
  await Promise.all(Array.from({ length: connections }, () => openSocket(pool)));
  return {
    send: (request, done) => {
      // The one that was idle for longest, so that none is idle for so long that the server closes it.
      const socket = pool.idle.shift();
      if (socket !== undefined) return begin(socket, { request, done });
      pool.waiting.push({ request, done });
      if (pool.sockets.size < connections) openSocket(pool).catch((error) => onFault(error.message));
    },
    close: () => {
      pool.closed = true;
      for (const socket of pool.sockets) socket.destroy();
    },
  };
}

function begin(socket, { request, done }) {
  socket.done = done;
  socket.write(request);
}

function makeFree(pool, socket) {
  const next = pool.waiting.shift();
  if (next === undefined) pool.idle.push(socket);
  else begin(socket, next);
}

function openSocket(pool) {
  return new Promise((resolve, reject) => {
    const socket = connect(pool.port, pool.hostname);
    let pending = Buffer.alloc(0);
    pool.sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("connect", () => {
      makeFree(pool, socket);
      resolve();
    });
    socket.on("error", reject);
    socket.on("close", () => {
      pool.sockets.delete(socket);
      pool.idle = pool.idle.filter((other) => other !== socket);
      if (socket.done !== undefined && !pool.closed) pool.onFault("the server closed a connection");
    });
    socket.on("data", (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const end = answerEnd(pending);
      if (Number.isNaN(end)) pool.onFault(`an answer has no content-length:\n${pending}`);
      if (!(pending.length >= end)) return;
      const answer = pending.subarray(0, end);
      pending = pending.subarray(end);
      const { done } = socket;
      socket.done = undefined;
      // What comes unasked is the server's word that it closes an idle connection.
      if (done === undefined) return;
      makeFree(pool, socket);
      done(answer);
    });
  });
}
