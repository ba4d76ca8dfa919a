import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { type Tillgate, TillgateResponseError } from "../src/index.ts";
import { type Answer, json, startServer } from "./local-server.ts";
import { clientOf, failureOf, fault, reset, signatureFits } from "./test-client.ts";
import {
  CARD,
  cardPayinRequest,
  cardPayoutRequest,
  payinRequest,
  paymentObject,
  payoutRequest,
  RECEIVER_PAN,
  REQUISITES_PAN,
} from "./test-payments.ts";

/** What holds for every call that is about a payment, whatever its product. */
const general = { project_id: "project-1", payment_id: "ord-771" };
const replayedHeader = { "idempotent-replayed": "true" };

function challenged(threeDs: object): Record<string, unknown> {
  return paymentObject({ integration: { three_ds: { acs_url: "https://issuer.example", ...threeDs } } });
}

type PaymentCall = readonly [path: string, call: (client: Tillgate) => Promise<unknown>, body: object];
const calls: readonly PaymentCall[] = [
  [
    "p2p/payin",
    (client) => client.p2p.payin.create(payinRequest),
    { ...payinRequest, general: { project_id: "project-1", ...payinRequest.general } },
  ],
  ["p2p/payin/info", (client) => client.p2p.payin.info("ord-771"), { general }],
  ["p2p/payin/confirm", (client) => client.p2p.payin.confirm("ord-771"), { general }],
  ["p2p/payin/cancel", (client) => client.p2p.payin.cancel("ord-771"), { general }],
  [
    "p2p/payout",
    (client) => client.p2p.payout.create(payoutRequest),
    { ...payoutRequest, general: { project_id: "project-1", payment_id: "out-1" } },
  ],
  ["p2p/payout/info", (client) => client.p2p.payout.info("ord-771"), { general }],
  [
    "ecom/payin",
    (client) => client.ecom.payin.create(cardPayinRequest),
    { ...cardPayinRequest, general: { project_id: "project-1", ...cardPayinRequest.general } },
  ],
  ["ecom/payin/info", (client) => client.ecom.payin.info("ord-771"), { general }],
  [
    "ecom/payin/confirm-3ds-result",
    (client) => client.ecom.payin.confirmThreeDs("ord-771", { cres: "eyJj" }),
    { general, three_ds: { cres: "eyJj" } },
  ],
  [
    "ecom/payin/confirm-3ds-result",
    (client) => client.ecom.payin.confirmThreeDs("ord-771", { pa_res: "eyJw", md: "session" }),
    { general, three_ds: { pa_res: "eyJw", md: "session" } },
  ],
  [
    "ecom/payout",
    (client) => client.ecom.payout.create(cardPayoutRequest),
    { ...cardPayoutRequest, general: { project_id: "project-1", payment_id: "out-1" } },
  ],
  ["ecom/payout/info", (client) => client.ecom.payout.info("ord-771"), { general }],
];

describe.each(calls)("%s", (path, call, body) => {
  it("is a signed call of its path, with the project filled in", async () => {
    await using server = await startServer(json(200, paymentObject()));
    await call(clientOf(server.url).client);
    const [received] = server.received;
    expect(received?.path).toBe(`/api/v1/payment/${path}`);
    expect(JSON.parse(received?.rawBody.toString() ?? "")).toEqual(body);
    expect(received !== undefined && signatureFits(received, 2)).toBe(true);
  });

  it.each([
    ["a lost connection", reset],
    ["500", json(500, fault("internal_error"))],
    ["503", json(503, fault("unavailable"), { "retry-after": "1" })],
    ["429", json(429, fault("rate_limited"), { "retry-after": "1" })],
  ])("is repeated after %s, byte for byte", async (_, failure) => {
    await using server = await startServer(failure, json(200, paymentObject(), replayedHeader));
    await call(clientOf(server.url).client);
    const [first, second] = server.received;
    expect(second?.rawBody).toEqual(first?.rawBody);
    expect(second?.path).toBe(first?.path);
  });

  it("is left with an unknown outcome when no attempt was answered, and the next call is the same", async () => {
    await using server = await startServer(reset, reset, reset, json(200, paymentObject()));
    const { client } = clientOf(server.url);
    expect(await failureOf(call(client))).toMatchObject({ outcomeUnknown: true });
    await call(client);
    expect(new Set(server.received.map(({ rawBody }) => rawBody.toString())).size).toBe(1);
  });

  it.each([
    ["no payment at all", { balance: [] }],
    ["an amount as text", paymentObject({ payment: { amount: "1", requested_amount: 1, currency: "RUB" } })],
    ["no status", paymentObject({ status: undefined })],
    ["a status without its sub_status", paymentObject({ sub_status: undefined })],
    ["a card without a number", paymentObject({ requisites: { type: "card", amount: 1, currency: "RUB" } })],
    ["a link without a URL", paymentObject({ requisites: { type: "link", pan: "1", amount: 1, currency: "RUB" } })],
    ["a card without a brand", paymentObject({ card: { pan: "424242******4242" } })],
    ["a challenge of 3-D Secure 2 without its request", challenged({ version: "2.2.0", three_ds_session_data: "s" })],
    ["a challenge of 3-D Secure 2 without its session", challenged({ version: "2.2.0", creq: "c" })],
    ["a challenge of 3-D Secure 1 without a way back", challenged({ version: "1.0.2", pa_req: "p", md: "m" })],
    ["a challenge without the issuer's address", paymentObject({ integration: { three_ds: { version: "2.2.0" } } })],
  ])("does not take %s for a payment", async (_, answer) => {
    await using server = await startServer(json(200, answer));
    const error = await failureOf(call(clientOf(server.url).client));
    expect(error).toBeInstanceOf(TillgateResponseError);
    expect(error.outcomeUnknown).toBe(true);
  });

  it("shows no card number in its errors", async () => {
    const cutShort: Answer = (response) => void response.writeHead(200).end(`[${REQUISITES_PAN},x]`);
    for (const failure of [reset, cutShort, json(422, fault("card_invalid")), json(200, paymentObject({ type: 1 }))]) {
      await using server = await startServer(failure);
      const error = await failureOf(call(clientOf(server.url).client));
      const printed = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true }) + JSON.stringify(error);
      for (const secret of [RECEIVER_PAN, CARD.pan, CARD.cvv]) expect(printed).not.toContain(secret);
      // The parser of the platform would quote what stands before the wrong character.
      expect(printed).not.toContain(REQUISITES_PAN.slice(-8));
    }
  });
});
