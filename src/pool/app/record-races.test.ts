import { describe, expect, it } from "vitest";
import { openApplyPayments } from "../../app/payments/apply-payments.ts";
import { openCreatePayments } from "../../app/payments/create-payments.ts";
import type { Id } from "../../core/ids.ts";
import { POOL_PROVIDER, wayOf } from "../../core/providers.ts";
import { newId } from "../../platform/new-id.ts";
import type { Transaction } from "../../store/db.ts";
import { ASKED_FOR } from "../../testing/builders/asked-for.ts";
import { aNewPayin } from "../../testing/builders/new-payments.ts";
import { aProject, credit, minor, RUB, testKeyring } from "../../testing/builders/projects.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { waitUntilBlocked } from "../../testing/database/wait-until-blocked.ts";
import { type LentPayin, openPoolRig } from "../../testing/rigs/pool-rig.ts";
import { listHolders } from "../store/lendings.ts";
import { createStatementLines } from "../store/statement-lines.ts";
import { recordLines } from "./record-lines.ts";
import type { ReportedAccount } from "./reported-lines.ts";

const { db, openAnother } = useTestDatabase();
const keyring = testKeyring();
const rig = openPoolRig(db, keyring);

async function freshPool(timeZone = "UTC"): Promise<{ projectId: Id; account: ReportedAccount }> {
  await db.run({ text: "update receiving_accounts set enabled = false" });
  const { projectId } = await aProject(db, "live");
  return { projectId, account: await anAccount(db, keyring, { settings: { timeZone } }) };
}

async function started(projectId: Id, amount: number): Promise<LentPayin> {
  return (await rig.start(projectId, amount)) ?? expect.unreachable("nothing was lent");
}

/** The worker asked, and died before it could write the answer down. */
async function lentAndNotShown(projectId: Id, amount: number) {
  const payin = aNewPayin(projectId, { amount: minor(amount) });
  const { requestId } = payin;
  const created = await openCreatePayments(db).payin(payin);
  expect(created.ok).toBe(true);
  const apply = openApplyPayments(db);
  const key = { projectId, requestId };
  await apply({ ...key, actor: "test", payin: { kind: "submitted" }, nextProvider: POOL_PROVIDER });
  const reference = (await rig.get(key)).reference ?? "";
  const request = { reference, projectId, method: "card-p2p", amount: minor(amount), currency: RUB } as const;
  expect(await rig.desk.lend({ ...request, bank: undefined, expiresAt: new Date(), ...ASKED_FOR })).toMatchObject({
    kind: "issued",
  });
  await db.run({
    text: "update lendings set lent_at = lent_at - interval '1 minute' where reference = $1",
    values: [reference],
  });
  const show = () =>
    apply({
      ...key,
      ...{ actor: "test", payin: { kind: "requisites_issued" }, attemptEnd: { outcome: "taken", detail: null } },
    });
  return { ...key, reference, show };
}

describe("a sum that was lent and that its payer was not shown", () => {
  it("is nobody's, whether it is shown later or not", async () => {
    const { projectId, account } = await freshPool();
    const payin = await lentAndNotShown(projectId, 1_000);
    const bookedAt = new Date(Date.now() - 30_000);
    const record = async (reference: string, amount: number) =>
      (await rig.record([{ account, reference, amount, at: bookedAt }]))[0];
    expect(await record("a-1", 1_000)).toMatchObject({ outcome: "unclaimed" });
    expect(await record("a-2", 999)).toMatchObject({ outcome: "unclaimed" });
    await payin.show();
    expect(await record("a-3", 1_000)).toMatchObject({ outcome: "unclaimed" });
    expect(await rig.get(payin)).toMatchObject({ state: "processing:awaiting_confirm", receivedAmount: 0n });
    const shown = { account, reference: "a-4", amount: 1_000, at: new Date() };
    expect(await rig.record([shown])).toMatchObject([{ outcome: "exact", requestId: payin.requestId }]);
  });
});

describe("two imports", () => {
  it("that take the same merchants' balances in opposite orders both end well", async () => {
    await db.run({ text: "update receiving_accounts set enabled = false" });
    const projects = [(await aProject(db, "live")).projectId, (await aProject(db, "live")).projectId] as const;
    for (const projectId of projects) await credit(db, projectId, 1);
    const [one, other] = [await statementOf(projects[0], projects[1]), await statementOf(projects[1], projects[0])];
    const another = openAnother();
    let both: Promise<unknown[]> | undefined;
    // Each has taken its first balance when it meets the receipt that the test holds, and then wants the other's.
    const held = another.transaction(async (tx) => {
      for (const { last, account } of [one, other]) await holdReceipt(tx, last, account);
      const imports = [rig.record(one.lines), openPoolRig(another, keyring).record(other.lines)];
      both = Promise.all(imports);
      both.catch(() => undefined);
      await waitUntilBlocked(db, 2);
      throw new Error("let go");
    });
    await expect(held).rejects.toThrow("let go");
    for (const recorded of (await both) as unknown[]) {
      expect(recorded).toMatchObject([{ outcome: "exact" }, { outcome: "ended" }, { outcome: "exact" }]);
    }
    await another.close();
  });

  /** Paid, paid once more, which has to wait for what became of the first; and then somebody else's. */
  async function statementOf(first: Id, second: Id) {
    await db.run({ text: "update receiving_accounts set enabled = false" });
    const account = await anAccount(db, keyring);
    const [twice, last] = [await started(first, 5_000), await started(second, 5_001)];
    const at = new Date();
    const lines = [
      { account, reference: newId(), amount: twice.amount, at },
      { account, reference: newId(), amount: twice.amount, at },
      { account, reference: "last", amount: last.amount, at },
    ];
    return { account, lines, last };
  }

  async function holdReceipt(tx: Transaction, payin: LentPayin, account: ReportedAccount): Promise<void> {
    await tx.run({
      text: `insert into receipts (project_id, provider, receipt_reference, request_id, amount, received_at)
             values ($1, $2, 'last', $3, $4, now())`,
      values: [payin.projectId, wayOf(POOL_PROVIDER, account.code), payin.requestId, payin.amount],
    });
  }
});

describe("the time of a booking", () => {
  it("in the hour that the clocks show twice may be either: of two payers of one sum it is nobody's", async () => {
    const { projectId, account } = await freshPool("Europe/Berlin");
    const first = await started(projectId, 2_000);
    await rig.happen(first, { kind: "cancelled" });
    await movedTo(first, "2025-10-26T00:20:00Z", "2025-10-26T00:50:00Z");
    const second = await started(projectId, 2_000);
    await movedTo(second, "2025-10-26T01:20:00Z", undefined);
    // 02:30 on the clock was at 00:30 UTC, when the first was shown it, and again at 01:30 UTC, when the second was.
    const booked = { kind: "local", from: "2025-10-26 02:30:00.000", to: "2025-10-26 02:30:59.999" } as const;
    const line = { account, reference: "t-1", direction: "credit", currency: RUB, payer: undefined, booked } as const;
    const recorded = await recordLines({ db, keyring }, [{ ...line, amount: minor(2_000) }], "test");
    expect(recorded).toMatchObject([{ outcome: "unclaimed" }]);
    expect((await rig.get(second)).receivedAmount).toBe(0n);
  });

  async function movedTo({ reference }: LentPayin, lentAt: string, heldUntil: string | undefined): Promise<void> {
    await db.run({ text: "update attempts set ended_at = $2 where reference = $1", values: [reference, lentAt] });
    await db.run({
      text: `update lendings set lent_at = $2::timestamptz, ended_at = case when $3::timestamptz is not null then $2::timestamptz end,
                    held_until = $3::timestamptz
              where reference = $1`,
      values: [reference, lentAt, heldUntil ?? null],
    });
  }

  it("that is still to come was misread, and is not recorded; only days may be those of the next working day", async () => {
    const { projectId, account } = await freshPool();
    const payin = await started(projectId, 2_500);
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    const line = { account, reference: "t-2", amount: 2_500 };
    // As a bank in Moscow writes the present time, and somebody forgot to say that it is in Moscow.
    expect(await rig.record([{ ...line, at: inHours(3) }])).toEqual([{ kind: "ahead" }]);
    const onDay = (days: number) => {
      const day = inHours(days * 24)
        .toISOString()
        .slice(0, 10);
      const booked = { kind: "local", from: `${day} 00:00:00.000`, to: `${day} 23:59:59.999` } as const;
      const whole = {
        ...line,
        booked,
        amount: minor(2_500),
        direction: "credit",
        currency: RUB,
        payer: undefined,
      } as const;
      return recordLines({ db, keyring }, [whole], "test");
    };
    expect(await onDay(9)).toEqual([{ kind: "ahead" }]);
    expect((await rig.get(payin)).receivedAmount).toBe(0n);
    expect(await onDay(3)).toMatchObject([{ outcome: "exact" }]);
  });
});

it("a comparison waits for a slow file as long as it takes", async () => {
  const timeOut = await db.transaction(async (tx) => {
    await createStatementLines(tx);
    return tx.run({ text: "show idle_in_transaction_session_timeout" });
  });
  expect(timeOut).toEqual([{ idle_in_transaction_session_timeout: "0" }]);
});

it("an account that was lent thousands of times is asked for its present holders only", async () => {
  const { projectId, account } = await freshPool();
  await db.run({
    text: `insert into lendings (reference, project_id, account_id, requisite_id, method, currency, amount, lent_at, ended_at, held_until, freed)
           select 'past-' || n, $1::uuid, $2::uuid, (select id from requisites where account_id = $2::uuid), 'card-p2p', 'RUB', 1000,
                  now() - interval '2 hours' - make_interval(secs => n), now() - interval '2 hours' - make_interval(secs => n - 1),
                  now() - interval '1 hour' - make_interval(secs => n - 1), true
             from generate_series(1, 30000) n`,
    values: [projectId, account.id],
    timeoutMs: 0,
  });
  await db.run({ text: "analyze lendings", timeoutMs: 0 });
  await started(projectId, 1_000);
  const at = new Date();
  const questionOf = (amount: number) => ({
    ...{ accountId: account.id, currency: RUB, amount: minor(amount) },
    bookedFrom: at,
    bookedTo: at,
  });
  const questions = [...Array.from({ length: 200 }, (_, n) => questionOf(5_000 + n)), questionOf(1_000)];
  const read = await db.transaction(async (tx) => {
    expect(await listHolders(tx, questions)).toHaveLength(questions.length);
    const [row] = await tx.run<{ read: number }>({
      text: `select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as read from pg_stat_xact_user_tables where relname = 'lendings'`,
    });
    return row?.read ?? 0;
  });
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(questions.length * 10);
});
