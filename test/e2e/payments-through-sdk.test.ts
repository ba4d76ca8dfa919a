import { describe, expect, it } from "vitest";
import {
  isFinal,
  type P2pPayinRequest,
  type P2pPayoutRequest,
  type Tillgate,
  TillgateApiError,
  TillgateNetworkError,
} from "../../sdk/src/index.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { losing, sandboxClients, waitFor } from "./through-sdk.ts";

const { db, ...database } = useTestDatabase();
const { clientOf, heldIn } = sandboxClients(useTestService({ db, ...database }));
const customer = { id: "customer-1", ip_address: "192.0.2.1" };
let counted = 0;

function newId(): string {
  counted += 1;
  return `sdk-${counted}`;
}

function payinOf(paymentId: string, amount = 250000): P2pPayinRequest {
  return {
    general: { payment_id: paymentId },
    payment: { method: "card-p2p", amount, currency: "RUB" },
    customer,
  };
}

function payoutOf(paymentId: string, amount = 100000, currency = "RUB"): P2pPayoutRequest {
  return {
    general: { payment_id: paymentId },
    payment: { method: "card-p2p", amount, currency },
    receiver: { pan: "4242424242424242" },
    customer,
  };
}

async function countPayments(paymentId: string): Promise<number> {
  const rows = await db.run<{ count: number }>({
    text: "select count(*)::int as count from payments where payment_id = $1",
    values: [paymentId],
  });
  return rows[0]?.count ?? 0;
}

describe.each([
  ["rsa", 1],
  ["rsa", 2],
  ["hmac", 1],
  ["hmac", 2],
] as const)("with %s and scheme %i", (kind, scheme) => {
  it("a pay-in and a payout go from create to success, and the balance moves by net and cost", async () => {
    const { p2p } = clientOf(kind, { scheme });
    const before = await heldIn("RUB");
    const [payin, payout] = [newId(), newId()];
    const created = await p2p.payin.create(payinOf(payin));
    expect(created).toMatchObject({ replayed: false, payment: { status: "processing", sub_status: "new" } });
    const { requisites } = await waitFor(
      () => p2p.payin.info(payin),
      (payment) => payment.requisites !== undefined,
    );
    expect(requisites).toMatchObject({ type: "card", pan: expect.stringMatching(/^\d{16}$/), amount: 250000 });
    expect((await p2p.payin.confirm(payin)).sub_status).toBe("paid");
    expect((await waitFor(() => p2p.payin.info(payin), isFinal)).status).toBe("success");
    await p2p.payout.create(payoutOf(payout));
    expect((await waitFor(() => p2p.payout.info(payout), isFinal)).status).toBe("success");
    expect(await heldIn("RUB")).toBe(before + 243750 - 101000);
  });
});

describe("a lost answer", () => {
  it.each(["payin", "payout"] as const)("makes no second %s: the client repeats the same bytes", async (direction) => {
    const { p2p } = clientOf("hmac", { fetch: losing(2), sleep: async () => {} });
    const paymentId = newId();
    const { payment, replayed } =
      direction === "payin" ? await p2p.payin.create(payinOf(paymentId)) : await p2p.payout.create(payoutOf(paymentId));
    expect([payment.payment_id, replayed]).toEqual([paymentId, true]);
    expect(await countPayments(paymentId)).toBe(1);
  });

  it("leaves the outcome unknown when the attempts are used up; the same call again finds the payment", async () => {
    const paymentId = newId();
    const lost = clientOf("hmac", { fetch: losing(3), sleep: async () => {} });
    const error = await lost.p2p.payout.create(payoutOf(paymentId)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TillgateNetworkError);
    expect(error).toMatchObject({ outcomeUnknown: true });
    expect((await lost.p2p.payout.create(payoutOf(paymentId))).replayed).toBe(true);
    expect(await countPayments(paymentId)).toBe(1);
  });

  it("of a confirm and of a cancel is made good too", async () => {
    const [confirmed, cancelled] = [newId(), newId()];
    const { p2p } = clientOf();
    for (const paymentId of [confirmed, cancelled]) {
      await p2p.payin.create(payinOf(paymentId));
      await waitFor(
        () => p2p.payin.info(paymentId),
        ({ sub_status }) => sub_status === "awaiting_confirm",
      );
    }
    const flaky = () => clientOf("hmac", { fetch: losing(1), sleep: async () => {} }).p2p.payin;
    expect((await flaky().confirm(confirmed)).status).not.toBe("decline");
    expect(await flaky().cancel(cancelled)).toMatchObject({ status: "decline", decline_code: "cancelled" });
  });
});

it("of many creates at once, one creates and the others are replays", async () => {
  const { p2p } = clientOf();
  const paymentId = newId();
  // In a currency of its own, since other tests' payments may still be on their way.
  const request = payoutOf(paymentId, 100000, "KZT");
  const before = await heldIn("KZT");
  const all = await Promise.all(Array.from({ length: 20 }, () => p2p.payout.create(request)));
  expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(new Set(all.map(({ payment }) => payment.request_id)).size).toBe(1);
  await waitFor(() => p2p.payout.info(paymentId), isFinal);
  expect(await heldIn("KZT")).toBe(before - 101000);
});

describe("a refusal", () => {
  it.each([
    [
      "another body under the same id",
      409,
      "payment_id_conflict",
      (p2p: Tillgate["p2p"], id: string) =>
        p2p.payin.create(payinOf(id)).then(() => p2p.payin.create(payinOf(id, 250100))),
    ],
    [
      "more than there is",
      422,
      "insufficient_balance",
      (p2p: Tillgate["p2p"], id: string) => p2p.payout.create(payoutOf(id, 9_000_000_000_000)),
    ],
    ["a payment that there is not", 404, "payment_not_found", (p2p: Tillgate["p2p"], id: string) => p2p.payin.info(id)],
    [
      "a confirm too early",
      409,
      "wrong_state",
      (p2p: Tillgate["p2p"], id: string) =>
        p2p.payin
          .create(payinOf(id))
          .then(() => p2p.payin.cancel(id))
          .then(() => p2p.payin.confirm(id)),
    ],
  ] as const)("for %s is an error with its code", async (_, httpStatus, code, refused) => {
    const error = await refused(clientOf().p2p, newId()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TillgateApiError);
    expect(error).toMatchObject({ httpStatus, code, outcomeUnknown: false, requestId: expect.any(String) });
  });

  it("of a wrong member names it", async () => {
    const wrong = { ...payinOf(newId()), customer: { ...customer, phone: "89001234567" } };
    const error = await clientOf()
      .p2p.payin.create(wrong)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "validation_failed", fieldErrors: [{ field: "customer.phone" }] });
  });
});
