import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ExchangeRequest, openExchanges } from "./exchanges.ts";

const paths: string[] = [];
let answer: (response: ServerResponse, request: IncomingMessage) => void = (response) => response.end();
const server = createServer((request, response) => {
  paths.push(request.url ?? "");
  answer(response, request);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function get(path: string): ExchangeRequest {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, method: "GET", path, headers: {}, body: null };
}

it("answers with status and body, and not at all where no server listens or the address is none", async () => {
  answer = (response) => response.writeHead(418).end("short and stout");
  const { exchange, close } = openExchanges({ timeoutMs: 5_000, connectionsMax: 2 });
  expect(await exchange(get("/pot"))).toEqual({ status: 418, body: Buffer.from("short and stout") });
  expect(await exchange({ ...get("/"), origin: "http://127.0.0.1:1" })).toBeUndefined();
  expect(await exchange({ ...get("/"), origin: "nowhere" })).toBeUndefined();
  await close();
  expect(await exchange(get("/pot"))).toBeUndefined();
});

it("never sends later what waited for a connection until its time was over", async () => {
  const held: ServerResponse[] = [];
  answer = (response) => held.push(response);
  const { exchange, close } = openExchanges({ timeoutMs: 200, connectionsMax: 1 });
  const slow = exchange(get("/slow"));
  await expect.poll(() => held.length).toBe(1);
  const waited = exchange(get("/waited"));
  // Both are over when the timer runs: no connection becomes free in between.
  standStill(250);
  expect(await Promise.all([slow, waited])).toEqual([undefined, undefined]);
  answer = (response) => response.end("late");
  expect(await exchange(get("/next"))).toEqual({ status: 200, body: Buffer.from("late") });
  expect(paths.filter((path) => ["/slow", "/waited", "/next"].includes(path))).toEqual(["/slow", "/next"]);
  await close();
});

it("takes an answer that arrived while this process stood still past the time", async () => {
  const timeoutMs = 1_000;
  answer = (response) => {
    response.end("in time");
    standStill(timeoutMs);
  };
  const { exchange, close } = openExchanges({ timeoutMs, connectionsMax: 1 });
  expect(await exchange(get("/"))).toEqual({ status: 200, body: Buffer.from("in time") });
  await close();
});

it("counts the time from the request to the last byte, for each exchange by itself", async () => {
  answer = (response, request) => {
    if (request.url === "/quick") return response.end("done");
    response.writeHead(200).write(" ");
    const dripping = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(dripping));
  };
  const { exchange, close } = openExchanges({ timeoutMs: 300, connectionsMax: 4 });
  const beganMs = performance.now();
  const first = exchange(get("/drip")).then((result) => ({ result, tookMs: performance.now() - beganMs }));
  await sleep(150);
  const second = exchange(get("/drip")).then((result) => ({ result, tookMs: performance.now() - beganMs }));
  expect(await exchange(get("/quick"))).toMatchObject({ status: 200 });
  expect((await first).result).toBeUndefined();
  expect((await first).tookMs).toBeGreaterThanOrEqual(300);
  expect((await second).result).toBeUndefined();
  expect((await second).tookMs).toBeGreaterThanOrEqual(450);
  await close();
});
