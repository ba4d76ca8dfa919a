import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { httpRequest } from "../../bench/kit/http.mjs";
import { openLoad } from "../../bench/kit/open-load.mjs";

/** Latency counts from the intended start, so a server that stops for a while is seen by all that should have been sent then. */
const STALL_MS = 600;
const request = httpRequest("/", { "content-type": "application/json" }, "{}");
let close = () => {};
afterEach(() => close());

async function serve(delayMs: (number: number) => number): Promise<string> {
  let served = 0;
  const server = createServer((incoming, response) => {
    incoming.resume();
    served += 1;
    setTimeout(() => response.writeHead(200, { "content-length": 0 }).end(), delayMs(served));
  });
  close = () => server.closeAllConnections();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("counts the wait of requests that were due while the server stood still", async () => {
  const url = await serve((number) => (number === 1 ? STALL_MS : 0));
  const load = { url, connections: 1, requests: [request], again: true, seconds: 1, warmupSeconds: 0 };
  const { answered, p50Ms, p99Ms } = await openLoad({ ...load, perSecond: 100 });
  expect(answered).toBe(100);
  expect(p99Ms).toBeGreaterThanOrEqual(STALL_MS * 0.9);
  // A generator that waits for each answer would have seen one slow request of a hundred.
  expect(p50Ms).toBeGreaterThan(10);
});

it("without a rate sends until the time is up or the requests are", async () => {
  const url = await serve(() => 1);
  const shape = { url, connections: 4, warmupSeconds: 0 };
  const { answered } = await openLoad({ ...shape, requests: Array(30).fill(request), seconds: 60 });
  expect(answered).toBe(30);
});

it("says what an unexpected answer was", async () => {
  const url = await serve(() => 0);
  const wrong = Buffer.from("GARBAGE\r\n\r\n");
  const load = { url, connections: 1, requests: [wrong], seconds: 1, warmupSeconds: 0 };
  await expect(openLoad(load)).rejects.toThrow("400 Bad Request");
});
