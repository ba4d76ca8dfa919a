import { describe, expect, it } from "vitest";
import { useTestDatabase } from "../testing/database/test-database.ts";
import {
  APPROVED,
  aFakeProvider,
  DONE,
  ISSUED,
  NEVER_SEEN,
  open,
  PENDING,
  REFUSED,
  receipt,
  UNKNOWN,
} from "../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";

const rig = useWorkerRig(useTestDatabase());
const { aPayin, aPayout, attemptsOf, balanceOf, find, look, passTime, sumOf, workOff } = rig;

/** Beyond the lifetime of 900 s, the grace of 900 s, the 1,800 s after a confirm, and the hour of a payout. */
const LIFETIME_S = 901;
const GRACE_S = 901;
const CONFIRM_S = 1_801;
const PAYOUT_S = 3_601;
/** How long a silent provider keeps timers waiting. */
const PATIENCE_S = 301;

const merchant = (name: Awaited<ReturnType<typeof aPayin>>, kind: "confirmed" | "cancelled") =>
  rig.deps.apply({ ...name, payin: { kind }, actor: "merchant" });

describe("the lifetime of a pay-in", () => {
  it("ends in new where nobody could be asked", async () => {
    const first = aFakeProvider("first");
    await rig.pause("provider", "first");
    const name = await aPayin([first]);
    await workOff();
    expect(await passTime(name, LIFETIME_S)).toMatchObject({ state: "decline", declineCode: "expired" });
    await rig.resume("provider", "first");
    expect(first.asked).toEqual([]);
  });

  it("does not end it while the question is open; requisites that come too late are given back", async () => {
    const first = aFakeProvider("first", { ask: () => UNKNOWN, payin: () => UNKNOWN });
    const name = await aPayin([first]);
    await workOff();
    expect(await passTime(name, LIFETIME_S + PATIENCE_S)).toMatchObject({ state: "processing:requisites" });
    // Nothing new is asked for once it is too late.
    const askedBefore = first.countOf("ask");
    first.answers.payin = () => open();
    first.answers.release = () => UNKNOWN;
    expect(await look(name)).toMatchObject({ state: "decline", declineCode: "expired", requisites: null });
    expect(first.countOf("ask")).toBe(askedBefore);
    await look(name);
    expect((await find(name)).releasedAt).toBeNull();
    first.answers.release = () => DONE;
    expect((await look(name)).releasedAt).not.toBeNull();
    expect(await attemptsOf(name)).toEqual(["first taken"]);
  });

  it("ends it when the provider turns out to have never seen the question", async () => {
    const first = aFakeProvider("first", { ask: () => UNKNOWN, payin: () => NEVER_SEEN });
    const name = await aPayin([first]);
    await workOff();
    expect(await passTime(name, LIFETIME_S)).toMatchObject({ state: "decline", declineCode: "expired" });
    expect(await attemptsOf(name)).toEqual(["first refused"]);
  });

  it("waits for requisites that are pending, but not for ever", async () => {
    const pending = () => ({ kind: "open", requisites: undefined, receipts: [] }) as const;
    const first = aFakeProvider("first", { ask: () => PENDING, payin: pending });
    const [prompt, late] = [await aPayin([first]), await aPayin([first])];
    await workOff();
    expect(await find(prompt)).toMatchObject({ state: "processing:requisites", unknownSince: null });
    expect(await passTime(late, LIFETIME_S)).toMatchObject({ state: "processing:requisites" });
    first.answers.ask = () => ISSUED;
    expect(await look(prompt)).toMatchObject({ state: "processing:awaiting_confirm" });
    expect(await passTime(late, PATIENCE_S)).toMatchObject({ state: "decline", declineCode: "expired" });
    expect((await look(late)).releasedAt).not.toBeNull();
    expect(first.referencesOf("ask")).toHaveLength(2);
  });

  it("takes money that arrived though no requisites were ever seen", async () => {
    const first = aFakeProvider("first", { ask: () => UNKNOWN, payin: () => open(receipt("t", 1000)) });
    const name = await aPayin([first]);
    await workOff();
    expect(await passTime(name, LIFETIME_S)).toMatchObject({ state: "success" });
    expect(await balanceOf(name)).toEqual([990n, 0n]);
  });

  it("leads to a dispute, and after the grace to a decline; money that comes then waits in suspense", async () => {
    const first = aFakeProvider("first");
    const name = await aPayin([first]);
    await workOff();
    expect(await passTime(name, LIFETIME_S)).toMatchObject({ state: "dispute:no_payment" });
    expect(await passTime(name, GRACE_S)).toMatchObject({ state: "decline", declineCode: "expired" });
    first.answers.payin = () => open(receipt("late", 1000));
    expect(await look(name)).toMatchObject({ state: "decline", receivedAmount: 1000n });
    await look(name);
    expect([await balanceOf(name), await sumOf(name, "suspense")]).toEqual([[0n, 0n], 1000n]);
  });

  it("is over only when the provider was heard, or has been silent for five minutes", async () => {
    const first = aFakeProvider("first");
    const name = await aPayin([first]);
    await workOff();
    first.answers.payin = () => UNKNOWN;
    expect(await passTime(name, LIFETIME_S)).toMatchObject({ state: "processing:awaiting_confirm" });
    expect(await passTime(name, PATIENCE_S)).toMatchObject({ state: "dispute:no_payment" });
    first.answers.payin = () => open(receipt("in time", 1000));
    expect(await look(name)).toMatchObject({ state: "success" });
  });

  it("declines nobody for good while the provider is silent, for up to a day", async () => {
    const first = aFakeProvider("first");
    const [paid, unpaid] = [await aPayin([first]), await aPayin([first])];
    await workOff();
    first.answers.payin = () => UNKNOWN;
    for (const name of [paid, unpaid]) {
      await passTime(name, LIFETIME_S + PATIENCE_S);
      expect(await passTime(name, 3_600)).toMatchObject({
        state: "dispute:no_payment",
        unknownSince: expect.any(Date),
      });
    }
    expect(await passTime(unpaid, 86_400)).toMatchObject({ state: "decline", declineCode: "expired" });
    first.answers.payin = () => open(receipt("in time", 1000));
    expect(await look(paid)).toMatchObject({ state: "success" });
  });

  it("is over at once where a confirm came after the dispute, and the confirm has its own time", async () => {
    const first = aFakeProvider("first");
    const name = await aPayin([first]);
    await workOff();
    await passTime(name, LIFETIME_S);
    expect(await merchant(name, "confirmed")).toMatchObject({ ok: true, value: { state: "processing:paid" } });
    await workOff();
    expect(first.countOf("confirm")).toBe(1);
    expect(await passTime(name, GRACE_S)).toMatchObject({ state: "processing:paid" });
    expect(await passTime(name, CONFIRM_S - GRACE_S)).toMatchObject({ state: "dispute:confirm_timeout" });
    first.answers.payin = () => open(receipt("found", 1000));
    expect(await look(name)).toMatchObject({ state: "success" });
  });
});

describe("what a provider must be told", () => {
  it("is told until it is heard, and the confirm comes once", async () => {
    const first = aFakeProvider("first", { confirm: () => UNKNOWN });
    const name = await aPayin([first]);
    await workOff();
    await merchant(name, "confirmed");
    await workOff();
    await look(name);
    expect((await find(name)).confirmTold).toBe(false);
    first.answers.confirm = () => DONE;
    expect(await look(name)).toMatchObject({ confirmTold: true, state: "processing:paid" });
    const told = first.countOf("confirm");
    await look(name);
    expect(first.countOf("confirm")).toBe(told);
  });

  it("a provider's decline ends what awaits the payer, and makes a dispute of what was confirmed", async () => {
    const first = aFakeProvider("first");
    const [awaiting, paid] = [await aPayin([first]), await aPayin([first])];
    await workOff();
    await merchant(paid, "confirmed");
    first.answers.payin = () => ({ kind: "declined", receipts: [] });
    expect(await look(awaiting)).toMatchObject({ state: "decline", declineCode: "provider_declined" });
    expect(await look(paid)).toMatchObject({ state: "dispute:confirm_timeout" });
  });

  it("money that arrived with a provider's decline counts first", async () => {
    const first = aFakeProvider("first");
    const [whole, part] = [await aPayin([first]), await aPayin([first])];
    await workOff();
    const partReference = (await find(part)).reference;
    first.answers.payin = (reference) => ({
      kind: "declined",
      receipts: [receipt(`of ${reference}`, reference === partReference ? 400 : 1000)],
    });
    expect(await look(whole)).toMatchObject({ state: "success" });
    expect(await look(part)).toMatchObject({ state: "dispute:different_amount", receivedAmount: 400n });
  });
});

describe("the hour of a payout", () => {
  it.each([
    ["is pending", () => PENDING, null],
    ["has never seen it", () => NEVER_SEEN, null],
    ["does not answer", () => UNKNOWN, expect.any(Date)],
  ] as const)("ends in a dispute when its provider %s; a certain answer still ends it", async (_, payout, unknown) => {
    const first = aFakeProvider("first", { send: () => UNKNOWN, payout });
    const second = aFakeProvider("second");
    const [paid, refused] = [await aPayout([first, second]), await aPayout([first, second])];
    await workOff();
    for (const name of [paid, refused]) {
      const payment = await passTime(name, PAYOUT_S);
      expect(payment).toMatchObject({ state: "dispute:payout_timeout", unknownSince: unknown });
      expect(await balanceOf(name)).toEqual([98_990n, 1_010n]);
    }
    first.answers.payout = () => APPROVED;
    expect(await look(paid)).toMatchObject({ state: "success" });
    first.answers.payout = () => REFUSED;
    expect(await look(refused)).toMatchObject({ state: "decline" });
    expect([await balanceOf(paid), await balanceOf(refused)]).toEqual([
      [98_990n, 0n],
      [100_000n, 0n],
    ]);
    expect(second.asked).toEqual([]);
  });

  it("is not asked for when the answer is there", async () => {
    const first = aFakeProvider("first", { payout: () => APPROVED });
    const name = await aPayout([first]);
    await workOff();
    expect(await passTime(name, PAYOUT_S)).toMatchObject({ state: "success" });
  });
});

describe("a payout that ended otherwise than it seemed", () => {
  it.each([
    ["may_have_left", "dispute:payout_failed"],
    ["receiver_wrong", "dispute:incorrect_requisites"],
  ] as const)("%s: its money stays locked, and nobody else is asked", async (kind, state) => {
    const first = aFakeProvider("first", { payout: () => ({ kind }) });
    const second = aFakeProvider("second");
    const name = await aPayout([first, second]);
    await workOff();
    expect(await look(name)).toMatchObject({ state });
    await look(name);
    expect(await balanceOf(name)).toEqual([98_990n, 1_010n]);
    expect(second.asked).toEqual([]);
  });

  it("declined, and then it left after all: the shortfall is ours, and posted once", async () => {
    const first = aFakeProvider("first", { send: () => REFUSED, payout: () => APPROVED });
    const name = await aPayout([first]);
    await workOff();
    expect(await find(name)).toMatchObject({ state: "decline", shortfallAt: null });
    await look(name);
    await look(name);
    await look(name);
    expect((await find(name)).shortfallAt).not.toBeNull();
    expect(await balanceOf(name)).toEqual([100_000n, 0n]);
    expect([await sumOf(name, "shortfall"), await sumOf(name, "clearing:first")]).toEqual([-1000n, 1000n]);
    expect(rig.errors.splice(0)).toEqual([expect.stringContaining("shortfall")]);
  });
});
