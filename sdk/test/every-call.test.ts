import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type CallOptions, type Tillgate, TillgateAbortError } from "../src/index.ts";
import { json, startServer } from "./local-server.ts";
import { clientOf, failureOf, reset } from "./test-client.ts";
import { cardPayinRequest, cardPayoutRequest, payinRequest, payoutRequest } from "./test-payments.ts";

/** The client beside the contract: every signed call is there, sends what the document asks for, and reads what it shows. */
type Example = { readonly $ref?: string; readonly value?: unknown };
type Operation = {
  readonly security?: readonly unknown[];
  readonly responses: { readonly 200: { readonly content: Record<string, { examples: Record<string, Example> }> } };
};
type Document = {
  readonly security: readonly unknown[];
  readonly paths: Record<string, { readonly post?: Operation }>;
  readonly components: { readonly examples: Record<string, Example> };
};

const document: Document = parse(readFileSync(new URL("../../docs/openapi.yaml", import.meta.url), "utf8"));
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, "document");

const operations = Object.entries(document.paths).flatMap(([path, { post }]) =>
  post !== undefined && (post.security ?? document.security).length > 0 ? [[path, post] as const] : [],
);

/** What the document shows as answers of this path. */
function answersOf(path: string): unknown[] {
  const examples = document.paths[path]?.post?.responses[200].content["application/json"]?.examples ?? {};
  return Object.values(examples).map(({ $ref, value }) =>
    $ref === undefined ? value : document.components.examples[$ref.split("/").at(-1) ?? ""]?.value,
  );
}

type Make = (client: Tillgate, options?: CallOptions) => Promise<unknown>;
const ID = "ord-771";
const widgetOrder = { general: { payment_id: ID }, payment: { amount: 1, currency: "RUB" }, customer: { id: "c" } };

/** Every function of the client, by its name: its path, and whether it is repeated by itself when no answer came. */
const CALLS: Record<string, readonly [path: string, isRepeated: boolean, make: Make]> = {
  "p2p.payin.create": ["/api/v1/payment/p2p/payin", true, (to, o) => to.p2p.payin.create(payinRequest, o)],
  "p2p.payin.info": ["/api/v1/payment/p2p/payin/info", true, (to, o) => to.p2p.payin.info(ID, o)],
  "p2p.payin.confirm": ["/api/v1/payment/p2p/payin/confirm", true, (to, o) => to.p2p.payin.confirm(ID, o)],
  "p2p.payin.cancel": ["/api/v1/payment/p2p/payin/cancel", true, (to, o) => to.p2p.payin.cancel(ID, o)],
  "p2p.payout.create": ["/api/v1/payment/p2p/payout", true, (to, o) => to.p2p.payout.create(payoutRequest, o)],
  "p2p.payout.info": ["/api/v1/payment/p2p/payout/info", true, (to, o) => to.p2p.payout.info(ID, o)],
  "ecom.payin.create": ["/api/v1/payment/ecom/payin", true, (to, o) => to.ecom.payin.create(cardPayinRequest, o)],
  "ecom.payin.info": ["/api/v1/payment/ecom/payin/info", true, (to, o) => to.ecom.payin.info(ID, o)],
  "ecom.payin.confirmThreeDs": [
    "/api/v1/payment/ecom/payin/confirm-3ds-result",
    true,
    (to, o) => to.ecom.payin.confirmThreeDs(ID, { cres: "eyJ0" }, o),
  ],
  "ecom.payout.create": ["/api/v1/payment/ecom/payout", true, (to, o) => to.ecom.payout.create(cardPayoutRequest, o)],
  "ecom.payout.info": ["/api/v1/payment/ecom/payout/info", true, (to, o) => to.ecom.payout.info(ID, o)],
  "widget.payin.create": ["/api/v1/widget/payin", true, (to, o) => to.widget.payin.create(widgetOrder, o)],
  "widget.payin.info": ["/api/v1/widget/payin/info", true, (to, o) => to.widget.payin.info(ID, o)],
  "widget.payin.confirm": ["/api/v1/widget/payin/confirm", true, (to, o) => to.widget.payin.confirm(ID, o)],
  "widget.payin.cancel": ["/api/v1/widget/payin/cancel", true, (to, o) => to.widget.payin.cancel(ID, o)],
  "balance.info": ["/api/v1/balance/info", true, (to, o) => to.balance.info(o)],
  "bank.all": ["/api/v1/bank/all", true, (to, o) => to.bank.all(o)],
  "sandbox.payments": ["/sandbox/api/payments", true, (to, o) => to.sandbox.payments({ limit: 5 }, o)],
  "sandbox.payment": ["/sandbox/api/payment", true, (to, o) => to.sandbox.payment(ID, { direction: "payout" }, o)],
  "sandbox.act": ["/sandbox/api/act", false, (to, o) => to.sandbox.act(ID, { action: "arrive", amount: 7 }, o)],
  "sandbox.clock.forward": ["/sandbox/api/clock", false, (to, o) => to.sandbox.clock.forward(300, o)],
  "sandbox.clock.toExpiry": ["/sandbox/api/clock", false, (to, o) => to.sandbox.clock.toExpiry(ID, {}, o)],
  "sandbox.faults.order": [
    "/sandbox/api/faults",
    false,
    (to, o) => to.sandbox.faults.order({ kind: "slow", ms: 10, times: "always" }, o),
  ],
  "sandbox.faults.list": ["/sandbox/api/faults/list", true, (to, o) => to.sandbox.faults.list(o)],
  "sandbox.faults.clear": ["/sandbox/api/faults/clear", true, (to, o) => to.sandbox.faults.clear(o)],
  "sandbox.callbacks.list": ["/sandbox/api/callbacks", true, (to, o) => to.sandbox.callbacks.list({ after: "a" }, o)],
  "sandbox.callbacks.answer": [
    "/sandbox/api/callbacks/answer",
    false,
    (to, o) => to.sandbox.callbacks.answer({ status: 500, times: 3 }, o),
  ],
};

function functionsOf(value: object, path: string[] = []): string[] {
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === "function" ? [[...path, name].join(".")] : functionsOf(member, [...path, name]),
  );
}

it("the client has every signed call of the contract, and no other", () => {
  expect(operations.length).toBeGreaterThan(20);
  const paths = Object.values(CALLS).map(([path]) => path);
  expect([...new Set(paths)].sort()).toEqual(operations.map(([path]) => path).sort());
  expect(functionsOf(clientOf("https://pay.example").client).sort()).toEqual(Object.keys(CALLS).sort());
});

describe.each(Object.entries(CALLS))("%s", (_, [path, isRepeated, make]) => {
  it("sends what the contract asks for, and reads each answer that it shows", async () => {
    const [first, ...others] = answersOf(path).map((answer) => json(200, answer));
    if (first === undefined) throw new Error(`the document has no example of an answer of ${path}`);
    await using server = await startServer(first, ...others);
    const { client } = clientOf(server.url);
    for (const __ of [first, ...others]) await make(client);
    for (const received of server.received) expect(received.path).toBe(path);
    const at = `document#/paths/${path.replaceAll("/", "~1")}/post/requestBody/content/application~1json/schema`;
    const body: unknown = JSON.parse(server.received[0]?.rawBody.toString() ?? "");
    expect(ajv.validate(at, {})).toBe(false);
    expect(ajv.validate(at, body), JSON.stringify(ajv.errors)).toBe(true);
  });

  it("ends when its signal aborts", async () => {
    const controller = new AbortController();
    await using server = await startServer(() => controller.abort());
    const error = await failureOf(make(clientOf(server.url).client, { signal: controller.signal }));
    expect(error).toBeInstanceOf(TillgateAbortError);
    expect(server.received).toHaveLength(1);
  });

  it(`is ${isRepeated ? "" : "not "}repeated by itself when no answer came`, async () => {
    await using server = await startServer(reset);
    const error = await failureOf(make(clientOf(server.url).client));
    expect(error.outcomeUnknown).toBe(true);
    expect(error.advice).toContain(isRepeated ? "Repeat the same call" : "Look before you call again");
    expect(server.received).toHaveLength(isRepeated ? 3 : 1);
  });
});
