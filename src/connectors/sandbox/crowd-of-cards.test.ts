import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Currency } from "../../core/currency.ts";
import type { Minor } from "../../core/money.ts";
import { newId } from "../../platform/new-id.ts";
import { Secret } from "../../platform/secret.ts";
import { ASKED_FOR } from "../../testing/builders/asked-for.ts";
import { openSandboxConnector } from "./connector.ts";

/** As many as a process charges at once. */
const CHARGES = 64;

/** Takes requests, and answers none of them. */
const arrived = { charges: 0, questions: 0 };
const silent = createServer((request) => {
  request.resume();
  arrived[request.url === "/cards/charges" ? "charges" : "questions"] += 1;
});
beforeAll(() => new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
});

it("no charge waits for a connection, though other questions hold all of theirs", async () => {
  const { port } = silent.address() as AddressInfo;
  const connector = openSandboxConnector({
    baseUrl: `http://127.0.0.1:${port}`,
    secret: new Secret("a secret of the sandbox"),
    timeoutMs: 60_000,
  });
  const questions = Array.from({ length: CHARGES }, () => connector.askPayinState(newId()));
  const charges = Array.from({ length: CHARGES }, () => connector.cards.charge(aCharge()));
  await vi.waitFor(() => expect(arrived.charges).toBe(CHARGES), { timeout: 20_000 });
  expect(arrived.questions).toBeLessThan(CHARGES);
  await connector.close();
  await Promise.all([...questions, ...charges]);
});

function aCharge() {
  return {
    reference: newId(),
    projectId: newId(),
    merchantName: "Shop",
    amount: 1_000n as Minor,
    currency: "RUB" as Currency,
    card: { pan: "4242424242424242", cvv: "987", holder: "OLGA", expiryMonth: 12, expiryYear: 2041 },
    returnUrl: "http://127.0.0.1:1/return",
    browser: undefined,
    expiresAt: new Date(Date.now() + 600_000),
    ...ASKED_FOR,
  };
}
