import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Currency } from "../../core/currency.ts";
import type { Minor } from "../../core/money.ts";
import { Secret } from "../../platform/secret.ts";
import { ASKED_FOR, CUSTOMER } from "../../testing/builders/asked-for.ts";
import { openSandboxConnector, type SandboxConnector } from "./connector.ts";

/** A provider that answers whatever a test wants. */
let answer: (response: ServerResponse) => void = (response) => response.end();
const server = createServer((_request, response) => answer(response));
let connector: SandboxConnector;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  connector = openSandboxConnector({ baseUrl, secret: new Secret("s"), timeoutMs: 500 });
});
afterAll(async () => {
  await connector.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const rejected = { reference: "ref", status: "rejected", transfers: [] };
const payout = {
  reference: "ref",
  projectId: "project",
  method: "card-p2p",
  amount: 100n as Minor,
  currency: "RUB" as Currency,
  receiver: { type: "card", pan: "4242424242424242", holder: undefined },
  ...CUSTOMER,
} as const;

const charge = {
  reference: "ref",
  projectId: "project",
  merchantName: undefined,
  amount: 100n as Minor,
  currency: "RUB" as Currency,
  card: { pan: "4242424242424242", cvv: "123", holder: "A B", expiryMonth: 12, expiryYear: 2040 },
  returnUrl: "https://gateway.invalid/return",
  browser: undefined,
  expiresAt: new Date("2030-01-01"),
  ...ASKED_FOR,
} as const;
const declined = { reference: "ref", status: "declined", reason: "insufficient_funds" };

function json(status: number, body: unknown): (response: ServerResponse) => void {
  return (response) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Begins an answer and never ends it. */
function drip(response: ServerResponse): void {
  response.writeHead(200).write("{");
  const timer = setInterval(() => response.write(" "), 50);
  response.on("close", () => clearInterval(timer));
}

const UNCLEAR: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "a 404 that is not the provider's": json(404, { message: "no such host" }),
  "a 404 of another kind": json(404, { error: { code: "not_found" } }),
  "a page": (response) => response.writeHead(200).end("<html>"),
  "a request of another reference": json(200, { ...rejected, reference: "other" }),
  "a rejected request with status 202": json(202, rejected),
  "a rejected request with status 400": json(400, rejected),
  "a bad signature": json(401, { error: { code: "signature_invalid" } }),
  "a conflict": json(409, { error: { code: "reference_conflict" } }),
  "a redirect": (response) => response.writeHead(302, { location: "/" }).end(),
  "an answer without end": drip,
  "an answer too long": json(200, { ...rejected, more: "x".repeat(2 * 1024 * 1024) }),
  "a declined charge of another reference": json(200, { ...declined, reference: "other" }),
  "a declined charge with status 400": json(400, declined),
  "a 422 that is not the provider's": json(422, { message: "no" }),
  "a false result with status 400": json(400, { error: { code: "result_invalid" } }),
  "an approval without its amount": json(200, { reference: "ref", status: "approved" }),
  "half an answer": (response) => {
    response.writeHead(200, { "content-length": "100" }).write(JSON.stringify(rejected));
    response.destroy();
  },
};

it.each(Object.keys(UNCLEAR))("takes %s for unknown", async (name) => {
  answer = UNCLEAR[name] ?? answer;
  const answers = await Promise.all([
    connector.sendPayout(payout),
    connector.askPayoutState("ref"),
    connector.askPayinState("ref"),
    connector.reportConfirm("ref"),
    connector.releaseRequisites("ref"),
    connector.cards.charge(charge),
    connector.cards.askChargeState("ref"),
    connector.cards.passAuthentication("ref", { cres: "eyJ9" }),
    connector.cards.reverse("ref"),
  ]);
  // That a payout's reference stands for another request is certain, and is no answer about the payout.
  const sent = { kind: name === "a conflict" ? "conflict" : "unknown" };
  expect(answers).toEqual([sent, ...answers.slice(1).map(() => ({ kind: "unknown" }))]);
});

it("takes the same request for declined when it is whole and its own", async () => {
  answer = json(200, rejected);
  expect(await connector.sendPayout(payout)).toEqual({ kind: "declined", reason: "other" });
});

it("takes the same charge for declined when it is whole and its own", async () => {
  answer = json(200, declined);
  expect(await connector.cards.charge(charge)).toEqual({ kind: "declined", reason: "insufficient_funds" });
});
