import { describe, expect, it, vi } from "vitest";
import { workOnPayout } from "../app/payments/work-on-payout.ts";
import type { PayinState, PayoutOutcome, PayoutRequest, RequisitesAnswer } from "../core/connector.ts";
import { systemClock } from "../platform/clock.ts";
import { listAttempts } from "../store/payments/attempts.ts";
import { claimDuePayments, hintByReference } from "../store/payments/claims.ts";
import type { PaymentKey } from "../store/payments/payments.ts";
import { referenceOf } from "../testing/builders/payments.ts";
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
import { heldBack } from "../testing/rigs/held-back.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";
import type { WorkerDeps } from "./runner.ts";

const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const { aPayin, aPayout, attemptsOf, balanceOf, endLease, find, look, sumOf, workOff } = rig;
const WAIT = { timeout: 60_000, interval: 10 };

async function waitForState(name: PaymentKey, state: string): Promise<void> {
  await vi.waitFor(async () => expect((await find(name)).state).toBe(state), WAIT);
}

async function leaseOf({ projectId, requestId }: PaymentKey): Promise<Date | null> {
  const [row] = await db.run<{ lease: Date | null }>({
    text: "select lease_until as lease from payments where project_id = $1 and request_id = $2",
    values: [projectId, requestId],
  });
  return row?.lease ?? null;
}

describe("two workers", () => {
  it("send each payout under one reference to each provider, however they share the work", async () => {
    const first = aFakeProvider("first", { send: (reference) => (isThird(reference) ? REFUSED : UNKNOWN) });
    first.answers.payout = (reference) => (isThird(reference) ? REFUSED : NEVER_SEEN);
    const second = aFakeProvider("second", { send: () => APPROVED, payout: () => APPROVED });
    const begin = await aPayout([first, second]);
    const others = Array.from({ length: 39 }, () => aPayout([first, second], { projectId: begin.projectId }));
    const names = [begin, ...(await Promise.all(others))];
    rig.startWorker();
    rig.startWorker();
    await vi.waitFor(async () => expect(await countUnfinished()).toBe(0), WAIT);
    expect(first.referencesOf("send")).toHaveLength(40);
    const attempts = await Promise.all(names.map(attemptsOf));
    const rerouted = names.filter((_, index) => attempts[index]?.length === 2);
    expect(second.referencesOf("send")).toHaveLength(rerouted.length);
    expect(new Set(attempts.map(String))).toEqual(new Set(["first open", "first refused,second taken"]));
    for (const name of rerouted) expect((await find(name)).state).toBe("success");
  });

  const isThird = (reference: string) => Number.parseInt(reference.slice(20, 32), 16) % 3 === 0;

  /** Those that have neither ended nor been looked at three times. They are hurried. */
  async function countUnfinished(): Promise<number> {
    const rows = await db.run({
      text: `with unfinished as (
               select project_id, request_id from payments
                where finished_at is null and due_at is not null and tries < 3
                order by project_id, request_id
                  for no key update)
             update payments p set due_at = now() from unfinished u
              where p.project_id = u.project_id and p.request_id = u.request_id
             returning p.request_id`,
    });
    if (rows.length > 0) await db.run({ text: "select pg_notify('tillgate_due', '')" });
    return rows.length;
  }
});

describe("a worker that died", () => {
  it("may have sent a payout: who repeats it tells the provider since when, since a refusal is not certain then", async () => {
    const sent: (Date | undefined)[] = [];
    const first = aFakeProvider("first", { payout: () => NEVER_SEEN });
    const sendPayout = async ({ repeatedSince }: PayoutRequest) => {
      sent.push(repeatedSince);
      return UNKNOWN;
    };
    const name = await aPayout([{ ...first, sendPayout }]);
    await workOff();
    await look(name);
    const [attempt] = await listAttempts(db, name.projectId, name.requestId);
    expect(sent).toEqual([undefined, attempt?.createdAt]);
  });

  it("between the claim and the call: its payment is taken over when its lease ends, and not before", async () => {
    const first = aFakeProvider("first", { send: () => APPROVED });
    const name = await aPayout([first]);
    expect(await claimDuePayments(db, { countMax: 10, leaseS: 60 })).toHaveLength(1);
    rig.startWorker();
    const other = await aPayout([first]);
    await waitForState(other, "success");
    expect((await find(name)).state).toBe("processing:new");
    await endLease(name);
    await waitForState(name, "success");
  });

  it("between the commit and the call: its payout is sent under the reference that was committed", async () => {
    const first = aFakeProvider("first", { payout: () => NEVER_SEEN, send: () => APPROVED });
    const name = await aPayout([first]);
    const event = { ...name, payout: { kind: "claimed", clearing: "clearing:first" }, actor: "worker" } as const;
    const claimed = await rig.deps.apply({ ...event, byWorker: true, nextProvider: "first" });
    expect(claimed).toMatchObject({ ok: true });
    await workOff();
    expect(await find(name)).toMatchObject({ state: "success", attemptCount: 1 });
    expect(first.referencesOf("send")).toEqual([await referenceOf(db, name)]);
  });
});

/** A worker is away for longer than its lease, in the middle of a call; another one takes over; then it comes back. */
describe("a worker that comes back too late", () => {
  it("does not send a payout when its lease was not renewed: whoever has it now asks first, under the same reference", async () => {
    const first = aFakeProvider("first", { payout: () => NEVER_SEEN, send: () => APPROVED });
    const name = await aPayout([first]);
    const lease = { isHeld: () => false, settle: async () => new Date() };
    await workOnPayout({ ...rig.deps, clock: systemClock, lease }, await find(name));
    expect(first.countOf("send")).toBe(0);
    expect(await attemptsOf(name)).toEqual(["first open"]);
    const committed = await referenceOf(db, name);
    expect(await look(name)).toMatchObject({ state: "success", reference: committed });
    expect(first.asked.slice(0, 2)).toEqual([`payout ${committed}`, `send ${committed}`]);
  });

  it("does not decline a payout that is with the next provider by now", async () => {
    const held = heldBack<PayoutOutcome>();
    const first = aFakeProvider("first", { send: held.answer, payout: () => REFUSED });
    const second = aFakeProvider("second");
    const name = await aPayout([first, second]);
    rig.startSlowWorker();
    await held.asked;
    rig.startWorker();
    await endLease(name);
    await vi.waitFor(() => expect(second.countOf("send")).toBe(1), WAIT);
    held.letGo(REFUSED);
    await vi.waitFor(async () => expect(await listRefused(name)).toEqual(["declined"]), WAIT);
    expect(await find(name)).toMatchObject({ state: "processing:payout_process", provider: "second" });
    expect(await attemptsOf(name)).toEqual(["first refused", "second open"]);
    expect(await balanceOf(name)).toEqual([98_990n, 1_010n]);
    second.answers.payout = () => APPROVED;
    await hintByReference(db, [{ provider: "second", reference: await referenceOf(db, name, 2) }]);
    await waitForState(name, "success");
    expect(await sumOf(name, "shortfall")).toBe(0n);
  });

  it("does not send it to a provider that has it under another reference", async () => {
    const held = heldBack<void>();
    const first = aFakeProvider("first", { send: () => REFUSED, payout: () => REFUSED });
    const second = aFakeProvider("second");
    const name = await aPayout([first, second]);
    // It has read that the first refused and the second is left, and is away before it can say so.
    const apply: WorkerDeps["apply"] = async (event) => {
      if (event.nextProvider === "second") await held.answer();
      return rig.deps.apply(event);
    };
    rig.startSlowWorker({ apply });
    await held.asked;
    rig.startWorker();
    await endLease(name);
    await vi.waitFor(() => expect(second.countOf("send")).toBe(1), WAIT);
    held.letGo();
    await vi.waitFor(async () => expect(await listRefused(name)).toEqual(["declined_on_route"]), WAIT);
    expect(second.referencesOf("send")).toEqual([await referenceOf(db, name, 2)]);
    expect(await attemptsOf(name)).toEqual(["first refused", "second open"]);
  });

  it("does not give back the lease of the one that took over", async () => {
    const held = [heldBack<PayinState>(), heldBack<PayinState>()] as const;
    const first = aFakeProvider("first");
    const name = await aPayin([first]);
    await workOff();
    let calls = 0;
    first.answers.payin = () => {
      calls += 1;
      return held[calls - 1]?.answer() ?? open();
    };
    await db.run({ text: "update payments set due_at = now() where request_id = $1", values: [name.requestId] });
    const slow = rig.startSlowWorker();
    await held[0].asked;
    rig.startWorker();
    await endLease(name);
    await held[1].asked;
    const lease = await leaseOf(name);
    held[0].letGo(open());
    await vi.waitFor(() => expect(slow.done()).toBe(1), WAIT);
    expect(lease).not.toBeNull();
    expect(await leaseOf(name)).toEqual(lease);
    held[1].letGo(open());
  });

  /** What somebody wanted to happen to it, and what was refused. */
  async function listRefused({ projectId, requestId }: PaymentKey): Promise<string[]> {
    const lines = await db.run<{ event: string }>({
      text: `select event from payment_history
              where project_id = $1 and request_id = $2 and (detail = 'refused' or detail like 'refused: %')`,
      values: [projectId, requestId],
    });
    return lines.map(({ event }) => event);
  }
});

describe("news that comes during a look", () => {
  it("makes another look, where it is a hint", async () => {
    const held = heldBack<PayinState>();
    const first = aFakeProvider("first");
    const name = await aPayin([first]);
    await workOff();
    first.answers.payin = held.answer;
    await db.run({ text: "update payments set due_at = now() where request_id = $1", values: [name.requestId] });
    rig.startWorker();
    await held.asked;
    await hintByReference(db, [{ provider: "first", reference: await referenceOf(db, name) }]);
    first.answers.payin = () => open(receipt("t", 1000));
    held.letGo(open());
    await waitForState(name, "success");
  });

  it("keeps requisites from a payment that was cancelled while they were asked for, and gives them back", async () => {
    const held = heldBack<RequisitesAnswer>();
    const first = aFakeProvider("first", { ask: held.answer });
    const name = await aPayin([first]);
    rig.startWorker();
    await held.asked;
    const cancelled = await rig.deps.apply({ ...name, payin: { kind: "cancelled" }, actor: "merchant" });
    expect(cancelled).toMatchObject({ ok: true, value: { state: "decline" } });
    held.letGo(ISSUED);
    await vi.waitFor(async () => expect((await find(name)).releasedAt).not.toBeNull(), WAIT);
    expect(await find(name)).toMatchObject({ state: "decline", declineCode: "cancelled", requisites: null });
    expect(first.countOf("ask")).toBe(1);
  });

  it("is acted upon at once, where it is the merchant's word", async () => {
    const held = heldBack<PayinState>();
    const first = aFakeProvider("first");
    const name = await aPayin([first]);
    await workOff();
    first.answers.payin = held.answer;
    await db.run({ text: "update payments set due_at = now() where request_id = $1", values: [name.requestId] });
    rig.startWorker();
    await held.asked;
    const cancelled = await rig.deps.apply({ ...name, payin: { kind: "cancelled" }, actor: "merchant" });
    expect(cancelled).toMatchObject({ ok: true, value: { state: "decline" } });
    first.answers.payin = () => open();
    held.letGo(open());
    await vi.waitFor(async () => expect((await find(name)).releasedAt).not.toBeNull(), WAIT);
  });

  it("begins the count of looks anew, where it is an operator's: a payout that left after all is noticed", async () => {
    const held = heldBack<PayoutOutcome>();
    const first = aFakeProvider("first", { payout: () => ({ kind: "may_have_left" }) });
    const name = await aPayout([first]);
    await workOff();
    for (let round = 0; round < 6; round += 1) await look(name);
    expect(await find(name)).toMatchObject({ state: "dispute:payout_failed" });
    first.answers.payout = held.answer;
    await db.run({ text: "update payments set due_at = now() where request_id = $1", values: [name.requestId] });
    const worker = rig.startWorker();
    await held.asked;
    const event = { ...name, payout: { kind: "operator_declined", clearing: "clearing:manual" }, actor: "op" } as const;
    expect(await rig.deps.apply(event)).toMatchObject({ ok: true });
    first.answers.payout = () => PENDING;
    held.letGo({ kind: "may_have_left" });
    await vi.waitFor(async () => expect([worker.inFlight(), await leaseOf(name)]).toEqual([0, null]), WAIT);
    await worker.stop();
    const [row] = await db.run<{ due: boolean }>({
      text: "select due_at < now() + interval '31 seconds' as due from payments where request_id = $1",
      values: [name.requestId],
    });
    expect(row?.due).toBe(true);
    first.answers.payout = () => APPROVED;
    await look(name);
    expect(await sumOf(name, "shortfall")).toBe(-1000n);
    expect(rig.errors.splice(0)).toEqual([expect.stringContaining("shortfall")]);
  });
});

describe("after the end", () => {
  it("somebody looks for late money four times, however long it took to tell the provider of the end", async () => {
    const first = aFakeProvider("first", { release: () => UNKNOWN });
    const name = await aPayin([first]);
    await workOff();
    await rig.deps.apply({ ...name, payin: { kind: "cancelled" }, actor: "merchant" });
    await workOff();
    for (let round = 0; round < 8; round += 1) await look(name);
    first.answers.release = () => DONE;
    const seen: number[] = [];
    for (let due = await secondsToNextLook(name); due !== undefined; due = await secondsToNextLook(name)) {
      seen.push(Math.round(due));
      await db.run({
        text: `update payments set due_at = due_at - make_interval(secs => $2), finished_at = finished_at - make_interval(secs => $2)
                where request_id = $1`,
        values: [name.requestId, due],
      });
      await workOff();
    }
    const late = seen.filter((seconds) => seconds >= 20);
    expect(late.length).toBe(4);
    expect(late.reduce((sum, seconds) => sum + seconds, 0)).toBeGreaterThan(86_000);
    // A hint is all that makes anybody look again.
    first.answers.payin = () => open(receipt("very late", 1000));
    await hintByReference(db, [{ provider: "first", reference: await referenceOf(db, name) }]);
    await workOff();
    expect(await sumOf(name, "suspense")).toBe(1000n);
  });

  async function secondsToNextLook({ requestId }: PaymentKey): Promise<number | undefined> {
    const [row] = await db.run<{ s: number | null }>({
      text: "select extract(epoch from due_at - now())::float8 as s from payments where request_id = $1",
      values: [requestId],
    });
    return row?.s ?? undefined;
  }
});
