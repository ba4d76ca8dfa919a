import { describe, expect, it } from "vitest";
import { openApplyPayments } from "../../app/payments/apply-payments.ts";
import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import { sumSuspense } from "../../store/ledger/suspense-moves.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { aPayin, ISSUED, receive } from "../../testing/builders/payments.ts";
import { aProject, minor, RUB, testKeyring } from "../../testing/builders/projects.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine } from "../../testing/program/command-line.ts";
import { moveSuspense } from "../../testing/rigs/with-pool.ts";
import { recordLines } from "./record-lines.ts";
import type { ReportedAccount } from "./reported-lines.ts";

const { db } = useTestDatabase();
const keyring = testKeyring();
const tillgate = openCommandLine(db);

/** A declined pay-in of the live book, whose 900 came too late. */
async function lateMoney(): Promise<PaymentKey> {
  const { projectId } = await aProject(db, "live");
  const key = await aPayin(db, [...ISSUED, { kind: "cancelled" }], { projectId });
  await receive(db, key, 900);
  return key;
}

/** A reference is good for one movement of a book, so each account has its own. */
function nameAt(account: ReportedAccount | string, number = 1): string {
  return `bank-${number}-${typeof account === "string" ? account : account.code}`;
}

function sendBack(key: PaymentKey, account: ReportedAccount | string, wish: { amount?: number; number?: number } = {}) {
  const { amount = 900, number = 1 } = wish;
  const through = typeof account === "string" ? account : `pool-${account.code}`;
  return moveSuspense(db, {
    ...{ requestId: key.requestId, amount: minor(amount), target: { kind: "return", through } },
    ...{ reference: nameAt(account, number), reason: "not ordered", actor: "olga" },
  });
}

/** The bank's statement speaks of a debit. */
async function report(account: ReportedAccount, amount: number, name: number | string = 1) {
  const reference = typeof name === "string" ? name : nameAt(account, name);
  const booked = { kind: "instant", from: new Date(), to: new Date() } as const;
  const line = { account, reference, direction: "debit", currency: RUB, amount: minor(amount), booked } as const;
  const [recorded] = await recordLines({ db, keyring }, [{ ...line, payer: undefined }], "statement");
  return recorded;
}

async function clearingOf({ code }: ReportedAccount): Promise<bigint> {
  const rows = await db.run<{ sum: bigint }>({
    text: "select coalesce(sum(amount), 0)::bigint as sum from entries where account = $1",
    values: [`clearing:pool-${code}`],
  });
  return rows[0]?.sum ?? 0n;
}

async function shortfall(): Promise<bigint> {
  const rows = await db.run<{ sum: bigint }>({
    text: "select coalesce(sum(amount), 0)::bigint as sum from entries where account = 'shortfall'",
  });
  return rows[0]?.sum ?? 0n;
}

function linesOf({ id }: ReportedAccount) {
  return db.run({
    text: `select reference, direction, outcome, amount, request_id as "requestId", actor from bank_lines
            where account_id = $1 order by reference`,
    values: [id],
  });
}

describe("money sent back from a receiving account", () => {
  it("is a transfer of that account, which the bank's statement later repeats", async () => {
    const [key, account] = [await lateMoney(), await anAccount(db, keyring)];
    expect(await sendBack(key, account)).toMatchObject({ ok: true, value: { repeated: false, left: 0n } });
    expect([await sumSuspense(db, key), await clearingOf(account)]).toEqual([0n, 900n]);
    const once = [
      {
        reference: nameAt(account),
        direction: "debit",
        outcome: "return",
        amount: 900n,
        requestId: key.requestId,
        actor: "olga",
      },
    ];
    expect(await linesOf(account)).toEqual(once);
    expect(await sendBack(key, account)).toMatchObject({ ok: true, value: { repeated: true } });
    expect(await report(account, 900)).toMatchObject({ kind: "known" });
    expect(await report(account, 901)).toMatchObject({ kind: "contradicts" });
    expect(await linesOf(account)).toEqual(once);
    expect([await sumSuspense(db, key), await clearingOf(account)]).toEqual([0n, 900n]);
  });

  it("explains a debit that the bank reported first", async () => {
    const [key, account] = [await lateMoney(), await anAccount(db, keyring)];
    const before = await shortfall();
    expect(await report(account, 900)).toMatchObject({ kind: "recorded", outcome: "unexplained" });
    expect(await shortfall()).toBe(before - 900n);
    expect(await sendBack(key, account)).toMatchObject({ ok: true, value: { repeated: false } });
    expect(await linesOf(account)).toMatchObject([{ outcome: "return", requestId: key.requestId }]);
    expect([await shortfall(), await clearingOf(account)]).toEqual([before, 900n]);
    expect(await report(account, 900)).toMatchObject({ kind: "known" });
  });

  it("may not use a bank's reference that names something else: nothing moves", async () => {
    const [key, account] = [await lateMoney(), await anAccount(db, keyring)];
    await report(account, 899);
    const taken = { ok: false, error: { kind: "line_taken" } };
    expect(await sendBack(key, account)).toEqual(taken);
    expect(await sendBack(key, account, { amount: 899, number: 2 })).toMatchObject({ ok: true });
    const another = await sendBack(await lateMoney(), account, { amount: 899, number: 2 });
    expect(another).toEqual({ ok: false, error: { kind: "reference_taken" } });
    expect(await sumSuspense(db, key)).toBe(1n);
    expect(await linesOf(account)).toMatchObject([
      { reference: nameAt(account), outcome: "unexplained" },
      { reference: nameAt(account, 2), outcome: "return" },
    ]);
  });

  it("leaves an account that exists, of its own book and currency", async () => {
    const key = await lateMoney();
    const refusedBy = async (account: ReportedAccount | string) => {
      const moved = await sendBack(key, account);
      return moved.ok ? "moved" : moved.error.kind;
    };
    expect(await refusedBy("pool-nobody")).toBe("account_unknown");
    expect(await refusedBy("pool")).toBe("account_unknown");
    expect(await refusedBy(await anAccount(db, keyring, { book: "test" }))).toBe("other_book");
    expect(await refusedBy(await anAccount(db, keyring, { currency: "KZT" as Currency }))).toBe(
      "account_of_other_currency",
    );
    expect(await sumSuspense(db, key)).toBe(900n);
  });

  it("at the same time as its statement is imported is recorded once, and explained whoever was first", async () => {
    const account = await anAccount(db, keyring);
    const keys = await Promise.all(Array.from({ length: 8 }, lateMoney));
    const [moves, lines] = await Promise.all([
      Promise.all(keys.map((key, index) => sendBack(key, account, { number: index }))),
      Promise.all(keys.map((_, index) => report(account, 900, index))),
    ]);
    expect(moves.every((move) => move.ok)).toBe(true);
    expect(lines.every((line) => line?.kind === "known" || line?.kind === "recorded")).toBe(true);
    expect((await linesOf(account)).map(({ outcome }) => outcome)).toEqual(keys.map(() => "return"));
    expect(await clearingOf(account)).toBe(8n * 900n);
  });

  it("is told in words", async () => {
    const [key, account] = [await lateMoney(), await anAccount(db, keyring)];
    const words = ["suspense", "return", key.requestId, "--amount", "400", "--reference", "b-9", "--reason", "r"];
    expect(await tillgate(...words, "--through", "pool-nobody")).toMatchObject({
      exitCode: 1,
      errors: "There is no such receiving account: see pool account list. Nothing was changed.",
    });
    expect((await tillgate(...words, "--through", `pool-${account.code}`)).printed).toBe(
      `4.00 RUB out of suspense of payment ${key.requestId} returned through pool-${account.code}, reference b-9.\n5.00 RUB are left there.`,
    );
  });
});

/** Money that came to the account and belongs to no pay-in: where it stands. */
async function unallocated(account: ReportedAccount, amount: number, reference: string): Promise<PaymentKey> {
  const booked = { kind: "instant", from: new Date(), to: new Date() } as const;
  const line = { account, reference, direction: "credit", currency: RUB, amount: minor(amount), booked } as const;
  const [recorded] = await recordLines({ db, keyring }, [{ ...line, payer: undefined }], "statement");
  if (recorded?.kind !== "recorded" || recorded.projectId === null || recorded.requestId === null)
    throw new Error("it stands in suspense");
  return { projectId: recorded.projectId, requestId: recorded.requestId };
}

describe("money sent back without a word of the way", () => {
  const words = (key: PaymentKey, reference = "FT-9") =>
    ["suspense", "return", key.requestId, "--amount", "900", "--reference", reference, "--reason", "r"] as const;

  it("goes back from the receiving account that it came to, and explains the bank's debit", async () => {
    const account = await anAccount(db, keyring);
    const key = await unallocated(account, 900, "in-1");
    const before = await shortfall();
    const returned = `9.00 RUB out of suspense of payment ${key.requestId} returned through pool-${account.code}, reference FT-9.`;
    expect((await tillgate(...words(key))).printed).toBe(returned);
    expect((await tillgate(...words(key))).printed).toBe(`This was done before, and nothing was changed: ${returned}`);
    expect([await sumSuspense(db, key), await clearingOf(account)]).toEqual([0n, 0n]);
    expect(await report(account, 900, "FT-9")).toMatchObject({ kind: "known" });
    expect(await shortfall()).toBe(before);
    const [manual] = await db.run({
      text: "select from entries where account = 'clearing:manual' and subject_id = $1",
      values: [key.requestId],
    });
    expect(manual).toBeUndefined();
  });

  it("goes back through the provider that it came by", async () => {
    const { projectId } = await aProject(db);
    const key = await aPayin(db, [...ISSUED, { kind: "cancelled" }], { projectId });
    await receive(db, key, 900);
    expect((await tillgate(...words(key, "FT-10"))).printed).toContain("returned through sandbox, reference FT-10.");
  });

  it("must name the way where it came by several, or where the books cannot tell", async () => {
    const [one, other] = [await anAccount(db, keyring), await anAccount(db, keyring)];
    const key = await unallocated(one, 900, "in-2");
    const at = new Date();
    const received = { provider: `pool-${other.code}`, receiptReference: "in-3", amount: minor(900), receivedAt: at };
    await openApplyPayments(db)({
      ...{ ...key, actor: "test", receivedFrom: received },
      payin: { kind: "received", amount: minor(900), clearing: `clearing:pool-${other.code}` },
    });
    await insertBankLines(db, other.id, "in-3", 900, key);
    const ways = [`pool-${one.code}`, `pool-${other.code}`].sort().join(" and ");
    expect(await tillgate(...words(key, "FT-11"))).toMatchObject({
      exitCode: 1,
      errors: `The money came by ${ways}: say with --through which way it went back. Nothing was changed.`,
    });
    expect(await sumSuspense(db, key)).toBe(1_800n);
    expect((await tillgate(...words(key, "FT-11"), "--through", `pool-${other.code}`)).exitCode).toBe(0);
    expect(await clearingOf(other)).toBe(0n);
    // What is left came by one way only.
    expect((await tillgate(...words(key, "FT-12"))).printed).toContain(`returned through pool-${one.code}`);
  });
});

async function insertBankLines(to: typeof db, accountId: Id, reference: string, amount: number, key: PaymentKey) {
  await to.run({
    text: `insert into bank_lines (account_id, id, reference, direction, currency, amount, booked_from, booked_to, booked_day,
                                       outcome, project_id, request_id, actor)
           values ($1, gen_random_uuid(), $2, 'credit', 'RUB', $3, now(), now(), current_date, 'ended', $4, $5, 'test')`,
    values: [accountId, reference, amount, key.projectId, key.requestId],
  });
}
