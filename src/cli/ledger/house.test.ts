import { expect, it } from "vitest";
import { openApplyPayments } from "../../app/payments/apply-payments.ts";
import type { PaymentEvent } from "../../app/payments/payment-event.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { aPayin, aPayout, ISSUED, receive, referenceOf } from "../../testing/builders/payments.ts";
import { aProject, minor, testKeyring } from "../../testing/builders/projects.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";
import { useHandPayoutRig } from "../../testing/rigs/hand-payout-rig.ts";
import { EXIT } from "../kit/command.ts";

/** What operators read of the house's accounts. */
const database = useTestDatabase();
const { db } = database;
const rig = useHandPayoutRig(database);
const tillgate = openCommandLine(db, undefined, { openKeyring: async () => testKeyring() });
const { print, json } = outcomesOf(tillgate);
const A_DAY = expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/);
const DAYS = ["--from", "2026-01-01", "--to", new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)];

async function happen(key: PaymentKey, event: Partial<PaymentEvent>): Promise<void> {
  const applied = await openApplyPayments(db)({ ...key, actor: "provider", ...event } as PaymentEvent);
  expect(applied).toMatchObject({ ok: true });
}

async function aGate(code: string): Promise<void> {
  await db.run({
    text: "insert into providers (code, kind, book, base_url) values ($1, 'upstream', 'live', 'https://gate.example')",
    values: [code],
  });
}

/** 1000 came through a gateway, with our fee of 25, and the gateway keeps so much. */
async function resoldPayin(code: string, fee: number): Promise<void> {
  const key = await aPayin(db, [], await aProject(db, "live"));
  await happen(key, { payin: { kind: "submitted" }, nextProvider: code });
  await happen(key, { payin: { kind: "requisites_issued" } });
  const reference = await referenceOf(db, key);
  const money = { amount: minor(1000), receivedAt: new Date() };
  await happen(key, {
    payin: { kind: "received", amount: minor(1000), clearing: `clearing:${code}` },
    receivedFrom: { provider: code, receiptReference: `${reference}:after:0`, ...money },
    providerFee: { reference, fee: minor(fee) },
  });
}

async function resoldPayout(code: string, fee: number): Promise<void> {
  const key = await aPayout(db, [], await aProject(db, "live"));
  const payout = (kind: "claimed" | "approved") => ({ kind, clearing: `clearing:${code}` }) as const;
  await happen(key, { payout: payout("claimed"), nextProvider: code });
  const providerFee = { reference: await referenceOf(db, key), fee: minor(fee) };
  await happen(key, { payout: payout("approved"), providerFee });
}

async function sumOf(account: string): Promise<number> {
  const [row] = await db.run<{ sum: string }>({
    text: "select coalesce(sum(amount), 0)::text as sum from entries where account = $1",
    values: [account],
  });
  return Number(row?.sum);
}

it("margins by day, provider, method and currency add up to the account of our fees", async () => {
  await aGate("acme");
  await aGate("zenit");
  await resoldPayin("acme", 10);
  await resoldPayin("acme", 11);
  await resoldPayin("zenit", 40);
  await resoldPayout("acme", 12);
  const sandbox = await aPayin(db, ISSUED);
  await receive(db, sandbox, 1000);
  // A bank's own charge for a receiving account, explained, and another that was explained by mistake.
  const account = await anAccount(db, rig.keyring, {});
  await rig.importDebits(account, { reference: "FEE-1", amount: 59 }, { reference: "FEE-2", amount: 61 });
  const why = ["--reason", "account fee"];
  for (const reference of ["FEE-1", "FEE-2"]) await print("transfer", "explain", account.code, reference, ...why);
  await print("transfer", "reverse", account.code, "FEE-2", ...why);

  const lines = await json("ledger", "margin", ...DAYS);
  const live = { day: A_DAY, book: "live", currency: "RUB" };
  const payin = { ...live, type: "payin", method: "card-p2p" };
  expect(lines).toEqual(
    [
      { ...live, provider: "pool", type: null, method: null, ...sums(0, 0, 0, 59) },
      { ...payin, provider: "acme", ...sums(2, 2000, 50, 21) },
      { ...payin, type: "payout", provider: "acme", ...sums(1, 1000, 25, 12) },
      { ...payin, provider: "zenit", ...sums(1, 1000, 25, 40) },
      { ...payin, book: "test", provider: "manual", ...sums(1, 1000, 25, 0) },
    ].sort(byPlace),
  );
  const margin = (lines as { margin: number }[]).reduce((sum, line) => sum + line.margin, 0);
  expect(margin).toBe(await sumOf("fees"));
  expect(await json("ledger", "margin", ...DAYS, "--provider", "zenit")).toHaveLength(1);
  expect(await print("ledger", "margin", ...DAYS)).toContain("payin:card-p2p");
  expect(await print("ledger", "margin", "--from", "2025-01-01", "--to", "2025-12-31")).toBe(
    "Nothing was earned in these days.",
  );
});

function sums(payments: number, turnover: number, our_fees: number, their_fees: number) {
  return { payments, turnover, our_fees, their_fees, margin: our_fees - their_fees };
}

type Placed = { readonly book: string; readonly provider: string; readonly type: string | null };

function byPlace(one: Placed, other: Placed): number {
  const placeOf = ({ book, provider, type }: Placed) => `${book} ${provider} ${type}`;
  return placeOf(one) < placeOf(other) ? -1 : 1;
}

it.each([
  [["--from", "2026-02-30"], "--from must be"],
  [["--from", "2026-01-31T10:00:00Z"], "must be a day"],
  [["--from", "2026-02-02", "--to", "2026-02-01"], "--to must not"],
])("days that are none, or the wrong way round, are refused: %s", async (words, sentence) => {
  const { exitCode, errors } = await tillgate("ledger", "margin", ...words);
  expect([exitCode, errors]).toEqual([EXIT.usage, expect.stringContaining(sentence)]);
});

it("what a provider holds for us is compared with what it says", async () => {
  await aGate("books");
  await resoldPayin("books", 10);
  await resoldPayout("books", 12);
  const line = { provider: "books", book: "live", currency: "RUB", ours: -22 };
  const own = async () =>
    ((await json("ledger", "clearing")) as Placed[]).filter(({ provider }) => provider === "books");
  expect(await own()).toEqual([{ ...line, theirs: null, theirs_locked: null, difference: null, read_at: null }]);
  await db.run({
    text: `insert into provider_balances (provider, currency, amount, locked_amount, read_at)
           values ('books', 'RUB', -30, 5, '2026-01-31T10:00:00Z'), ('books', 'KZT', 7, 0, '2026-01-31T10:00:00Z')`,
  });
  const read = { read_at: "2026-01-31T10:00:00.000Z" };
  expect(await own()).toEqual([
    { ...line, currency: "KZT", ours: 0, theirs: 7, theirs_locked: 0, difference: 7, ...read },
    { ...line, theirs: -25, theirs_locked: 5, difference: -3, ...read },
  ]);
  expect(-(await sumOf("clearing:books"))).toBe(-22);
  expect(await print("ledger", "clearing")).toContain("2026-01-31T10:00:00Z");
});
