import { describe, expect, it } from "vitest";
import { useTestDatabase } from "../testing/database/test-database.ts";
import {
  APPROVED,
  aFakeProvider,
  ISSUED,
  NEVER_SEEN,
  NONE,
  open,
  REFUSED,
  receipt,
  UNKNOWN,
} from "../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";

const rig = useWorkerRig(useTestDatabase());
const { aPayin, aPayout, attemptsOf, balanceOf, find, look, pause, resume, sumOf, workOff } = rig;

describe("a pay-in on its routes", () => {
  it("goes to the second provider when the first has nothing, and its money comes through the second", async () => {
    const first = aFakeProvider("first", { ask: () => NONE });
    const second = aFakeProvider("second", { payin: () => open(receipt("t", 1000)) });
    const name = await aPayin([first, second]);
    await workOff();
    const payment = await find(name);
    expect(payment).toMatchObject({ state: "processing:awaiting_confirm", provider: "second", attemptCount: 2 });
    expect(await attemptsOf(name)).toEqual(["first refused", "second taken"]);
    expect(first.referencesOf("ask")).toHaveLength(1);
    expect(second.referencesOf("ask")).toHaveLength(1);
    expect(first.referencesOf("ask")).not.toEqual(second.referencesOf("ask"));
    expect((await look(name)).state).toBe("success");
    expect(await sumOf(name, "clearing:second")).toBe(-1000n);
    expect(await balanceOf(name)).toEqual([990n, 0n]);
    // The second is told that it is over; the first never had anything.
    await look(name);
    expect(second.referencesOf("release")).toEqual(second.referencesOf("ask"));
    expect(first.countOf("release")).toBe(0);
  });

  it("ends without requisites when nobody has any", async () => {
    const providers = [aFakeProvider("first", { ask: () => NONE }), aFakeProvider("second", { ask: () => NONE })];
    const name = await aPayin(providers);
    await workOff();
    expect(await find(name)).toMatchObject({ state: "decline", declineCode: "no_requisites" });
    expect(await attemptsOf(name)).toEqual(["first refused", "second refused"]);
  });

  it("ends without requisites where there is no route at all", async () => {
    const name = await aPayin([]);
    await workOff();
    expect(await find(name)).toMatchObject({ state: "decline", declineCode: "no_requisites", attemptCount: 0 });
  });

  it("stays with a provider that did not answer, and asks it again under the same reference", async () => {
    const first = aFakeProvider("first", { ask: () => UNKNOWN });
    const second = aFakeProvider("second");
    const name = await aPayin([first, second]);
    await workOff();
    expect(await look(name)).toMatchObject({ state: "processing:requisites" });
    expect((await find(name)).unknownSince).not.toBeNull();
    expect(second.asked).toEqual([]);
    first.answers.ask = () => ISSUED;
    expect(await look(name)).toMatchObject({ state: "processing:awaiting_confirm", unknownSince: null });
    expect(first.countOf("ask")).toBeGreaterThanOrEqual(3);
    expect(first.referencesOf("ask")).toHaveLength(1);
    expect(second.asked).toEqual([]);
  });

  it("goes only to the provider that the merchant named", async () => {
    const first = aFakeProvider("first");
    const second = aFakeProvider("second", { ask: () => NONE });
    const name = await aPayin([first, second], { paymentSystem: "second" });
    await workOff();
    expect(await find(name)).toMatchObject({ state: "decline", declineCode: "no_requisites" });
    expect([first.asked, second.countOf("ask")]).toEqual([[], 1]);
  });

  it("waits for a paused provider, passes over it for another, and goes on when the pause ends", async () => {
    const [first, second] = [aFakeProvider("first"), aFakeProvider("second", { ask: () => NONE })];
    await pause("provider", "first");
    const alone = await aPayin([first]);
    const both = await aPayin([first, second]);
    await workOff();
    expect(await find(alone)).toMatchObject({ state: "processing:new", attemptCount: 0 });
    expect(await find(both)).toMatchObject({ state: "processing:requisites", attemptCount: 1 });
    expect(first.asked).toEqual([]);
    await resume("provider", "first");
    expect(await look(alone)).toMatchObject({ state: "processing:awaiting_confirm", provider: "first" });
    expect(await look(both)).toMatchObject({ state: "processing:awaiting_confirm", provider: "first" });
    expect(await attemptsOf(both)).toEqual(["second refused", "first taken"]);
  });
});

describe("a payout on its routes", () => {
  it("goes by another route only after a certain decline, under another reference", async () => {
    const first = aFakeProvider("first", { send: () => REFUSED, payout: () => REFUSED });
    const second = aFakeProvider("second", { payout: () => APPROVED });
    const name = await aPayout([first, second]);
    await workOff();
    expect(await find(name)).toMatchObject({ state: "processing:payout_process", provider: "second" });
    expect(await attemptsOf(name)).toEqual(["first refused", "second open"]);
    expect(await look(name)).toMatchObject({ state: "success" });
    expect(first.referencesOf("send")).not.toEqual(second.referencesOf("send"));
    expect([first.countOf("send"), second.countOf("send")]).toEqual([1, 1]);
    expect([await sumOf(name, "clearing:first"), await sumOf(name, "clearing:second")]).toEqual([0n, 1000n]);
    expect(await balanceOf(name)).toEqual([98_990n, 0n]);
  });

  it("is declined, and all of it given back, when every provider declines", async () => {
    const providers = ["first", "second"].map((code) => aFakeProvider(code, { send: () => REFUSED }));
    const name = await aPayout(providers);
    await workOff();
    expect(await find(name)).toMatchObject({ state: "decline", declineCode: "provider_declined" });
    expect(await balanceOf(name)).toEqual([100_000n, 0n]);
  });

  it("is declined where there is no route, also when its worker died on the way", async () => {
    const name = await aPayout([]);
    const died = await aPayout([]);
    const event = { ...died, payout: { kind: "claimed", clearing: "clearing:manual" }, actor: "worker" } as const;
    expect(await rig.deps.apply({ ...event, byWorker: true })).toMatchObject({ ok: true });
    await workOff();
    for (const each of [name, died]) {
      expect(await find(each)).toMatchObject({
        state: "decline",
        declineCode: "no_provider",
        statusDescription: "No provider could take the payment.",
      });
      expect(await balanceOf(each)).toEqual([100_000n, 0n]);
    }
  });

  it("is never sent elsewhere while its outcome is unknown", async () => {
    const first = aFakeProvider("first", { send: () => UNKNOWN, payout: () => UNKNOWN });
    const second = aFakeProvider("second");
    const name = await aPayout([first, second]);
    await workOff();
    await look(name);
    await look(name);
    expect(await find(name)).toMatchObject({ state: "processing:payout_process", provider: "first" });
    expect((await find(name)).unknownSince).not.toBeNull();
    expect(second.asked).toEqual([]);
    expect(first.countOf("send")).toBe(1);
    first.answers.payout = () => APPROVED;
    expect(await look(name)).toMatchObject({ state: "success", unknownSince: null });
  });

  it("is sent again under the same reference when the provider has never seen it", async () => {
    const first = aFakeProvider("first", { send: () => UNKNOWN, payout: () => NEVER_SEEN });
    const name = await aPayout([first, aFakeProvider("second")]);
    await workOff();
    await look(name);
    await look(name);
    expect(first.countOf("send")).toBeGreaterThanOrEqual(3);
    expect(first.referencesOf("send")).toHaveLength(1);
    expect(await attemptsOf(name)).toEqual(["first open"]);
  });

  it("waits while payouts are held back, everywhere or for its project, and goes on afterwards", async () => {
    const first = aFakeProvider("first", { send: () => APPROVED });
    await pause("payouts", "");
    const name = await aPayout([first]);
    await workOff();
    await resume("payouts", "");
    await pause("payouts", name.projectId);
    expect(await look(name)).toMatchObject({ state: "processing:new" });
    expect(first.asked).toEqual([]);
    await resume("payouts", name.projectId);
    expect(await look(name)).toMatchObject({ state: "success" });
  });

  it("that was refused waits for the paused provider that is left, and then has its time anew", async () => {
    const first = aFakeProvider("first", { send: () => REFUSED });
    const second = aFakeProvider("second");
    await pause("provider", "second");
    const name = await aPayout([first, second]);
    await workOff();
    expect(await attemptsOf(name)).toEqual(["first refused"]);
    // Longer than a payout may take: nothing was sent, so there is nothing to dispute.
    expect(await rig.passTime(name, 7_200)).toMatchObject({ state: "processing:payout_process" });
    await resume("provider", "second");
    expect(await look(name)).toMatchObject({ state: "processing:payout_process", provider: "second" });
    expect(await look(name)).toMatchObject({ state: "processing:payout_process" });
    expect(second.countOf("send")).toBe(1);
    expect(await rig.passTime(name, 3_601)).toMatchObject({ state: "dispute:payout_timeout" });
  });

  it("is sent to nobody while payouts or its provider are stopped, though it was begun before", async () => {
    const first = aFakeProvider("first", { send: () => UNKNOWN, payout: () => NEVER_SEEN });
    const second = aFakeProvider("second");
    const name = await aPayout([first, second]);
    await workOff();
    await pause("provider", "first");
    await look(name);
    await resume("provider", "first");
    await pause("payouts", "");
    await look(name);
    // A certain decline is taken, and still nobody else is asked.
    first.answers.payout = () => REFUSED;
    await look(name);
    await look(name);
    expect([first.countOf("send"), second.countOf("send")]).toEqual([1, 0]);
    expect(await attemptsOf(name)).toEqual(["first refused"]);
    await resume("payouts", "");
    await look(name);
    expect(second.countOf("send")).toBe(1);
  });
});
