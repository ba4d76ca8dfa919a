import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { cardRowOf, newPageToken } from "../../app/cards/card-secrets.ts";
import { applyInTransaction, openApplyPayments } from "../../app/payments/apply-payments.ts";
import type { Id } from "../../core/ids.ts";
import { openLog } from "../../platform/log.ts";
import { sumSuspense } from "../../store/ledger/suspense-moves.ts";
import { listPageChoices } from "../../store/page/page-choices.ts";
import { listHistory, listReceipts } from "../../store/payments/payment-trail.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { ratesOf } from "../../testing/builders/new-payments.ts";
import { charged } from "../../testing/builders/payments.ts";
import { aProject, testKeyring } from "../../testing/builders/projects.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";
import { type LentPayin, openPoolRig } from "../../testing/rigs/pool-rig.ts";
import { readAttention } from "../../testing/rigs/with-pool.ts";
import { startChoiceWatch } from "../../worker/choice-watch.ts";
import { openPoolConnector } from "../connector/connector.ts";
import { setRequisite } from "./pool-requisites.ts";
import type { ReportedAccount } from "./reported-lines.ts";

/** A payer of the hosted page is lent a requisite and chooses another way to pay. The money may come all the same. */
const { db, openAnother } = useTestDatabase();
const keyring = testKeyring();
const rig = openPoolRig(db, keyring);
const apply = openApplyPayments(db);
const tillgate = openCommandLine(db, undefined, { openKeyring: async () => keyring });
const { print, json } = outcomesOf(tillgate);
const directory = mkdtempSync(join(tmpdir(), "tillgate-left-"));
afterAll(() => rmSync(directory, { recursive: true }));

const SUM = 1_000;
const QUARANTINE_S = 3_600;
const WHY = ["--reason", "the payer asked"] as const;

/** Only these accounts are free; each takes a sum once at a time. */
async function freshPool(count = 3) {
  await db.run({ text: "update receiving_accounts set enabled = false" });
  const { projectId } = await aProject(db, "live");
  const accounts = new Map<Id, ReportedAccount>();
  for (let index = 0; index < count; index += 1) {
    const account = await anAccount(db, keyring, { settings: { quarantineS: QUARANTINE_S } });
    accounts.set(account.id, account);
  }
  return { projectId, accountOf: ({ accountId }: LentPayin) => accounts.get(accountId) ?? expect.unreachable() };
}

type Pool = Awaited<ReturnType<typeof freshPool>>;

async function lent(page: PaymentKey): Promise<LentPayin> {
  return (await rig.choose(page)) ?? expect.unreachable("an account is free");
}

/** No worker has looked at it yet. */
async function happen({ projectId, requestId }: PaymentKey, kind: "left" | "cancelled" | "provider_declined") {
  const applied = await apply({ projectId, requestId, actor: "payer", payin: { kind } });
  return applied.ok ? applied.value.state : applied.error;
}

const leave = (lending: LentPayin) => happen(lending, "left");
const cancel = (page: PaymentKey) => happen(page, "cancelled");

/** A payer who was lent a requisite, and has left it. The worker has not given it back yet. */
async function aLeft(pool: Pool): Promise<LentPayin> {
  const lending = await lent(await rig.openPage(pool.projectId, SUM));
  expect(await leave(lending)).toBe("processing:new");
  return lending;
}

/** Looks at everything that is due, as the service does. */
async function watch(): Promise<void> {
  const errors: string[] = [];
  const log = openLog({ level: "warn", destination: { write: (line: string) => void errors.push(line) } });
  const connector = openPoolConnector(rig.desk);
  const currentDirectory = () => expect.unreachable("no look at an ended choice asks for routes");
  const deps = { db, keyring, log, apply, currentDirectory, findConnector: () => connector };
  const watching = startChoiceWatch(deps);
  const due = "select from page_choices where due_at <= now() or lease_until is not null";
  await vi.waitFor(async () => expect(await db.run({ text: due })).toEqual([]), { timeout: 60_000, interval: 20 });
  await watching.stop();
  expect(errors).toEqual([]);
}

async function pays(pool: Pool, lending: LentPayin, reference: string, amount = SUM) {
  const account = pool.accountOf(lending);
  const [recorded] = await rig.record([{ account, reference: `${reference}-${account.code}`, amount, at: new Date() }]);
  return recorded;
}

async function lendingOf({ reference }: LentPayin) {
  const [row] = await db.run<{ ended: boolean; heldS: number | null; counted: boolean; live: number }>({
    text: `select l.ended_at is not null as ended, extract(epoch from l.held_until - c.ended_at)::float8 as "heldS",
                  l.counted_on is not null as counted, a.live_count as live
             from lendings l join receiving_accounts a on a.id = l.account_id
             left join page_choices c on c.reference = l.reference where l.reference = $1`,
    values: [reference],
  });
  return row;
}

/** What the payment has of it: what settled it, what stands in suspense, and what came for each choice that was left. */
async function moneyOf(page: PaymentKey) {
  const { state, receivedAmount } = await rig.get(page);
  const left = (await listPageChoices(db, page)).map((choice) => Number(choice.receivedAmount));
  return { state, received: Number(receivedAmount), suspense: Number(await sumSuspense(db, page)), left };
}

async function clearing({ code }: ReportedAccount): Promise<number> {
  const [row] = await db.run<{ sum: number }>({
    text: "select coalesce(sum(amount), 0)::int as sum from entries where account = $1",
    values: [`clearing:pool-${code}`],
  });
  return row?.sum ?? 0;
}

/** Of all payments, as `attention` has it. */
async function suspended() {
  const pile = (await readAttention(db)).suspense.find(({ book }) => book === "live");
  return { count: pile?.count ?? 0, sum: Number(pile?.sum ?? 0) };
}

async function payByCard({ projectId, requestId }: PaymentKey): Promise<void> {
  const key = { projectId, requestId };
  const card = cardRowOf(keyring, key, "4242424242424242", newPageToken());
  const choice = { method: "card-ecom", ...ratesOf(300), lifetimeS: 600, bank: undefined, card } as const;
  await apply({ ...key, actor: "payer", payin: { kind: "card_chosen" }, choice });
  await apply({ ...key, actor: "test", card: { kind: "sent" }, nextProvider: "sandbox" });
  await apply({ ...key, actor: "provider", card: charged(SUM) });
}

describe("a lending that its payer leaves", () => {
  it("is given back by the watch: the place at once, the sum after the quarantine, as on a cancel", async () => {
    const pool = await freshPool(1);
    const left = await aLeft(pool);
    expect(await lendingOf(left)).toMatchObject({ ended: false, counted: true, live: 1 });
    await watch();
    const cancelled = { ended: true, heldS: QUARANTINE_S, counted: false, live: 0 };
    expect(await lendingOf(left)).toEqual(cancelled);
    // Looked at once more, it is not given back once more.
    await db.run({ text: "update page_choices set due_at = now() where due_at is not null" });
    await watch();
    expect(await lendingOf(left)).toEqual(cancelled);
    // The same sum is reserved, for the same payer too; another one finds the place.
    expect(await rig.choose(left)).toBeUndefined();
    expect(await rig.start(pool.projectId, SUM)).toBeUndefined();
    expect(await rig.start(pool.projectId, SUM + 1)).toBeDefined();
    await rig.passTime(QUARANTINE_S + 1);
    expect((await rig.choose(left))?.accountId).toBe(left.accountId);
  });

  it("leaves the payer another account, and a bank that withdrew its requisite does too", async () => {
    const pool = await freshPool(3);
    const first = await aLeft(pool);
    const second = await lent(first);
    const [requisite] = await db.run<{ id: Id }>({
      text: "select requisite_id as id from lendings where reference = $1",
      values: [second.reference],
    });
    await setRequisite(db, requisite?.id ?? expect.unreachable(), "withdrawn");
    expect(await happen(second, "provider_declined")).toBe("processing:new");
    const third = await lent(first);
    expect(new Set([first, second, third].map(({ accountId }) => accountId)).size).toBe(3);
    await watch();
    for (const lending of [first, second]) expect(await lendingOf(lending)).toMatchObject({ ended: true, live: 0 });
    expect(await lendingOf(third)).toMatchObject({ ended: false, live: 1 });
    expect(await pays(pool, second, "w-1")).toMatchObject({ outcome: "ended", requestId: first.requestId });
    expect(await moneyOf(first)).toMatchObject({ state: "processing:awaiting_confirm", left: [0, SUM, 0] });
  });
});

describe("money for a lending that was left", () => {
  it.each(["before", "after"])("and that comes %s the release is counted once, under the payment", async (when) => {
    const pool = await freshPool();
    const left = await aLeft(pool);
    const account = pool.accountOf(left);
    if (when === "after") await watch();
    const line = { account, reference: `l-1-${account.code}`, amount: SUM, at: new Date() };
    const recorded = await rig.record([line, line]);
    expect(recorded).toMatchObject([{ outcome: "ended", requestId: left.requestId }, { kind: "known" }]);
    expect(await rig.record([line])).toMatchObject([{ kind: "known" }]);
    await watch();
    expect(await moneyOf(left)).toEqual({ state: "processing:new", received: 0, suspense: SUM, left: [SUM] });
    expect([await clearing(account), (await listReceipts(db, left)).length]).toEqual([-SUM, 1]);
    // It was paid: so it is a part of the account's day, unless it had been taken out of it before.
    expect(await lendingOf(left)).toMatchObject({ ended: true, live: 0, counted: when === "before" });
    const [said] = (await listHistory(db, left)).filter(({ event }) => event === "late_received");
    expect(said).toMatchObject({ toState: "processing:new", detail: `choice 1: bank reference ${line.reference}` });
    // A second transfer is other money.
    expect(await pays(pool, left, "l-2")).toMatchObject({ outcome: "ended" });
    expect(await moneyOf(left)).toMatchObject({ suspense: 2 * SUM, left: [2 * SUM] });
  });

  it("of another sum is no one's, as after a cancel, and after the quarantine the same sum is", async () => {
    const pool = await freshPool(1);
    const left = await aLeft(pool);
    expect(await pays(pool, left, "o-1", SUM - 1)).toMatchObject({ outcome: "unclaimed" });
    await watch();
    expect(await pays(pool, left, "o-2", SUM + 1)).toMatchObject({ outcome: "unclaimed" });
    await rig.passTime(QUARANTINE_S + 1);
    expect(await pays(pool, left, "o-3")).toMatchObject({ outcome: "unclaimed" });
    expect(await moneyOf(left)).toEqual({ state: "processing:new", received: 0, suspense: 0, left: [0] });
  });

  it("does not go to the next payer of the account, nor the next payer's to it", async () => {
    const pool = await freshPool(1);
    const left = await aLeft(pool);
    await watch();
    const next = (await rig.start(pool.projectId, SUM + 1)) ?? expect.unreachable();
    expect(await pays(pool, left, "n-1")).toMatchObject({ outcome: "ended", requestId: left.requestId });
    expect(await pays(pool, left, "n-2", 7)).toMatchObject({ outcome: "unclaimed" });
    expect(await pays(pool, next, "n-3", SUM + 1)).toMatchObject({ outcome: "exact", requestId: next.requestId });
    expect(await moneyOf(left)).toMatchObject({ state: "processing:new", suspense: SUM });
    expect(await moneyOf(next)).toMatchObject({ state: "success", received: SUM + 1, suspense: 0 });
  });

  it("settles nothing: two left choices and a present one, whose own money alone does", async () => {
    const pool = await freshPool(3);
    const first = await aLeft(pool);
    const second = await lent(first);
    expect(await leave(second)).toBe("processing:new");
    const third = await lent(first);
    expect(await pays(pool, second, "t-2")).toMatchObject({ outcome: "ended" });
    const waiting = { state: "processing:awaiting_confirm", received: 0 };
    expect(await moneyOf(first)).toEqual({ ...waiting, suspense: SUM, left: [0, SUM, 0] });
    const at = new Date();
    const lineOf = (lending: LentPayin, name: string) => ({
      ...{ account: pool.accountOf(lending), amount: SUM, at },
      reference: `${name}-${pool.accountOf(lending).code}`,
    });
    const lines = [lineOf(third, "t-3"), lineOf(first, "t-1"), lineOf(third, "t-4"), lineOf(first, "t-5")];
    const outcomes = (await rig.record(lines)).map((each) => "outcome" in each && each.outcome);
    expect(outcomes).toEqual(["exact", "ended", "ended", "ended"]);
    await watch();
    const succeeded = { state: "success", received: 2 * SUM, suspense: 4 * SUM, left: [2 * SUM, SUM, 0] };
    expect(await moneyOf(first)).toEqual(succeeded);
    for (const [lending, sum] of [
      [first, 2],
      [second, 1],
      [third, 2],
    ] as const)
      expect(await clearing(pool.accountOf(lending))).toBe(-sum * SUM);
    expect(await rig.record(lines)).toMatchObject(lines.map(() => ({ kind: "known" })));
    expect(await moneyOf(first)).toEqual(succeeded);
  });

  it.each([
    ["paid by card", payByCard, "success", SUM],
    ["cancelled", cancel, "decline", 0],
  ] as const)("after the payment was %s changes neither it nor its fee", async (_, end, state, received) => {
    const pool = await freshPool();
    const left = await aLeft(pool);
    await end(left);
    const before = await rig.get(left);
    expect(await pays(pool, left, "e-1")).toMatchObject({ outcome: "ended", requestId: left.requestId });
    await watch();
    expect(await pays(pool, left, "e-2")).toMatchObject({ outcome: "ended" });
    expect(await moneyOf(left)).toMatchObject({ state, received, suspense: 2 * SUM });
    const { fee, amount, sequence, contradictedAt } = before;
    expect(await rig.get(left)).toMatchObject({ fee, amount, sequence, contradictedAt });
  });

  it("that is recorded while the payer leaves, and is lent another requisite, goes to the one that was left", async () => {
    const pool = await freshPool(2);
    const left = await lent(await rig.openPage(pool.projectId, SUM));
    const another = openAnother();
    const { projectId, requestId } = left;
    let recording: ReturnType<typeof pays> | undefined;
    await another.transaction(async (tx) => {
      const event = { projectId, requestId, actor: "payer", payin: { kind: "left" as const } };
      await applyInTransaction(tx, [event]);
      const choice = { method: "card-p2p", ...ratesOf(250), lifetimeS: 600, bank: undefined, card: undefined } as const;
      await applyInTransaction(tx, [{ ...event, payin: { kind: "chosen" }, choice }]);
      recording = pays(pool, left, "r-1");
      // It has read to whom the account is lent, and waits for the payment.
      const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
      await vi.waitFor(async () => expect(await db.run({ text: waiting })).toHaveLength(1), { timeout: 30_000 });
    });
    await another.close();
    expect(await recording).toMatchObject({ outcome: "ended", requestId });
    expect(await moneyOf(left)).toEqual({
      ...{ state: "processing:requisites", received: 0, suspense: SUM },
      left: [SUM, 0],
    });
  });
});

it("money that comes while payers leave settles their payments or stands in suspense, never both", async () => {
  const pool = await freshPool(12);
  const pages = await Promise.all(Array.from({ length: 12 }, () => rig.openPage(pool.projectId, SUM)));
  const lendings: LentPayin[] = [];
  for (const page of pages) lendings.push(await lent(page));
  const outcomes = await Promise.all(
    lendings.map(async (lending) => {
      const [left, recorded] = await Promise.all([leave(lending), pays(pool, lending, "m-1")]);
      await rig.desk.endLending(lending.reference);
      return { left, recorded };
    }),
  );
  await watch();
  for (const [index, lending] of lendings.entries()) {
    const { left, recorded } = outcomes[index] ?? expect.unreachable();
    const isLeft = left === "processing:new";
    expect(recorded).toMatchObject({ outcome: isLeft ? "ended" : "exact", requestId: lending.requestId });
    const paid = { state: "success", received: SUM, suspense: 0, left: [0] };
    expect(await moneyOf(lending)).toEqual(
      isLeft ? { state: "processing:new", received: 0, suspense: SUM, left: [SUM] } : paid,
    );
    expect(await lendingOf(lending)).toMatchObject({ ended: true, counted: true, live: 0 });
  }
});

describe("an operator", () => {
  it("finds the money, waits for the payment's end, and returns or assigns it", async () => {
    const pool = await freshPool(2);
    const left = await aLeft(pool);
    const account = pool.accountOf(left);
    const before = await suspended();
    const claim = ["transfer", "record", "--account", account.code, "--amount", String(SUM), "--reference", "OP-1"];
    expect(await json(...claim)).toMatchObject({ outcome: "ended", request_id: left.requestId });
    const { requestId } = left;
    expect(await json("suspense", "list", "--project", pool.projectId)).toMatchObject([
      { request_id: requestId, state: "processing:new", amount: SUM },
    ]);
    expect(await suspended()).toEqual({ count: before.count + 1, sum: before.sum + SUM });
    expect(await print("attention")).toContain("in suspense, the oldest for");
    expect(await json("payment", "show", requestId)).toMatchObject({ choices: [{ late_money: SUM }] });
    const back = ["suspense", "return", requestId, "--amount", "400", "--reference", "OP-2", ...WHY];
    const reverse = ["transfer", "reverse", account.code, "OP-1", ...WHY];
    for (const words of [back, reverse]) {
      const { exitCode, errors } = await tillgate(...words);
      expect([exitCode, errors]).toEqual([1, expect.stringContaining("is processing:new")]);
      expect(errors).toContain("wait until it ends");
    }
    expect(await print("suspense", "list", "--project", pool.projectId)).toContain("wait until it ends");
    await payByCard(left);
    expect(await print(...back)).toContain(`returned through pool-${account.code}`);
    const assign = ["suspense", "assign", requestId, "--amount", "600", "--to-balance", pool.projectId];
    await print(...assign, "--reference", "OP-3", ...WHY);
    expect(await moneyOf(left)).toMatchObject({ state: "success", suspense: 0, left: [SUM, 0] });
    expect(await suspended()).toEqual(before);
    expect((await tillgate(...reverse)).errors).toContain("The money has gone on");
    expect((await tillgate("ledger", "check")).exitCode).toBe(0);
  });

  it("cannot reverse the line that settled the payment by the money that came for a lending that was left", async () => {
    const pool = await freshPool(2);
    const left = await aLeft(pool);
    const present = await lent(left);
    await pays(pool, left, "X-1");
    expect(await pays(pool, present, "X-2")).toMatchObject({ outcome: "exact" });
    const reverse = (lending: LentPayin, name: string) => {
      const { code } = pool.accountOf(lending);
      return tillgate("transfer", "reverse", code, `${name}-${code}`, ...WHY);
    };
    expect(await reverse(present, "X-2")).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining("has gone on"),
    });
    expect(await moneyOf(left)).toMatchObject({ state: "success", suspense: SUM, left: [SUM, 0] });
    expect(await reverse(left, "X-1")).toMatchObject({ exitCode: 0 });
    expect(await moneyOf(left)).toMatchObject({ state: "success", suspense: 0 });
    expect([await clearing(pool.accountOf(left)), await clearing(pool.accountOf(present))]).toEqual([0, -SUM]);
  });

  it("reverses a line that was a mistake; the right one is taken, and the statement agrees", async () => {
    const pool = await freshPool(2);
    const left = await aLeft(pool);
    const account = pool.accountOf(left);
    const line = { account, reference: "RV-1", amount: SUM, at: new Date() };
    await rig.record([line]);
    await payByCard(left);
    await print("transfer", "reverse", account.code, "RV-1", ...WHY);
    await watch();
    expect(await moneyOf(left)).toEqual({ state: "success", received: SUM, suspense: 0, left: [SUM, 0] });
    expect(await clearing(account)).toBe(0);
    expect(await rig.record([line])).toMatchObject([{ outcome: "ended", requestId: left.requestId }]);
    await watch();
    expect(await moneyOf(left)).toMatchObject({ suspense: SUM, left: [2 * SUM, 0] });
    const [day] = await db.run<{ day: string }>({
      text: "select booked_day::text as day from bank_lines where reference = 'RV-1' limit 1",
    });
    const file = join(directory, "day.csv");
    const header = "booked_at,account,amount,currency,reference,payer\n";
    writeFileSync(file, `${header}${day?.day},${account.code},10.00,RUB,RV-1,\n`);
    expect(await print("reconcile", account.code, file, `--closing-balance=${SUM}`)).toContain("Every line agrees.");
    expect((await tillgate("ledger", "check")).exitCode).toBe(0);
  });
});
