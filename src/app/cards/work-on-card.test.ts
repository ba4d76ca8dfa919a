import { describe, expect, it, vi } from "vitest";
import type { CardAcquirer, ChargeState } from "../../core/card-acquirer.ts";
import type { CardHappening } from "../../core/cards/decide-card.ts";
import { CARD_UNKNOWN_MAX_S } from "../../core/payments/timers.ts";
import { hintByReference } from "../../store/payments/claims.ts";
import { movePayments } from "../../store/payments/move-clock.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { aCardPayin, charged, referenceOf } from "../../testing/builders/payments.ts";
import { minor } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { aFakeProvider, NEVER_SEEN, PENDING, UNKNOWN } from "../../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../../testing/rigs/worker-rig.ts";

/** What the worker makes of an acquirer's words, which a test puts into its mouth. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const SOON = { timeout: 60_000, interval: 5 };

type Answers = { state: ChargeState; reverse: ChargeState };

/** A payment that was sent, and the acquirer that has it, with a worker that asks it. */
async function sent(happenings: readonly CardHappening[] = [], answers: Partial<Answers> = {}) {
  const given: Answers = { state: PENDING, reverse: UNKNOWN, ...answers };
  const asked: string[] = [];
  const answer = async (call: keyof Answers, reference: string) => {
    asked.push(`${call} ${reference}`);
    return given[call];
  };
  const cards: CardAcquirer = {
    needsHolder: false,
    charge: () => Promise.reject(new Error("the worker has no card to send")),
    passAuthentication: () => Promise.reject(new Error("the worker has no result to pass")),
    askChargeState: (reference) => answer("state", reference),
    reverse: (reference) => answer("reverse", reference),
  };
  const key = await aCardPayin(db, happenings);
  rig.startWorker({ findConnector: () => ({ ...aFakeProvider("sandbox"), cards }) });
  return { key, given, asked };
}

/** Lets so much time pass, and waits until the worker has nothing more to do. */
async function pass(key: PaymentKey, seconds: number) {
  await movePayments(db, key.projectId, seconds);
  return atRest(key);
}

async function atRest(key: PaymentKey) {
  await vi.waitFor(async () => {
    const rows = await db.run({
      text: "select from payments where request_id = $1 and (due_at <= now() or lease_until is not null)",
      values: [key.requestId],
    });
    expect(rows).toEqual([]);
  }, SOON);
  return rig.find(key);
}

describe("a charge that the acquirer says it never saw", () => {
  it("is declined once nobody can still be sending it, and not before", async () => {
    const { key, asked } = await sent([], { state: NEVER_SEEN });
    await pass(key, 20);
    expect(asked).toEqual([]);
    const first = await pass(key, 11);
    expect([first.state, first.unknownSince]).toEqual(["processing:new", expect.any(Date)]);
    expect(await pass(key, 31)).toMatchObject({ state: "decline", declineCode: "provider_declined" });
  });

  it("is not declined on the acquirer's own hints, which say the opposite", async () => {
    const { key, asked } = await sent([], { state: NEVER_SEEN });
    for (const times of [1, 2]) {
      await hintByReference(db, [{ provider: "sandbox", reference: await referenceOf(db, key) }]);
      await vi.waitFor(() => expect(asked).toHaveLength(times), SOON);
      expect(await atRest(key)).toMatchObject({ state: "processing:new" });
    }
    expect(await pass(key, 31)).toMatchObject({ state: "decline" });
  });
});

describe("a charge that stays pending", () => {
  it.each<[string, CardHappening[], number]>([
    ["processing:new", [], 600],
    ["processing:awaiting_3ds_result", [{ kind: "challenged" }], 600],
    ["processing:paid", [{ kind: "challenged" }, { kind: "result_passed" }], 0],
  ])(
    "from %s is in dispute a day after its time, and is never simply expired",
    async (state, happenings, lifetimeS) => {
      const { key, given } = await sent(happenings);
      expect(await pass(key, lifetimeS + CARD_UNKNOWN_MAX_S - 60)).toMatchObject({ state });
      expect(await pass(key, 120)).toMatchObject({ state: "dispute:confirm_timeout", declineCode: null });
      given.state = { kind: "declined", reason: "insufficient_funds" };
      expect(await pass(key, 900)).toMatchObject({ state: "decline", declineCode: "insufficient_funds" });
    },
  );
});

describe("a charge after the end", () => {
  it.each<[string, ChargeState]>([
    ["unknown", UNKNOWN],
    ["pending", PENDING],
    ["still approved", { kind: "approved", amount: minor(1000) }],
    ["declined", { kind: "declined", reason: "other" }],
    ["never seen", NEVER_SEEN],
  ])("is asked back until the acquirer says that it gave it back, not that it is %s", async (_, word) => {
    const { key, given, asked } = await sent([{ kind: "expired" }, charged(1000)], { reverse: word });
    expect(await pass(key, 60)).toMatchObject({ state: "decline", releasedAt: null });
    expect(await rig.sumOf(key, "suspense")).toBe(1000n);
    given.reverse = { kind: "reversed", amount: minor(1000) };
    expect(await pass(key, 60)).toMatchObject({
      state: "decline",
      declineCode: "expired",
      releasedAt: expect.any(Date),
    });
    expect([await rig.sumOf(key, "suspense"), await rig.sumOf(key, "clearing:sandbox")]).toEqual([0n, 0n]);
    const reference = await referenceOf(db, key);
    const reversals = () => asked.filter((each) => each === `reverse ${reference}`).length;
    const reversedAfter = reversals();
    given.state = { kind: "reversed", amount: minor(1000) };
    await pass(key, 86_400);
    expect(reversals()).toBe(reversedAfter);
    expect(await rig.sumOf(key, "clearing:sandbox")).toBe(0n);
  });
});
