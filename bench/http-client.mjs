// A pool of raw sockets to one server, each with one request at a time: it costs far less than what it measures.
import { connect } from "node:net";
import { answerEnd } from "./load.mjs";

/** `send` hands an answer's status and body to `done`; a request that finds every connection busy waits for one. */
export async function openClient(url, connections, onFault) {
  const { hostname, port } = new URL(url);
  const idle = [];
  const waiting = [];
  const begin = (socket, request, done) => {
    socket.done = done;
    socket.write(request);
  };
  const take = (socket, answer) => {
    const { done } = socket;
    const next = waiting.shift();
    if (next === undefined) idle.push(socket);
    else begin(socket, next.request, next.done);
    done(answer);
  };
  const sockets = await Promise.all(
    Array.from({ length: connections }, () => openSocket(hostname, Number(port), take, onFault)),
  );
  idle.push(...sockets);
  return {
    send: (request, done) => {
      const socket = idle.pop();
      if (socket === undefined) waiting.push({ request, done });
      else begin(socket, request, done);
    },
    close: () => {
      for (const socket of sockets) socket.removeAllListeners("close").destroy();
    },
  };
}

function openSocket(host, port, take, onFault) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    let pending = Buffer.alloc(0);
    socket.setNoDelay(true);
    socket.on("connect", () => resolve(socket));
    socket.on("error", (error) => {
      reject(error);
      onFault(error.message);
    });
    socket.on("close", () => onFault("the server closed a connection"));
    socket.on("data", (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const end = answerEnd(pending);
      if (end === undefined || pending.length < end) return;
      const answer = pending.subarray(0, end);
      pending = pending.subarray(end);
      take(socket, answer);
    });
  });
}
