import { describe, expect, it } from "vitest";
import { TillgateApiError, TillgateNetworkError, TillgateResponseError, TillgateTimeoutError } from "../src/index.ts";
import { type Answer, json, startServer } from "./local-server.ts";
import { balance, bank, clientOf, failureOf, fault, reset, silence } from "./test-client.ts";

describe("failures", () => {
  it("carry everything the service said", async () => {
    const errors = [{ field: "payment.amount", code: "too_big", message: "must be at most 10000000000000" }];
    await using server = await startServer(json(400, { ...fault("validation_failed"), errors: [...errors, 7, {}] }));
    const error = await failureOf(clientOf(server.url).client.balance.info());
    expect(error).toBeInstanceOf(TillgateApiError);
    expect(error).toMatchObject({
      name: "TillgateApiError",
      message: "400 validation_failed: it is validation_failed",
      httpStatus: 400,
      code: "validation_failed",
      description: "it is validation_failed",
      fieldErrors: errors,
      requestId: "req-1",
      retryAfterS: undefined,
      outcomeUnknown: false,
    });
  });

  it.each(["<html>", "", "null", "[]", '"text"', '{"code":7,"errors":{}}'])(
    "are typed whatever the body: %s",
    async (text) => {
      await using server = await startServer((response) => void response.writeHead(404).end(text));
      const error = await failureOf(clientOf(server.url).client.balance.info());
      expect(error).toMatchObject({ httpStatus: 404, code: "unknown", fieldErrors: [], requestId: undefined });
    },
  );

  it.each([
    [500, true],
    [503, true],
    [429, false],
    [409, false],
  ])("with status %i are of unknown outcome: %s", async (status, outcomeUnknown) => {
    await using server = await startServer(json(status, fault("some_code")));
    expect(await failureOf(clientOf(server.url).client.balance.info())).toMatchObject({ outcomeUnknown });
  });

  it("after a lost connection are of unknown outcome", async () => {
    await using server = await startServer(reset);
    const error = await failureOf(clientOf(server.url).client.balance.info());
    expect(error).toBeInstanceOf(TillgateNetworkError);
    expect(error).not.toBeInstanceOf(TillgateTimeoutError);
    expect(error).toMatchObject({ name: "TillgateNetworkError", outcomeUnknown: true });
    expect(server.received).toHaveLength(3);
  });

  it("stay of unknown outcome when only a later attempt was refused", async () => {
    await using server = await startServer(
      reset,
      json(429, fault("rate_limited")),
      json(401, fault("signature_invalid")),
    );
    const error = await failureOf(clientOf(server.url).client.balance.info());
    expect(error).toMatchObject({ httpStatus: 401, outcomeUnknown: true });
  });

  it("tell of a service that is not there", async () => {
    const server = await startServer(silence);
    await server.close();
    expect(await failureOf(clientOf(server.url).client.balance.info())).toBeInstanceOf(TillgateNetworkError);
  });

  it("tell of silence, and of an answer that stalls after its head", async () => {
    const stalls: Answer = (response) => void response.writeHead(200).write('{"balance":');
    for (const answer of [silence, stalls]) {
      await using server = await startServer(answer);
      const error = await failureOf(clientOf(server.url, { timeoutMs: 50, retriesMax: 0 }).client.balance.info());
      expect(error).toBeInstanceOf(TillgateTimeoutError);
      expect(error).toMatchObject({ name: "TillgateTimeoutError", outcomeUnknown: true });
    }
  });

  it.each([301, 302, 303, 307, 308])("tell of a redirect, which is not followed: %i", async (status) => {
    await using target = await startServer(json(200, balance));
    await using server = await startServer(
      (response) => void response.writeHead(status, { location: target.url }).end(),
    );
    const error = await failureOf(clientOf(server.url).client.balance.info());
    expect(error).toBeInstanceOf(TillgateResponseError);
    expect(server.received).toHaveLength(1);
    expect(target.received).toHaveLength(0);
  });

  it.each([
    ["not JSON", "<html>"],
    ["cut short but whole", '{"balance":['],
    ["another thing", "[]"],
    ["an amount as text", '{"balance":[{"currency":"RUB","amount":"1","locked_amount":0}]}'],
    ["an amount with a fraction", '{"balance":[{"currency":"RUB","amount":1.5,"locked_amount":0}]}'],
    ["an entry that lacks a member", '{"balance":[{"currency":"RUB","amount":1}]}'],
  ])("tell of a 200 that is no balance: %s", async (_, text) => {
    await using server = await startServer((response) => void response.writeHead(200).end(text));
    expect(await failureOf(clientOf(server.url).client.balance.info())).toBeInstanceOf(TillgateResponseError);
    expect(server.received).toHaveLength(1);
  });

  it("tell of a 200 that is no list of banks", async () => {
    await using server = await startServer(json(200, [{ ...bank, is_sbp_bank: 1 }]));
    const error = await failureOf(clientOf(server.url).client.bank.all());
    expect(error.message).toContain("0.is_sbp_bank");
  });

  it("tell of an answer without end, of which no more than the limit is read", async () => {
    const endless: Answer = (response) => {
      const chunk = Buffer.alloc(1024 * 1024, " ");
      const more = () => void (response.destroyed || response.write(chunk, more));
      response.writeHead(200);
      more();
    };
    await using server = await startServer(endless);
    const error = await failureOf(clientOf(server.url).client.balance.info());
    expect(error).toBeInstanceOf(TillgateResponseError);
    expect(error.message).toContain("exceeds");
  });
});
