import { expect, vi } from "vitest";
import {
  createTillgate,
  credentialsFromSandboxFile,
  isFinal,
  type Payment,
  type Tillgate,
  type TillgateOptions,
} from "../../sdk/src/index.ts";
import type { TestService } from "../../src/testing/service/test-service.ts";

/** What tests do with the SDK, whatever product they are about. */
export function sandboxClients(service: TestService) {
  const clientOf = (kind: "rsa" | "hmac" = "hmac", options: Partial<TillgateOptions> = {}): Tillgate => {
    const credentials = credentialsFromSandboxFile(service.sandbox(), kind);
    return createTillgate({ baseUrl: service.url(), credentials, ...options });
  };
  return {
    clientOf,
    /** Available and locked together. */
    heldIn: async (currency: string): Promise<number> => {
      const { balance } = await clientOf().balance.info();
      const entry = balance.find((each) => each.currency === currency);
      return (entry?.amount ?? 0) + (entry?.locked_amount ?? 0);
    },
  };
}

export function waitFor(info: () => Promise<Payment>, isEnough: (payment: Payment) => boolean): Promise<Payment> {
  return vi.waitFor(
    async () => {
      const payment = await info();
      expect(isEnough(payment)).toBe(true);
      return payment;
    },
    { timeout: 60_000, interval: 100 },
  );
}

/** A pay-in and a payout at the sandbox, each from its create to its success. */
export async function payInAndOut({ p2p }: Tillgate): Promise<void> {
  const customer = { id: "customer-1", ip_address: "192.0.2.1" };
  const payment = { method: "card-p2p", amount: 250000, currency: "RUB" } as const;
  await p2p.payin.create({ general: { payment_id: "in-1" }, payment, customer });
  const shown = await waitFor(
    () => p2p.payin.info("in-1"),
    ({ sub_status }) => sub_status === "awaiting_confirm",
  );
  expect(shown.status).toBe("processing");
  await p2p.payin.confirm("in-1");
  expect(await waitFor(() => p2p.payin.info("in-1"), isFinal)).toMatchObject({ status: "success" });
  const receiver = { pan: "4242424242424242" };
  await p2p.payout.create({ general: { payment_id: "out-1" }, payment, receiver, customer });
  expect(await waitFor(() => p2p.payout.info("out-1"), isFinal)).toMatchObject({ status: "success" });
}

/** A network that carries the request and loses the answer, so many times. */
export function losing(answers: number): typeof globalThis.fetch {
  let left = answers;
  return async (...request) => {
    const answer = await fetch(...request);
    if (left === 0) return answer;
    left -= 1;
    await answer.arrayBuffer();
    throw new TypeError("fetch failed", { cause: new Error("read ECONNRESET") });
  };
}
