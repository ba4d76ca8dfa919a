import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openApplyPayments } from "../app/payments/apply-payments.ts";
import type { PayinState, PayoutOutcome } from "../core/connector.ts";
import { openLog } from "../platform/log.ts";
import type { PaymentKey } from "../store/payments/payments.ts";
import { referenceOf } from "../testing/builders/payments.ts";
import { type DatabaseLine, openDatabaseLine } from "../testing/database/database-line.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import {
  APPROVED,
  aFakeProvider,
  type FakeProvider,
  NEVER_SEEN,
  open,
  receipt,
} from "../testing/rigs/fake-provider.ts";
import { heldBack } from "../testing/rigs/held-back.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";
import type { Worker } from "./runner.ts";

/** A worker whose database goes away in the middle of its work, and comes back. The test looks at the database by another way. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const { aPayin, aPayout, attemptsOf, balanceOf, find, workOff } = rig;
const WAIT = { timeout: 60_000, interval: 10 };
let line: DatabaseLine;
const levels: string[] = [];

beforeAll(async () => {
  line = await openDatabaseLine(db);
});
beforeEach(() => void levels.splice(0));
afterAll(() => line.close());

function startWorker(): Worker {
  const log = openLog({
    level: "warn",
    destination: { write: (text: string) => void levels.push(JSON.parse(text).level) },
  });
  return rig.startWorker({ db: line.db, apply: openApplyPayments(line.db), log });
}

async function waitForState(name: PaymentKey, state: string): Promise<void> {
  await vi.waitFor(async () => expect((await find(name)).state).toBe(state), WAIT);
}

async function leaseOf({ requestId }: PaymentKey) {
  const [row] = await db.run<{ leaseUntil: Date | null; updatedAt: Date }>({
    text: `select lease_until as "leaseUntil", updated_at as "updatedAt" from payments where request_id = $1`,
    values: [requestId],
  });
  if (row === undefined) throw new Error("there is no such payment");
  return row;
}

/** A provider that keeps a payout under its reference, however often it is sent. */
function aBank(): FakeProvider & { readonly paid: Set<string> } {
  const paid = new Set<string>();
  const bank = aFakeProvider("first", {
    send: (reference) => {
      paid.add(reference);
      return APPROVED;
    },
    payout: (reference) => (paid.has(reference) ? APPROVED : NEVER_SEEN),
  });
  return Object.assign(bank, { paid });
}

describe("a database that goes away while a provider is asked", () => {
  it("gets the lease back when it answers again, and the provider's answer by asking for it", async () => {
    const bank = aBank();
    const held = heldBack<PayoutOutcome>();
    bank.answers.send = (reference) => {
      bank.paid.add(reference);
      return held.answer();
    };
    const name = await aPayout([bank]);
    const worker = startWorker();
    await held.asked;
    const { leaseUntil } = await leaseOf(name);
    line.cut();
    held.letGo(APPROVED);
    await vi.waitFor(() => expect(levels.length).toBeGreaterThan(0), WAIT);
    line.mend();
    await waitForState(name, "success");
    // Long before the lease would have ended by itself.
    expect((await leaseOf(name)).updatedAt.getTime()).toBeLessThan(leaseUntil?.getTime() ?? 0);
    await worker.stop();
    expect([...bank.paid]).toEqual([await referenceOf(db, name)]);
    expect(bank.countOf("send")).toBe(1);
    expect(await attemptsOf(name)).toEqual(["first taken"]);
    expect(await balanceOf(name)).toEqual([98_990n, 0n]);
    expect(new Set(levels)).toEqual(new Set(["warn"]));
  });

  it("is told once for many payments, and never as an error", async () => {
    const held = heldBack<PayoutOutcome>();
    const bank = aFakeProvider("first", { send: held.answer, payout: () => APPROVED });
    const one = await aPayout([bank]);
    const others = Array.from({ length: 59 }, () => aPayout([bank], { projectId: one.projectId }));
    const names = [one, ...(await Promise.all(others))];
    const worker = startWorker();
    await vi.waitFor(() => expect(bank.countOf("send")).toBe(60), WAIT);
    line.cut();
    held.letGo(APPROVED);
    await vi.waitFor(() => expect(levels.length).toBeGreaterThan(0), WAIT);
    line.mend();
    for (const name of names) await waitForState(name, "success");
    await worker.stop();
    expect(new Set(levels)).toEqual(new Set(["warn"]));
    // One for each kind of what could not be done, and perhaps a second with the number of the others.
    expect(levels.length).toBeLessThan(15);
    expect(bank.countOf("send")).toBe(60);
  });

  it("does not lose a provider's hint, which is written when it is back", async () => {
    const first = aFakeProvider("first");
    const name = await aPayin([first]);
    await workOff();
    // The next look of the schedule would be in ten seconds, and then later and later.
    await db.run({ text: "update payments set due_at = now() + interval '1 hour' where due_at is not null" });
    const worker = startWorker();
    line.cut();
    first.answers.payin = (): PayinState => open(receipt("t1", 1_000));
    expect(worker.takeHint({ provider: "first", reference: await referenceOf(db, name) })).toBe(true);
    await vi.waitFor(() => expect(levels.length).toBeGreaterThan(0), WAIT);
    line.mend();
    await waitForState(name, "success");
    await worker.stop();
    expect(await balanceOf(name)).toEqual([990n, 0n]);
  });
});

/** The server commits, and the connection ends before it can say so: whether it was done is unknown to the worker. */
describe("a commit whose answer is lost", () => {
  it.each([1, 2])("of a payout, number %i: it is paid once, under one reference", async (number) => {
    const bank = aBank();
    const name = await aPayout([bank]);
    const lostBefore = line.lostCount();
    line.loseAnswerOfCommit(number);
    const worker = startWorker();
    await waitForState(name, "success");
    await vi.waitFor(() => expect(line.lostCount()).toBe(lostBefore + 1), WAIT);
    await worker.stop();
    expect([...bank.paid]).toEqual([await referenceOf(db, name)]);
    expect(bank.countOf("send")).toBe(1);
    expect(await attemptsOf(name)).toEqual(["first taken"]);
    expect(await balanceOf(name)).toEqual([98_990n, 0n]);
    expect((await leaseOf(name)).leaseUntil).toBeNull();
    expect(levels).not.toContain("error");
  });

  it.each([1, 2])("of a pay-in, number %i: its money is counted once", async (number) => {
    const first = aFakeProvider("first");
    const name = await aPayin([first]);
    if (number === 2) await workOff();
    const lostBefore = line.lostCount();
    line.loseAnswerOfCommit(1);
    const worker = startWorker();
    if (number === 2) {
      first.answers.payin = (): PayinState => open(receipt("t1", 1_000));
      worker.takeHint({ provider: "first", reference: await referenceOf(db, name) });
      await waitForState(name, "success");
      // That commit took a lease, which the worker does not know of: it ends by itself, and the test does not wait for that.
      await rig.endLease(name);
      await vi.waitFor(async () => expect((await find(name)).releasedAt).not.toBeNull(), WAIT);
      expect(await balanceOf(name)).toEqual([990n, 0n]);
    } else await waitForState(name, "processing:awaiting_confirm");
    expect(line.lostCount()).toBe(lostBefore + 1);
    await worker.stop();
    expect(await attemptsOf(name)).toEqual(["first taken"]);
    expect(levels).not.toContain("error");
  });
});
