import { describe, expect, it } from "vitest";
import { declinePayment, settlePayment } from "../app/payments/settle-payment.ts";
import type { PayinState, PayoutOutcome } from "../core/connector.ts";
import { hintByReference } from "../store/payments/claims.ts";
import { listHistory } from "../store/payments/payment-trail.ts";
import type { PaymentKey } from "../store/payments/payments.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import {
  APPROVED,
  aFakeProvider,
  NEVER_SEEN,
  open,
  PENDING,
  REFUSED,
  receipt,
  UNKNOWN,
} from "../testing/rigs/fake-provider.ts";
import { checkLedger, readAttention } from "../testing/rigs/with-pool.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";

/** What a provider says of a payment after an operator ended it. `core/payments/after-end.ts` has the table. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const { aPayin, aPayout, errors, find, look, passTime, sumOf, workOff } = rig;

const PAYOUT_S = 3_601;
const CONFIRM_S = 1_801;
const RETURNED = { kind: "returned" } as const;

let referenceCount = 0;
const byHand = ({ requestId }: PaymentKey) => {
  referenceCount += 1;
  return { requestId, reference: `bank-${referenceCount}`, reason: "seen in the statement", actor: "olga" };
};

type End = "settled elsewhere" | "settled through the provider" | "declined";

async function endByHand(name: PaymentKey, end: End): Promise<void> {
  const through = end === "settled elsewhere" ? { through: "manual" } : {};
  const ended =
    end === "declined"
      ? await declinePayment(db, byHand(name))
      : await settlePayment(db, { ...byHand(name), ...through });
  expect(ended).toMatchObject({ ok: true });
}

/** A payout whose provider did not answer in time, and which an operator ended. */
async function endedPayout(end: End) {
  const first = aFakeProvider("first");
  const name = await aPayout([first]);
  await workOff();
  expect(await passTime(name, PAYOUT_S)).toMatchObject({ state: "dispute:payout_timeout" });
  await endByHand(name, end);
  return { first, name };
}

/** What operators are told: shortfalls and contradictions of the whole database, and alerts in the log. */
async function alerts() {
  const { shortfalls, contradicted } = await readAttention(db);
  const count = (piles: readonly { readonly count: number }[]) => piles.reduce((sum, pile) => sum + pile.count, 0);
  return [count(shortfalls), count(contradicted), errors.splice(0).length];
}

async function newAlerts(before: readonly number[]) {
  const after = await alerts();
  return after.map((count, index) => (index === 2 ? count : count - (before[index] ?? 0)));
}

/** Seconds until the worker asks again; undefined: it does not. */
async function nextLookS({ requestId }: PaymentKey) {
  const [row] = await db.run<{ s: number | null }>({
    text: "select extract(epoch from due_at - now())::float8 as s from payments where request_id = $1",
    values: [requestId],
  });
  return row?.s ?? undefined;
}

const NOTHING = [0, 0, 0];
const SHORTFALL = [1, 0, 1];
const CONTRADICTION = [0, 1, 1];
type PayoutWord = PayoutOutcome | typeof NEVER_SEEN;

describe("a payout that an operator ended", () => {
  it.each<[End, PayoutWord, readonly number[]]>([
    ["settled elsewhere", APPROVED, SHORTFALL],
    ["settled elsewhere", REFUSED, NOTHING],
    ["settled elsewhere", NEVER_SEEN, NOTHING],
    ["settled elsewhere", RETURNED, NOTHING],
    ["settled through the provider", APPROVED, NOTHING],
    ["settled through the provider", REFUSED, CONTRADICTION],
    ["settled through the provider", NEVER_SEEN, CONTRADICTION],
    ["settled through the provider", RETURNED, CONTRADICTION],
    ["declined", APPROVED, SHORTFALL],
    ["declined", REFUSED, NOTHING],
    ["declined", NEVER_SEEN, NOTHING],
    ["declined", RETURNED, NOTHING],
  ])("%s, and its provider says %o", async (end, word, expected) => {
    const { first, name } = await endedPayout(end);
    const before = await alerts();
    const { state } = await find(name);
    first.answers.payout = () => word;
    expect(await passTime(name, 31)).toMatchObject({ state, unknownSince: null });
    expect(first.countOf("payout")).toBeGreaterThan(1);
    const paidTwice = expected === SHORTFALL ? -1000n : 0n;
    expect(await sumOf(name, "shortfall")).toBe(paidTwice);
    expect(await newAlerts(before)).toEqual(expected);
    // Said again, by a notification or by whoever takes over: nothing is posted or alerted twice.
    for (let time = 0; time < 2; time += 1) await look(name);
    expect(await sumOf(name, "shortfall")).toBe(paidTwice);
    expect(await newAlerts(before)).toEqual([expected[0], expected[1], 0]);
    expect((await checkLedger(db)).violations).toEqual([]);
    if (state === "success") expect(await nextLookS(name)).toBeUndefined();
  });

  it.each<[End, PayoutWord]>(
    (["settled elsewhere", "settled through the provider", "declined"] as const).flatMap((end) =>
      ([PENDING, UNKNOWN, { kind: "may_have_left" }, { kind: "receiver_wrong" }] as const).map(
        (word) => [end, word] as [End, PayoutWord],
      ),
    ),
  )("%s is asked about again while its provider says %o, until it is certain", async (end, word) => {
    const { first, name } = await endedPayout(end);
    first.answers.payout = () => word;
    for (let time = 0; time < 3; time += 1) {
      const asked = first.countOf("payout");
      await passTime(name, 86_401);
      expect(first.countOf("payout")).toBe(asked + 1);
      expect(await nextLookS(name)).toBeLessThanOrEqual(86_400);
    }
    expect(await sumOf(name, "shortfall")).toBe(0n);
    // Found out after days: then it counts.
    first.answers.payout = () => APPROVED;
    await passTime(name, 86_401);
    const paidTwice = end !== "settled through the provider";
    expect(await sumOf(name, "shortfall")).toBe(paidTwice ? -1000n : 0n);
    expect(errors.splice(0)).toHaveLength(paidTwice ? 1 : 0);
  });

  it("cancelled before it was sent was given to no provider, and none is asked", async () => {
    const first = aFakeProvider("first");
    await rig.pause("payouts", "");
    const name = await aPayout([first]);
    await endByHand(name, "declined");
    expect(await look(name)).toMatchObject({ state: "decline", unprovenEnd: null });
    await rig.resume("payouts", "");
    expect(first.asked).toEqual([]);
  });

  it("posts what left twice against the clearing account of the provider that paid", async () => {
    const { first, name } = await endedPayout("settled elsewhere");
    first.answers.payout = () => APPROVED;
    await passTime(name, 31);
    errors.splice(0);
    expect(
      await Promise.all(["clearing:manual", "clearing:first", "shortfall"].map((each) => sumOf(name, each))),
    ).toEqual([-100_000n + 1000n, 1000n, -1000n]);
    expect((await listHistory(db, name)).at(-1)).toMatchObject({ event: "approved", toState: "success" });
  });

  it("is not posted twice by two workers, nor lost with the one that dies before it wrote", async () => {
    const { first, name } = await endedPayout("settled elsewhere");
    let asked = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // The first worker to ask hangs with its answer, as one that is killed; another takes over when its lease ends.
    first.answers.payout = async () => {
      asked += 1;
      if (asked === 1) await held;
      return APPROVED;
    };
    const workers = [rig.startSlowWorker()];
    await rig.deps.db.run({
      text: "update payments set due_at = now() where request_id = $1",
      values: [name.requestId],
    });
    await rig.deps.db.run({ text: "select pg_notify('tillgate_due', '')" });
    await expect.poll(() => asked, { timeout: 60_000 }).toBe(1);
    workers.push(rig.startSlowWorker());
    await rig.endLease(name);
    await expect.poll(() => sumOf(name, "shortfall"), { timeout: 60_000 }).toBe(-1000n);
    release();
    await workOff();
    // The alert is given after the commit: both have given theirs when both have stopped.
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(await sumOf(name, "shortfall")).toBe(-1000n);
    // The worker that was thought dead may say it too: an alert is given at least once, and the money is posted once.
    expect(errors.splice(0).length).toBeGreaterThan(0);
  });
});

it("a payout that its provider paid and then took back is an alert, and stays a success", async () => {
  const first = aFakeProvider("first", { payout: () => APPROVED });
  const name = await aPayout([first]);
  await workOff();
  expect(await look(name)).toMatchObject({ state: "success" });
  const before = await alerts();
  first.answers.payout = () => RETURNED;
  const { reference } = await find(name);
  await hintByReference(db, [{ provider: "first", reference: reference ?? "" }]);
  await workOff();
  expect(await find(name)).toMatchObject({ state: "success", contradictedAt: expect.any(Date) });
  expect(await newAlerts(before)).toEqual(CONTRADICTION);
});

/** A pay-in whose payer confirmed, of which no money was seen, and which an operator ended. */
async function endedPayin(end: End) {
  const first = aFakeProvider("first");
  const name = await aPayin([first]);
  await workOff();
  await rig.deps.apply({ ...name, payin: { kind: "confirmed" }, actor: "merchant" });
  expect(await passTime(name, CONFIRM_S)).toMatchObject({ state: "dispute:confirm_timeout" });
  if (end === "settled through the provider") {
    // The command takes a provider of the table only; the rule is the same for any.
    const clearing = "clearing:first" as const;
    const settled = await rig.deps.apply({ ...name, payin: { kind: "operator_settled", clearing }, actor: "olga" });
    expect(settled).toMatchObject({ ok: true });
  } else await endByHand(name, end);
  await workOff();
  return { first, name };
}

const CANCELLED: PayinState = { kind: "declined", receipts: [] };

describe("a pay-in that an operator ended", () => {
  it.each<[End, string, PayinState, bigint, readonly number[]]>([
    ["settled elsewhere", "that money came", open(receipt("late", 1000)), 1000n, NOTHING],
    ["settled elsewhere", "that none came", CANCELLED, 0n, NOTHING],
    ["settled elsewhere", "that it never saw it", NEVER_SEEN, 0n, NOTHING],
    [
      "settled elsewhere",
      "that money came and went back",
      open({ ...receipt("back", 1000), reversed: true }),
      0n,
      NOTHING,
    ],
    ["settled through the provider", "that money came", open(receipt("late", 1000)), 1000n, NOTHING],
    ["settled through the provider", "that none came", CANCELLED, 0n, CONTRADICTION],
    ["settled through the provider", "that it never saw it", NEVER_SEEN, 0n, CONTRADICTION],
    ["declined", "that money came", open(receipt("late", 1000)), 1000n, NOTHING],
    ["declined", "that none came", CANCELLED, 0n, NOTHING],
    ["declined", "that it never saw it", NEVER_SEEN, 0n, NOTHING],
  ])("%s, and its provider says %s", async (end, _says, word, suspended, expected) => {
    const { first, name } = await endedPayin(end);
    const before = await alerts();
    const { state } = await find(name);
    const asked = first.countOf("payin");
    first.answers.payin = () => word;
    expect(await passTime(name, 86_401)).toMatchObject({ state });
    expect(first.countOf("payin")).toBeGreaterThan(asked);
    expect(await sumOf(name, "suspense")).toBe(suspended);
    expect(await newAlerts(before)).toEqual(expected);
    await look(name);
    expect(await sumOf(name, "suspense")).toBe(suspended);
    expect(await newAlerts(before)).toEqual([expected[0], expected[1], 0]);
  });

  it.each<[End, string, PayinState]>([
    ["settled elsewhere", "nothing new", open()],
    ["settled through the provider", "nothing at all", UNKNOWN],
    ["declined", "nothing new", open()],
    ["declined", "nothing at all", UNKNOWN],
  ])("%s is asked about again while its provider says %s", async (end, _says, word) => {
    const { first, name } = await endedPayin(end);
    await db.run({
      text: "update payments set finished_at = now() - interval '3 days' where request_id = $1",
      values: [name.requestId],
    });
    first.answers.payin = () => word;
    for (let time = 0; time < 2; time += 1) {
      await look(name);
      expect(await nextLookS(name)).toBeGreaterThan(0);
    }
  });
});

it("money that a provider took back after the success is an alert, once, and the pay-in stays a success", async () => {
  const first = aFakeProvider("first");
  const name = await aPayin([first]);
  await workOff();
  first.answers.payin = () => open(receipt("t", 1000));
  expect(await look(name)).toMatchObject({ state: "success" });
  const before = await alerts();
  first.answers.payin = () => open({ ...receipt("t", 1000), reversed: true });
  for (let time = 0; time < 2; time += 1)
    expect(await look(name)).toMatchObject({
      state: "success",
      receivedAmount: 1000n,
      contradictedAt: expect.any(Date),
    });
  expect(await newAlerts(before)).toEqual(CONTRADICTION);
  expect((await listHistory(db, name)).at(-1)).toMatchObject({
    event: "contradicted",
    detail: "the provider took back transfer t",
  });
});
