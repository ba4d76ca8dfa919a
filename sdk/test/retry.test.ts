import { describe, expect, it } from "vitest";
import { createCall } from "../src/call.ts";
import { type Answer, json, startServer } from "./local-server.ts";
import { balance, clientOf, failureOf, fault, hmac, reset, signatureFits, silence } from "./test-client.ts";

describe("retries", () => {
  it.each([
    ["429", json(429, fault("rate_limited"))],
    ["500", json(500, fault("internal_error"))],
    ["502 of a proxy", ((response) => void response.writeHead(502).end("<html>")) as Answer],
    ["503", json(503, fault("unavailable"))],
    ["504", json(504, {})],
    ["a connection that is reset", reset],
    [
      "an answer that breaks off",
      ((response, _, request) => {
        response.writeHead(200, { "content-length": "1000" });
        response.write('{"balance":[', () => request.socket.resetAndDestroy());
      }) as Answer,
    ],
  ])("after %s, and then succeeds", async (_, failure) => {
    await using server = await startServer(failure, failure, json(200, balance));
    const { client, slept } = clientOf(server.url);
    expect(await client.balance.info()).toEqual(balance);
    // Half of 250 ms and half of 500 ms, since the random number is one half.
    expect(slept).toEqual([125, 250]);
  });

  it("after a time-out", async () => {
    await using server = await startServer(silence, json(200, balance));
    // Both attempts run under this limit, so it must be long enough for the one that is answered.
    expect(await clientOf(server.url, { timeoutMs: 1_000 }).client.balance.info()).toEqual(balance);
    expect(server.received.length).toBeGreaterThan(1);
  });

  it("repeats the same bytes under a new timestamp and signature", async () => {
    await using server = await startServer(reset, json(200, balance));
    let seconds = 1706182847;
    const { client } = clientOf(server.url, { now: () => seconds++ * 1_000 });
    await client.balance.info();
    const [first, second] = server.received;
    expect(second?.rawBody).toEqual(first?.rawBody);
    expect(second?.headers["x-access-timestamp"]).toBe("1706182848");
    expect(second?.headers["x-access-signature"]).not.toBe(first?.headers["x-access-signature"]);
    expect(second !== undefined && signatureFits(second, 2)).toBe(true);
  });

  it.each([400, 401, 403, 404, 405, 409, 413, 415, 422, 501])("never after %i", async (status) => {
    await using server = await startServer(json(status, fault("some_code")));
    const { client, slept } = clientOf(server.url);
    expect(await failureOf(client.balance.info())).toMatchObject({ httpStatus: status, code: "some_code" });
    expect(server.received).toHaveLength(1);
    expect(slept).toEqual([]);
  });

  it("give up after retriesMax and throw the last failure", async () => {
    await using server = await startServer(reset, json(500, fault("internal_error")), json(503, fault("unavailable")));
    const error = await failureOf(clientOf(server.url).client.balance.info());
    expect(error).toMatchObject({ code: "unavailable", outcomeUnknown: true });
    expect(server.received).toHaveLength(3);
  });

  it("are none when retriesMax is 0", async () => {
    await using server = await startServer(json(503, fault("unavailable")));
    await failureOf(clientOf(server.url, { retriesMax: 0 }).client.balance.info());
    expect(server.received).toHaveLength(1);
  });

  it("wait as long as Retry-After asks, and the back-off on top", async () => {
    await using server = await startServer(
      json(429, fault("rate_limited"), { "retry-after": "7" }),
      json(200, balance),
    );
    const { client, slept } = clientOf(server.url);
    await client.balance.info();
    expect(slept).toEqual([7_125]);
  });

  it("leave a wait that is too long to the caller", async () => {
    await using server = await startServer(json(429, fault("rate_limited"), { "retry-after": "3600" }));
    const { client, slept } = clientOf(server.url);
    expect(await failureOf(client.balance.info())).toMatchObject({ code: "rate_limited", retryAfterS: 3600 });
    expect(slept).toEqual([]);
  });

  it("pass over a Retry-After that is not in seconds", async () => {
    const date = { "retry-after": "Fri, 31 Jan 2026 10:00:00 GMT" };
    await using server = await startServer(json(503, fault("unavailable"), date), json(200, balance));
    const { client, slept } = clientOf(server.url);
    await client.balance.info();
    expect(slept).toEqual([125]);
  });

  it.each([
    ["503", json(503, fault("unavailable"))],
    ["a lost connection", reset],
  ])("are none for a call that is not safe to repeat: %s", async (_, failure) => {
    await using server = await startServer(failure);
    await failureOf(callOnceTo(server.url));
    expect(server.received).toHaveLength(1);
  });

  it("are made for such a call after 429 too, which says that nothing was done", async () => {
    await using server = await startServer(json(429, fault("rate_limited")), json(200, {}));
    await callOnceTo(server.url);
    expect(server.received).toHaveLength(2);
  });

  it("wait twice as long each time, up to five seconds", async () => {
    await using server = await startServer(json(503, fault("unavailable")));
    const { client, slept } = clientOf(server.url, { retriesMax: 7, random: () => 1 });
    await failureOf(client.balance.info());
    expect(slept).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  });
});

function callOnceTo(baseUrl: string): Promise<unknown> {
  const settings = { baseUrl, credentials: hmac, scheme: 2, timeoutMs: 10_000, retriesMax: 2 } as const;
  const call = createCall({ ...settings, fetch, now: Date.now, random: Math.random, sleep: async () => {} });
  return call("/api/v1/anything", {}, { safeToRepeat: false });
}
