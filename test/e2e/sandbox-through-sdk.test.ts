import { describe, expect, it } from "vitest";
import { hasCode, type P2pPayinRequest } from "../../sdk/src/index.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { sandboxClients, waitFor } from "./through-sdk.ts";

/** A merchant's automated test, which plays the outside world through the SDK. */
const { clientOf } = sandboxClients(useTestService(useTestDatabase()));
const customer = { id: "customer-1", ip_address: "192.0.2.1" };

async function payinOf(payment_id: string, general: Partial<P2pPayinRequest["general"]> = {}): Promise<void> {
  const { p2p } = clientOf();
  const payment = { method: "card-p2p", amount: 250000, currency: "RUB" } as const;
  await p2p.payin.create({ general: { payment_id, ...general }, payment, customer });
  await waitFor(
    () => p2p.payin.info(payment_id),
    ({ requisites }) => requisites !== undefined,
  );
}

describe("the sandbox through the SDK", () => {
  it("lets too little arrive and then the rest, and shows the callbacks of it with their verification", async () => {
    const { sandbox } = clientOf();
    const { echo_url } = await sandbox.callbacks.list();
    await payinOf("short", { merchant_callback_url: echo_url });
    const short = await sandbox.act("short", { action: "arrive_short", amount: 100000 });
    expect(short).toMatchObject({ status: "dispute", sub_status: "different_amount", received_amount: 100000 });
    expect(short.actions).toContain("arrive");
    expect(await sandbox.act("short", { action: "arrive" })).toMatchObject({ status: "success" });
    await expect
      .poll(async () => (await sandbox.callbacks.list()).callbacks.map(({ event }) => event))
      .toContain("payin.success");
    const { callbacks } = await sandbox.callbacks.list();
    expect(callbacks.every(({ genuine, checks }) => genuine && checks.every(({ ok }) => ok))).toBe(true);
    const [newest] = callbacks;
    expect((await sandbox.callbacks.list({ after: newest?.id })).callbacks).toEqual([]);
  });

  it("moves the clock of the project to a payment's end", async () => {
    const { sandbox, p2p } = clientOf();
    await payinOf("late");
    expect((await sandbox.clock.toExpiry("late")).moved).toBeGreaterThan(0);
    await waitFor(
      () => p2p.payin.info("late"),
      ({ sub_status }) => sub_status === "no_payment",
    );
    expect((await sandbox.clock.forward(300)).seconds).toBe(300);
    const open = await sandbox.payments({ limit: 1 });
    expect(open).toMatchObject([{ payment_id: "late", status: "dispute" }]);
  });

  it("fails a payout, and refuses what does not fit its state with the list of what does", async () => {
    const { sandbox, p2p } = clientOf();
    // Its amount makes the sandbox's bank say nothing by itself.
    const payment = { method: "card-p2p", amount: 100003, currency: "RUB" } as const;
    const receiver = { pan: "4242424242424242" };
    await p2p.payout.create({ general: { payment_id: "out" }, payment, receiver, customer });
    const direction = "payout";
    await expect.poll(async () => (await sandbox.payment("out", { direction })).actions).toContain("fail");
    const error = await sandbox.act("out", { direction, action: "return" }).catch((thrown: unknown) => thrown);
    expect(hasCode(error, "wrong_state") && error.description).toContain("fail");
    const failed = await sandbox.act("out", { direction, action: "fail" });
    expect(failed).toMatchObject({ kind: "payout", status: "dispute", sub_status: "payout_failed" });
  });

  it("orders faults, lists and clears them, and lets the echo endpoint refuse a callback", async () => {
    const { sandbox } = clientOf();
    await sandbox.faults.order({ kind: "slow", call: "create", ms: 10, times: 2 });
    expect(await sandbox.faults.list()).toEqual([{ kind: "slow", call: "create", ms: 10, times: 2 }]);
    await sandbox.faults.clear();
    expect(await sandbox.faults.list()).toEqual([]);
    const { echo_url } = await sandbox.callbacks.list();
    await sandbox.callbacks.answer({ status: 500, times: 1 });
    await payinOf("refused", { merchant_callback_url: echo_url });
    const answersOf = async () =>
      (await sandbox.callbacks.list()).callbacks
        .filter(({ payment_id }) => payment_id === "refused")
        .map(({ answered }) => answered);
    await expect.poll(answersOf).toContain(500);
    await sandbox.act("refused", { action: "refuse" });
    await expect.poll(answersOf).toContain(204);
  });
});
