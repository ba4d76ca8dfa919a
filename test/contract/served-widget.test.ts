import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Payment } from "../../sdk/src/index.ts";
import type { Id } from "../../src/core/ids.ts";
import { movePayments } from "../../src/store/payments/move-clock.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type CallbackReceiver, openCallbackReceiver } from "../../src/testing/http/callback-receiver.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { contractWith } from "./ask-service.ts";
import { loadContract } from "./contract.ts";

/** Payments of the hosted page, their answers and their callbacks, held to the document. */
const database = useTestDatabase();
const service = useTestService(database);
const { ask } = contractWith(service);
const { validateCallback } = loadContract();

const WIDGET = "/api/v1/widget/payin";
const SOON = { timeout: 60_000, interval: 50 };

let shop: CallbackReceiver;
beforeAll(async () => {
  shop = await openCallbackReceiver();
});
afterAll(() => shop.close());

let counted = 0;
async function create() {
  counted += 1;
  const general = { project_id: service.sandbox().project_id, payment_id: `page-${counted}` };
  const { status, json } = await ask(WIDGET, {
    general: { ...general, merchant_callback_url: `${shop.url}/callbacks` },
    payment: { amount: 250_000, currency: "RUB" },
    customer: { id: "customer-1" },
  });
  expect(status).toBe(200);
  const made = json as unknown as Payment;
  return { general, requestId: made.request_id, formUrl: made.integration?.form_url ?? "" };
}

type Made = Awaited<ReturnType<typeof create>>;

function act({ formUrl }: Made, deed: string, body: object = {}): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${formUrl}/${deed}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function info({ general }: Made): Promise<Payment> {
  return (await ask(`${WIDGET}/info`, { general })).json as unknown as Payment;
}

type Told = { readonly status: Readonly<Record<string, unknown>>; readonly payment_info: object };

/** The callbacks of the payment, each held to the document. */
function toldOf({ requestId }: Made, count: number): Promise<Told[]> {
  return vi.waitFor(() => {
    const told = shop.received.filter(({ body }) => body.general.request_id === requestId).map(({ body }) => body);
    expect(told).toHaveLength(count);
    for (const body of told) expect(validateCallback(body)).toEqual([]);
    return told as unknown as Told[];
  }, SOON);
}

const SUMS = { amount: 250_000, requested_amount: 250_000, currency: "RUB" };

it.each([
  [
    "cancelled by the merchant",
    async (made: Made) => expect((await ask(`${WIDGET}/cancel`, { general: made.general })).status).toBe(200),
    { decline_code: "cancelled", status_description: "Cancelled by the merchant." },
  ],
  [
    "cancelled by the payer",
    async (made: Made) => expect((await act(made, "cancel")).status).toBe(200),
    { decline_code: "cancelled", status_description: "Cancelled by the payer." },
  ],
  [
    "expired",
    async (made: Made) => movePayments(database.db, made.general.project_id as Id, 601),
    { decline_code: "expired", status_description: "The time to pay was over." },
  ],
])("%s before a choice, it has no method and no fee", async (_, end, words) => {
  const made = await create();
  await end(made);
  const ended = await vi.waitFor(async () => {
    const payment = await info(made);
    expect(payment.status).toBe("decline");
    return payment;
  }, SOON);
  expect(ended).toMatchObject(words);
  expect(ended.payment).toEqual(SUMS);
  const [told] = await toldOf(made, 1);
  expect(told?.status).toMatchObject({ status: "decline", ...words });
  expect(told?.payment_info).toEqual({ type: "payin", ...SUMS });
  const [row] = await database.db.run<{ method: string | null; fee: string | null }>({
    text: "select method, fee from payments where request_id = $1",
    values: [made.requestId],
  });
  expect(row).toEqual({ method: null, fee: null });
});

it("of an earlier version, which ended with a fee of zero, is shown without one", async () => {
  const made = await create();
  expect((await act(made, "cancel")).status).toBe(200);
  const { requestId } = made;
  await database.db.run({ text: "update payments set fee = 0 where request_id = $1", values: [requestId] });
  expect((await info(made)).payment).toEqual(SUMS);
});

it("is what it was told to be, whatever happens after the end", async () => {
  const made = await create();
  expect((await act(made, "cancel")).status).toBe(200);
  expect((await act(made, "cancel")).status).toBe(200);
  expect((await ask(`${WIDGET}/cancel`, { general: made.general })).status).toBe(200);
  expect(await info(made)).toMatchObject({ status_description: "Cancelled by the payer." });
});

it("goes to requisites by the payer's choice itself, and the merchant is told of it once", async () => {
  const made = await create();
  const chosen = await act(made, "choose", { method: "payin-p2p-card" });
  expect(chosen.status).toBe(200);
  expect(await chosen.json()).toMatchObject({ status: "processing", sub_status: "requisites", step: "prepare" });
  const told = await toldOf(made, 2);
  expect(told.map(({ status }) => status.sub_status)).toEqual(["requisites", "awaiting_confirm"]);
  const sums = { ...SUMS, method: "card-p2p", fee: 6_250, net: 243_750 };
  expect(told.map(({ payment_info }) => payment_info)).toEqual([
    { type: "payin", ...sums },
    { type: "payin", ...sums },
  ]);
  const history = await database.db.run<{ line: string }>({
    text: "select event || ' ' || to_state as line from payment_history where request_id = $1 order by number",
    values: [made.requestId],
  });
  expect(history.map(({ line }) => line)).toEqual([
    "created processing:new",
    "chosen processing:requisites",
    "submitted processing:requisites",
    "requisites_issued processing:awaiting_confirm",
  ]);
});
