import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import {
  openTestSandbox,
  ourBooks,
  sandboxBooks,
  type TestSandbox,
} from "../../src/testing/service/test-sandbox-control.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { type DeskView, stateOf, useDesk } from "./sandbox-desk.ts";

/**
 * The tester's desk drives a payment of each kind to each of its ends and disputes. After every test the ledger's invariants
 * are checked, and at the end what the sandbox says of its money is what our ledger says.
 */
const database = useTestDatabase();
const service = useTestService(database);
const desk = useDesk(service, database);
let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await openTestSandbox(database.db, service);
});

afterAll(async () => {
  await sandbox.close();
});

/** What is done, in order, and the state after each. */
type Walk = readonly (readonly [action: string | object, state: string])[];

async function walk(paymentId: string, direction: "payin" | "payout", steps: Walk): Promise<void> {
  for (const [step, state] of steps) {
    const wish = typeof step === "string" ? { action: step } : step;
    if ((await desk.act(paymentId, { direction, ...wish })) === state) continue;
    // The answer waits five seconds for the change, which a busy machine may need longer for.
    const shown = async () => [step, stateOf(await desk.payment(paymentId, direction))];
    await expect.poll(shown, { timeout: 60_000 }).toEqual([step, state]);
  }
}

describe("a transfer", () => {
  it.each<[string, Walk]>([
    ["arrives", [["arrive", "success"]]],
    [
      "arrives short, and then the rest",
      [
        ["arrive_short", "dispute:different_amount"],
        ["arrive", "success"],
      ],
    ],
    ["arrives over", [["arrive_over", "dispute:different_amount"]]],
    ["arrives with a sum of the tester's", [[{ action: "arrive", amount: 1 }, "dispute:different_amount"]]],
    ["arrives late", [["arrive_late", "success"]]],
    [
      "never arrives",
      [
        ["never", "dispute:no_payment"],
        ["never", "decline"],
      ],
    ],
    [
      "arrives after the decline",
      [
        ["refuse", "decline"],
        ["arrive", "decline"],
      ],
    ],
    ["is refused", [["refuse", "decline"]]],
    [
      "is taken back",
      [
        ["arrive", "success"],
        ["take_back", "success"],
      ],
    ],
    [
      "is taken back in a dispute",
      [
        ["arrive_short", "dispute:different_amount"],
        ["take_back", "dispute:different_amount"],
      ],
    ],
  ])("%s", async (_name, steps) => {
    await walk(await desk.transfer(), "payin", steps);
  });

  it("arrives twice: the second sum is counted too, and the payment is as it was", async () => {
    const paymentId = await desk.transfer();
    await walk(paymentId, "payin", [["arrive_twice", "success"]]);
    expect(await desk.payment(paymentId)).toMatchObject({ received_amount: 500_000, actions: ["arrive", "take_back"] });
  });

  it("passes the dispute on its way when it is late", async () => {
    const paymentId = await desk.transfer();
    await walk(paymentId, "payin", [["arrive_late", "success"]]);
    expect(await desk.statesOf(paymentId)).toContain("dispute:no_payment");
  });

  it.each<[string, Walk]>([
    ["never arrives", [["never", "dispute:confirm_timeout"]]],
    [
      "arrives after the time-out",
      [
        ["never", "dispute:confirm_timeout"],
        ["arrive", "success"],
      ],
    ],
    ["arrives late", [["arrive_late", "success"]]],
    ["arrives over", [["arrive_over", "dispute:different_amount"]]],
    ["is refused", [["refuse", "dispute:confirm_timeout"]]],
  ])("that its payer confirmed %s: the amount no longer decides", async (_name, steps) => {
    const paymentId = await desk.transfer();
    expect(await desk.confirm(paymentId)).toMatchObject({ status: 200 });
    await walk(paymentId, "payin", steps);
  });

  it("shows the time of its present state, and none at its end", async () => {
    const paymentId = await desk.transfer();
    expect(Date.parse((await desk.payment(paymentId)).expires_at ?? "")).toBeGreaterThan(Date.now());
    await desk.act(paymentId, { action: "arrive" });
    expect(await desk.payment(paymentId)).not.toHaveProperty("expires_at");
  });
});

describe("a card", () => {
  it.each<[string, Walk]>([
    ["is approved", [["approve", "success"]]],
    ["is approved for another sum", [[{ action: "approve", amount: 240_000 }, "dispute:different_amount"]]],
    ["is declined", [["decline", "decline"]]],
    ["times out", [["time_out", "decline"]]],
    [
      "is reversed",
      [
        ["approve", "success"],
        ["reverse", "success"],
      ],
    ],
    [
      "is approved after the decline",
      [
        ["decline", "decline"],
        ["approve", "decline"],
      ],
    ],
    [
      "is held, and approved",
      [
        ["hold", "processing:awaiting_3ds_result"],
        ["approve", "success"],
      ],
    ],
    [
      "is held, and declined",
      [
        ["hold", "processing:awaiting_3ds_result"],
        ["decline", "decline"],
      ],
    ],
    [
      "is held for too long",
      [
        ["hold", "processing:awaiting_3ds_result"],
        ["time_out", "dispute:confirm_timeout"],
        ["approve", "success"],
      ],
    ],
  ])("%s", async (_name, steps) => {
    await walk(await desk.card(), "payin", steps);
  });

  it("is declined for the reason that the tester gives", async () => {
    const paymentId = await desk.card();
    await walk(paymentId, "payin", [[{ action: "decline", reason: "insufficient_funds" }, "decline"]]);
    const info = await desk.post("/api/v1/payment/ecom/payin/info", desk.named(paymentId));
    expect(info.json).toMatchObject({ decline_code: "insufficient_funds" });
  });

  it("leads to the issuer's page while the issuer waits", async () => {
    const paymentId = await desk.card();
    const { challenge_url: url = "" } = await desk.payment(paymentId);
    expect(url.startsWith(`${service.url()}/3ds/`)).toBe(true);
    expect((await fetch(url)).status).toBe(200);
    await desk.act(paymentId, { action: "approve" });
    expect(await desk.payment(paymentId)).not.toHaveProperty("challenge_url");
  });
});

describe("a payout", () => {
  it.each<[string, Walk]>([
    ["is paid", [["pay", "success"]]],
    ["is rejected", [["reject", "decline"]]],
    [
      "fails, and is paid after all",
      [
        ["fail", "dispute:payout_failed"],
        ["pay", "success"],
      ],
    ],
    [
      "has wrong details, and is rejected",
      [
        ["wrong_details", "dispute:incorrect_requisites"],
        ["reject", "decline"],
      ],
    ],
    [
      "never ends",
      [
        ["never", "dispute:payout_timeout"],
        ["pay", "success"],
      ],
    ],
    [
      "comes back",
      [
        ["pay", "success"],
        ["return", "success"],
      ],
    ],
  ])("%s", async (_name, steps) => {
    await walk(await desk.payout(), "payout", steps);
  });
});

it("a payment on the hosted page waits for its payer's choice, and then is what they chose", async () => {
  const paymentId = await desk.onPage();
  expect(await desk.payment(paymentId)).toMatchObject({ kind: "transfer", method: null, actions: [] });
  const { form_url = "" } = await desk.payment(paymentId);
  expect(form_url.startsWith(`${service.url()}/pay/`)).toBe(true);
  expect(await desk.tryAct(paymentId, { action: "arrive" })).toMatchObject({ status: 409 });
  const chosen = await fetch(`${form_url}/choose`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ method: "payin-p2p-card" }),
  });
  expect(chosen.status).toBe(200);
  await desk.ready(paymentId);
  await walk(paymentId, "payin", [["arrive", "success"]]);
});

it("an action that does not fit changes nothing, and says what does", async () => {
  const paymentId = await desk.transfer();
  const before = await desk.payment(paymentId);
  for (const action of ["approve", "pay", "take_back"]) {
    const refused = await desk.tryAct(paymentId, { action });
    expect(refused).toMatchObject({ status: 409, json: { code: "wrong_state" } });
    expect((refused.json as { status_description: string }).status_description).toContain("possible now: arrive, ");
  }
  expect(await desk.tryAct(paymentId, { action: "explode" })).toMatchObject({
    status: 400,
    json: { code: "validation_failed", errors: [{ field: "action" }] },
  });
  expect(await desk.tryAct(paymentId, { action: "refuse", amount: 5 })).toMatchObject({
    status: 400,
    json: { errors: [{ field: "amount", code: "not_allowed" }] },
  });
  expect(await desk.payment(paymentId)).toEqual(before);
  expect(await desk.tryAct("no-such-payment", { action: "arrive" })).toMatchObject({
    status: 404,
    json: { code: "payment_not_found" },
  });
});

it.each([
  ["transfer", "arrive", "take_back"],
  ["card", "approve", "reverse"],
  ["payout", "pay", "return"],
] as const)("money of a %s goes back once", async (kind, first, back) => {
  const direction = kind === "payout" ? "payout" : "payin";
  const paymentId = await desk[kind]();
  expect((await desk.tryAct(paymentId, { direction, action: back })).status).toBe(409);
  await walk(paymentId, direction, [
    [first, "success"],
    [back, "success"],
  ]);
  expect((await desk.tryAct(paymentId, { direction, action: back })).status).toBe(409);
});

it("lists what is not over first, the newest first of each", async () => {
  const [over, older, newer] = [await desk.transfer(), await desk.transfer(), await desk.transfer()];
  await desk.act(over, { action: "refuse" });
  const general = { project_id: desk.projectId() };
  const { json } = await desk.post("/sandbox/api/payments", { general, limit: 2 });
  expect((json as { payments: DeskView[] }).payments.map(({ payment_id }) => payment_id)).toEqual([newer, older]);
  const all = (await desk.post("/sandbox/api/payments", { general })).json as { payments: DeskView[] };
  const isOver = all.payments.map((payment) => ["success", "decline"].includes(stateOf(payment)));
  expect(isOver).toEqual(isOver.toSorted((a, b) => Number(a) - Number(b)));
  expect(all.payments.find(({ payment_id }) => payment_id === over)).toMatchObject({ status: "decline" });
});

describe("the clock", () => {
  const general = () => ({ project_id: desk.projectId() });

  it("moves by seconds, and to the end of a payment's time", async () => {
    const paymentId = await desk.transfer();
    const before = Date.parse((await desk.payment(paymentId)).expires_at ?? "");
    const moved = await desk.post("/sandbox/api/clock", { general: general(), seconds: 300 });
    expect(moved).toMatchObject({ status: 200, json: { seconds: 300, moved: expect.any(Number) } });
    expect(Date.parse((await desk.payment(paymentId)).expires_at ?? "")).toBe(before - 300_000);
    const { json } = await desk.post("/sandbox/api/clock", { ...desk.named(paymentId), to: "expiry" });
    expect((json as { seconds: number }).seconds).toBeGreaterThan(500);
    await expect
      .poll(async () => stateOf(await desk.payment(paymentId)), { timeout: 60_000 })
      .toBe("dispute:no_payment");
  });

  it.each<[string, () => object, number, object]>([
    ["neither", () => ({ general: general() }), 400, { field: "seconds" }],
    ["both", () => ({ ...desk.named("x"), seconds: 1, to: "expiry" }), 400, { field: "to" }],
    ["to without a payment", () => ({ general: general(), to: "expiry" }), 400, { field: "general.payment_id" }],
    ["no time", () => ({ general: general(), seconds: 0 }), 400, { field: "seconds" }],
    ["more than 30 days", () => ({ general: general(), seconds: 2_592_001 }), 400, { field: "seconds" }],
  ])("refuses %s", async (_name, body, status, field) => {
    expect(await desk.post("/sandbox/api/clock", body())).toMatchObject({ status, json: { errors: [field] } });
  });

  it("has nothing to move to where a payment is over", async () => {
    const paymentId = await desk.transfer();
    await desk.act(paymentId, { action: "arrive" });
    const refused = await desk.post("/sandbox/api/clock", { ...desk.named(paymentId), to: "expiry" });
    expect(refused).toMatchObject({ status: 409, json: { code: "wrong_state" } });
  });
});

describe("faults", () => {
  const general = () => ({ general: { project_id: desk.projectId() } });
  const list = async () => (await desk.post("/sandbox/api/faults/list", general())).json as { faults: object[] };

  it("are ordered, listed, used and cleared", async () => {
    const order = { ...general(), kind: "error500_after_success", call: "create", times: 2 };
    expect(await desk.post("/sandbox/api/faults", order)).toEqual({ status: 200, json: {} });
    await desk.post("/sandbox/api/faults", { ...general(), kind: "slow_approval", ms: 5, times: "always" });
    const [first, second] = (await list()).faults;
    expect(first).toEqual({ kind: "error500_after_success", call: "create", ms: 0, times: 2 });
    expect(second).toEqual({ kind: "slow_approval", call: "charge", ms: 5, times: "always" });
    // The provider's answer is lost, so Tillgate asks again under the same reference: no money is asked for twice.
    const paymentId = await desk.transfer();
    expect((await list()).faults[0]).not.toMatchObject({ times: 2 });
    expect(await desk.act(paymentId, { action: "arrive" })).toBe("success");
    expect(await desk.post("/sandbox/api/faults/clear", general())).toEqual({ status: 200, json: {} });
    expect(await list()).toEqual({ faults: [] });
  });

  it("are not more than a hundred", async () => {
    for (let count = 0; count < 100; count += 1)
      await sandbox.addFault({ projectId: desk.projectId(), kind: "duplicate" });
    const refused = await desk.post("/sandbox/api/faults", { ...general(), kind: "slow", ms: 1 });
    expect(refused).toMatchObject({ status: 409, json: { code: "wrong_state" } });
    await desk.post("/sandbox/api/faults/clear", general());
  });
});

/** What the walks above had taken back after it was counted: that waits for an operator, and the ledger keeps it until then. */
const TAKEN_BACK = { transfers: 500_000n + 249_900n, charges: 500_000n, returnedPayouts: 200_006n };

it("the sandbox's books and our ledger agree on all of it", async () => {
  const { RUB: theirs = 0n } = await sandboxBooks(sandbox, desk.projectId());
  const expected = theirs + TAKEN_BACK.transfers + TAKEN_BACK.charges - TAKEN_BACK.returnedPayouts;
  await expect.poll(() => ourBooks(database.db, desk.projectId()), { timeout: 60_000 }).toEqual({ RUB: expected });
});
