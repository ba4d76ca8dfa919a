import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { sleepFor } from "../src/deadline.ts";
import { type CallOptions, TillgateAbortError, TillgateError, TillgateTimeoutError } from "../src/index.ts";
import { json, startServer } from "./local-server.ts";
import { balance, clientOf, failureOf, fault, silence } from "./test-client.ts";
import { cardPayinRequest, payinRequest, paymentObject } from "./test-payments.ts";

const REASON = new Error("the payer left");

describe("an AbortSignal", () => {
  it("ends a create that is under way, whose outcome is then unknown", async () => {
    const controller = new AbortController();
    await using server = await startServer(() => controller.abort(REASON));
    const { client } = clientOf(server.url);
    const error = await failureOf(client.p2p.payin.create(payinRequest, { signal: controller.signal }));
    expect(error).toBeInstanceOf(TillgateAbortError);
    expect(error).not.toBeInstanceOf(TillgateTimeoutError);
    expect(error).toMatchObject({ name: "TillgateAbortError", outcomeUnknown: true, cause: REASON });
    expect(error.message).toContain("may have acted");
    expect(error.advice).toContain("same payment_id");
    expect(server.received).toHaveLength(1);
  });

  it("that has aborted already lets nothing be sent", async () => {
    await using server = await startServer(json(200, paymentObject()));
    const { client } = clientOf(server.url);
    const error = await failureOf(client.ecom.payin.create(cardPayinRequest, { signal: AbortSignal.abort(REASON) }));
    expect(error).toMatchObject({ name: "TillgateAbortError", outcomeUnknown: false, cause: REASON });
    expect(server.received).toHaveLength(0);
  });

  it.each([
    [503, true],
    [429, false],
  ])("ends the wait before a retry; after %i the outcome is unknown: %s", async (status, outcomeUnknown) => {
    const controller = new AbortController();
    await using server = await startServer(json(status, fault("some_code"), { "retry-after": "29" }));
    const waits: number[] = [];
    const sleep = (ms: number, signal?: AbortSignal) => {
      waits.push(ms);
      return sleepFor(ms, signal);
    };
    const { client } = clientOf(server.url, { sleep });
    const call = failureOf(client.p2p.payin.info("ord-771", { signal: controller.signal }));
    await expect.poll(() => waits).toEqual([29_125]);
    controller.abort();
    expect(await call).toMatchObject({ name: "TillgateAbortError", outcomeUnknown });
    expect(server.received).toHaveLength(1);
  });

  it("that never aborts keeps nothing of the calls it was given to", async () => {
    const { signal } = new AbortController();
    await using server = await startServer(json(503, fault("unavailable")), json(200, balance));
    await clientOf(server.url, { sleep: undefined }).client.balance.info({ signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("the options of a call", () => {
  it("replace the client's time and retries", async () => {
    await using server = await startServer(silence);
    const { client } = clientOf(server.url, { timeoutMs: 60_000 });
    const error = await failureOf(client.bank.all({ timeoutMs: 50, retriesMax: 1 }));
    expect(error).toBeInstanceOf(TillgateTimeoutError);
    expect(error.message).toContain("50 ms");
    expect(server.received).toHaveLength(2);
  });

  it.each([
    ["a signal instead of the options", new AbortController().signal],
    ["a number, as map() gives it", 0],
    ["no signal", { signal: {} }],
    ["no time", { timeoutMs: 0 }],
    ["too many retries", { retriesMax: 11 }],
  ])("are refused before anything is sent: %s", async (_, options) => {
    await using server = await startServer(json(200, paymentObject()));
    const error = await failureOf(clientOf(server.url).client.widget.payin.info("ord-771", options as CallOptions));
    expect(error).toBeInstanceOf(TillgateError);
    expect(server.received).toHaveLength(0);
  });
});
