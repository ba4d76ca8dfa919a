import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Payment } from "../../sdk/src/index.ts";
import { json, startServer } from "../../sdk/test/local-server.ts";
import { METHODS, type Method } from "../../src/core/merchants/methods.ts";
import { movePayments } from "../../src/store/payments/move-clock.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { contractWith, sendable } from "./ask-service.ts";
import { loadContract } from "./contract.ts";

/** Takes payments through every state that the sandbox can bring about, and holds every answer to the document. */
const database = useTestDatabase();
const service = useTestService(database);
const { operations, ask } = contractWith(service);
const { validateCallback, callbackHeaders } = loadContract();

const PAYIN = "/api/v1/payment/p2p/payin";
const PAYOUT = "/api/v1/payment/p2p/payout";
const customer = { id: "customer-1", ip_address: "192.0.2.1" };

type Body = Record<string, unknown>;
/** Takes the callbacks of every payment that `create` makes. */
let shop: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  shop = await startServer(json(200, {}));
});
afterAll(() => shop.close());
let counted = 0;

function projectId(): string {
  return service.sandbox().project_id;
}

function general(paymentId: string): { project_id: string; payment_id: string } {
  return { project_id: projectId(), payment_id: paymentId };
}

/** Creates a payment under a new id and returns that. */
async function create(path: string, changes: { payment?: Body; receiver?: Body } = {}): Promise<string> {
  counted += 1;
  const paymentId = `served-${counted}`;
  const payment = { method: "card-p2p", amount: 250000, currency: "RUB", ...changes.payment };
  const receiver = path === PAYOUT ? { receiver: changes.receiver ?? { pan: "4242424242424242" } } : {};
  const urls = { merchant_callback_url: `${shop.url}/callbacks` };
  const body = { general: { ...general(paymentId), ...urls }, payment, ...receiver, customer };
  const created = await ask(path, body);
  expect([created.status, created.json.status, created.json.sub_status]).toEqual([200, "processing", "new"]);
  return paymentId;
}

/** Waits until the payment is there; each answer on the way is held to the document too. */
async function reaches(path: string, paymentId: string, status: string, subStatus: string | null): Promise<Payment> {
  return vi.waitFor(
    async () => {
      const answer = await ask(`${path}/info`, { general: general(paymentId) });
      const payment = answer.json as unknown as Payment;
      expect([payment.status, payment.sub_status]).toEqual([status, subStatus]);
      return payment;
    },
    { timeout: 60_000, interval: 100 },
  );
}

async function tell(call: "confirm" | "cancel", paymentId: string): Promise<Payment> {
  const answer = await ask(`${PAYIN}/${call}`, { general: general(paymentId) });
  expect(answer.status).toBe(200);
  return answer.json as unknown as Payment;
}

function examplesOf(path: string): [string, Body][] {
  const examples = operations.find((operation) => operation.path === path)?.requestExamples ?? {};
  return Object.entries(examples).map(([name, example]) => [name, sendable(example, projectId())]);
}

const VALUE_MEMBER = { card: "pan", phone: "phone", account: "account_number", link: "url" } as const;

describe("pay-ins", () => {
  it("of every documented example go from the create through confirm to success", async () => {
    await Promise.all(
      examplesOf(PAYIN).map(async ([, body]) => {
        const { general: named, payment } = body as { general: { payment_id: string }; payment: { method: Method } };
        expect((await ask(PAYIN, body)).status).toBe(200);
        const awaiting = await reaches(PAYIN, named.payment_id, "processing", "awaiting_confirm");
        const type = METHODS[payment.method].requisite.replace("phone_and_bank", "phone") as keyof typeof VALUE_MEMBER;
        expect(awaiting.requisites).toMatchObject({ type, [VALUE_MEMBER[type]]: expect.any(String) });
        expect((await tell("confirm", named.payment_id)).sub_status).toBe("paid");
        const success = await reaches(PAYIN, named.payment_id, "success", null);
        const { amount, fee = 0, net = 0, received_amount, requested_amount } = success.payment;
        expect([fee + net, received_amount, requested_amount]).toEqual([amount, amount, amount]);
        expect(success.finished_at).not.toBeNull();
        // Masked: what the payer typed is not there any more.
        expect(JSON.stringify(success.requisites)).not.toContain(Object(awaiting.requisites)[VALUE_MEMBER[type]]);
      }),
    );
  });

  it("answer a repeat of the create with what became of it, and say so in a header", async () => {
    const [, body] = examplesOf(PAYIN)[0] ?? ["", {}];
    const again = await ask(PAYIN, body);
    expect([again.status, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    expect(again.json.status).toBe("success");
  });

  it("do what the last two digits say", async () => {
    const [exact, more, none] = await Promise.all([
      create(PAYIN, { payment: { amount: 250001 } }),
      create(PAYIN, { payment: { amount: 250003 } }),
      create(PAYIN, { payment: { amount: 250005 } }),
    ]);
    await reaches(PAYIN, exact, "success", null);
    expect((await reaches(PAYIN, none, "decline", null)).decline_code).toBe("no_requisites");
    await reaches(PAYIN, more, "processing", "awaiting_confirm");
    await tell("confirm", more);
    const { payment } = await reaches(PAYIN, more, "dispute", "different_amount");
    expect([payment.requested_amount, payment.received_amount]).toEqual([250003, 250103]);
  });

  it("can be cancelled, and then only cancelled", async () => {
    const paymentId = await create(PAYIN);
    expect(await tell("cancel", paymentId)).toMatchObject({ status: "decline", decline_code: "cancelled" });
    expect(await tell("cancel", paymentId)).toMatchObject({ status: "decline", decline_code: "cancelled" });
    const confirmed = await ask(`${PAYIN}/confirm`, { general: general(paymentId) });
    expect([confirmed.status, confirmed.json.code]).toEqual([409, "wrong_state"]);
  });

  it("that nobody pays end in a dispute, and then in a decline", async () => {
    const [forgotten, claimed] = await Promise.all([
      create(PAYIN, { payment: { amount: 250002 } }),
      create(PAYIN, { payment: { amount: 250002 } }),
    ]);
    for (const paymentId of [forgotten, claimed]) await reaches(PAYIN, paymentId, "processing", "awaiting_confirm");
    await tell("confirm", claimed);
    await movePayments(database.db, projectId() as never, 901);
    await reaches(PAYIN, forgotten, "dispute", "no_payment");
    await movePayments(database.db, projectId() as never, 901);
    expect((await reaches(PAYIN, forgotten, "decline", null)).decline_code).toBe("expired");
    await reaches(PAYIN, claimed, "dispute", "confirm_timeout");
    expect((await tell("confirm", claimed)).sub_status).toBe("confirm_timeout");
    const cancelled = await ask(`${PAYIN}/cancel`, { general: general(claimed) });
    expect([cancelled.status, cancelled.json.code]).toEqual([409, "wrong_state"]);
  });
});

describe("payouts", () => {
  it("of every documented example are paid", async () => {
    await Promise.all(
      examplesOf(PAYOUT).map(async ([, body]) => {
        expect((await ask(PAYOUT, body)).status).toBe(200);
        const { payment_id } = body.general as { payment_id: string };
        const { payment, requisites, expires_at } = await reaches(PAYOUT, payment_id, "success", null);
        expect([payment.fee, payment.net, requisites, expires_at]).toEqual([
          Math.round(payment.amount / 100),
          undefined,
          undefined,
          undefined,
        ]);
        expect((await ask(PAYOUT, body)).headers["idempotent-replayed"]).toBe("true");
      }),
    );
  });

  it("do what the last two digits say", async () => {
    const [declined, failed, silent] = await Promise.all([
      create(PAYOUT, { payment: { amount: 10001 } }),
      create(PAYOUT, { payment: { amount: 10002 } }),
      create(PAYOUT, { payment: { amount: 10003 } }),
    ]);
    expect((await reaches(PAYOUT, declined, "decline", null)).decline_code).toBe("provider_declined");
    await reaches(PAYOUT, failed, "dispute", "payout_failed");
    await reaches(PAYOUT, silent, "processing", "payout_process");
    await movePayments(database.db, projectId() as never, 3_601);
    await reaches(PAYOUT, silent, "dispute", "payout_timeout");
  });
});

it("the callbacks that came on the way are as documented, headers and body", async () => {
  const rows = await database.db.run<{ count: number }>({ text: "select count(*)::int from callbacks", values: [] });
  const [{ count } = { count: 0 }] = rows;
  expect(count).toBeGreaterThan(20);
  await vi.waitFor(() => expect(new Set(shop.received.map(({ headers }) => headers["webhook-id"])).size).toBe(count), {
    timeout: 60_000,
    interval: 100,
  });
  for (const { headers, rawBody } of shop.received) {
    const body = JSON.parse(rawBody.toString());
    expect(validateCallback(body)).toEqual([]);
    for (const name of callbackHeaders) expect(headers[name]).toEqual(expect.any(String));
    expect(headers["webhook-id"]).toBe(body.event.id);
  }
});
