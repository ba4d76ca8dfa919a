import { createSecretKey } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PayoutRequest } from "../../core/connector.ts";
import type { Currency } from "../../core/currency.ts";
import type { Minor } from "../../core/money.ts";
import { UPSTREAM_DEFAULTS } from "../../core/upstream-settings.ts";
import { Secret } from "../../platform/secret.ts";
import { makeSignature, signedBody } from "../../platform/signing.ts";
import { CUSTOMER } from "../../testing/builders/asked-for.ts";
import {
  openUpstreamConnector,
  openUpstreamMemory,
  type UpstreamConnector,
  type UpstreamOptions,
} from "./connector.ts";

/** A connector whose settings or keys changed is replaced by another one, while its calls may still be on their way. */
const KEY = { kind: "hmac", token: "ak_1", secret: new Secret(Buffer.from("0123456789abcdef")) } as const;
const REFUSED = JSON.stringify({ status: "error", code: "insufficient_balance" });

/** A gateway that loses its first answers, and refuses from then on. */
let isLosing = true;
const gateway = createServer((request, response) => {
  request.resume();
  if (isLosing) request.socket.destroy();
  else response.writeHead(422, { "content-type": "application/json" }).end(REFUSED);
});
const opened: UpstreamConnector[] = [];
beforeAll(async () => {
  gateway.listen(0, "127.0.0.1");
  await once(gateway, "listening");
});
afterAll(async () => {
  await Promise.all(opened.map(({ close }) => close()));
  gateway.close();
});

function open(change: Partial<UpstreamOptions> = {}): UpstreamConnector {
  const connector = openUpstreamConnector({
    code: "acme",
    baseUrl: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
    settings: { ...UPSTREAM_DEFAULTS, merchantId: "m", projectId: "p" },
    callKeys: [KEY],
    callbackKeys: [KEY],
    callbackUrl: () => "http://127.0.0.1/provider/acme/callback",
    banks: () => ({ toTheirs: (symbol) => symbol, toOurs: (symbol) => symbol }),
    mode: "development",
    ...change,
  });
  opened.push(connector);
  return connector;
}

const payout = (reference: string): PayoutRequest => ({
  ...{ reference, projectId: "ours", method: "card-p2p", amount: 100_000n as Minor, currency: "RUB" as Currency },
  receiver: { type: "card", pan: "4242424242424242", holder: undefined },
  ...CUSTOMER,
});

it("knows of calls of the one before, so that a refusal is not certain where an answer was lost", async () => {
  const memory = openUpstreamMemory();
  isLosing = true;
  expect(await open({ memory }).sendPayout(payout("r-1"))).toEqual({ kind: "unknown" });
  isLosing = false;
  const replacement = open({ memory });
  expect(await replacement.sendPayout(payout("r-1"))).toEqual({ kind: "unknown" });
  expect(await replacement.sendPayout(payout("r-2"))).toMatchObject({ kind: "declined" });
});

it("takes no callback that the one before took", () => {
  const body = {
    project_id: "p",
    general: { request_id: "q", payment_id: "r-3" },
    payment_info: { type: "payout", method: "card-p2p" },
  };
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = createSecretKey(KEY.secret.reveal());
  const notification = {
    rawBody: Buffer.from(JSON.stringify(body)),
    headers: {
      "x-access-timestamp": timestamp,
      "x-access-merchant-algorithm": "HMAC-SHA512",
      "x-access-signature": makeSignature("HMAC-SHA512", key, signedBody(body, timestamp)),
    },
  };
  const memory = openUpstreamMemory();
  const subjects = [{ direction: "payout", reference: "r-3" }];
  expect(open({ memory }).readNotification(notification)).toEqual({ ok: true, value: subjects });
  expect(open({ memory }).readNotification(notification)).toEqual({ ok: true, value: [] });
});
