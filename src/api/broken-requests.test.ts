import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import fastify from "fastify";
import { expect, it } from "vitest";
import { openBrokenRequests } from "./broken-requests.ts";

const silent = { info: () => undefined, debug: () => undefined };

/** A server with the doors of the real one, which loses patience after a fraction of a second instead of 30. */
async function startImpatient() {
  const broken = openBrokenRequests(silent, undefined);
  const server = fastify({
    requestTimeout: 200,
    http: { connectionsCheckingInterval: 50, headersTimeout: 100 },
    clientErrorHandler: broken.answer,
  });
  server.addHook("onRequest", (request, reply, done) => {
    broken.began({ request: request.raw, response: reply.raw, id: request.id });
    done();
  });
  server.addHook("onResponse", (request, _reply, done) => {
    broken.ended(request.raw.socket);
    done();
  });
  server.post("/", async () => "whole");
  await server.listen({ port: 0, host: "127.0.0.1" });
  return { port: (server.server.address() as AddressInfo).port, close: () => server.close() };
}

it.each([
  [
    "a body that never ends",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nhalf",
  ],
  [
    "chunks that never end",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
  ],
  ["headers that never end", "POST / HTTP/1.1\r\nHost: x\r\n"],
])("%s: 400, while the client still listens", async (_name, bytes) => {
  const server = await startImpatient();
  const socket = connect(server.port, "127.0.0.1").setEncoding("utf8");
  socket.write(bytes);
  let answer = "";
  socket.on("data", (text) => {
    answer += text;
  });
  await once(socket, "end");
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(answer).toContain("the request did not arrive in time");
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  await server.close();
});

it("closes a connection on which nothing was asked without a word", async () => {
  const server = await startImpatient();
  const socket = connect(server.port, "127.0.0.1").setEncoding("utf8");
  let answer = "";
  socket.on("data", (text) => {
    answer += text;
  });
  await once(socket, "close");
  expect(answer).toBe("");
  await server.close();
});
