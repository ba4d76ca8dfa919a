import { describe, expect, it, vi } from "vitest";
import type { Id } from "../../core/ids.ts";
import { ok } from "../../core/result.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { aProject, RUB, testKeyring } from "../../testing/builders/projects.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openPoolRig } from "../../testing/rigs/pool-rig.ts";
import { shortIt, sizeOf } from "../../testing/run/run-form.ts";
import { readStatement } from "../core/statement/read-statement.ts";
import { findAccountNamed } from "./find-account.ts";
import { importStatement } from "./import-statement.ts";
import { reconcile } from "./reconcile.ts";
import type { ReportedAccount } from "./reported-lines.ts";

const { db } = useTestDatabase();
const keyring = testKeyring();
const deps = { db, keyring };
const rig = openPoolRig(db, keyring);

async function freshPool(): Promise<{ projectId: Id; account: ReportedAccount }> {
  await db.run({ text: "update receiving_accounts set enabled = false" });
  const { projectId } = await aProject(db, "live");
  return { projectId, account: await anAccount(db, keyring, { settings: { timeZone: "Europe/Moscow" } }) };
}

async function* chunksOf(text: string) {
  for (let at = 0; at < text.length; at += 1_000) yield ok(text.slice(at, at + 1_000));
}

async function named(name: string) {
  const found = await findAccountNamed(deps, name);
  if (!found.ok) throw new Error(found.error);
  return found.value;
}

async function importText(text: string, account?: string) {
  const given = account === undefined ? undefined : await named(account);
  return importStatement(deps, { portions: readStatement(chunksOf(text)), account: given, actor: "test" });
}

async function reconcileText(account: string, text: string, more: { closingBalance?: bigint } = {}) {
  const command = { from: undefined, to: undefined, closingBalance: more.closingBalance };
  return reconcile(deps, { ...command, account: await named(account), portions: readStatement(chunksOf(text)) });
}

const HEADER = "booked_at,account,amount,currency,reference,payer\n";
const stamp = () => new Date().toISOString();

describe("importing a statement", () => {
  shortIt("takes each line in once, says where it went, and lists what it refuses", async () => {
    const { projectId, account } = await freshPool();
    const payin = await rig.start(projectId, 12_345);
    const text = [
      HEADER,
      `${stamp()},${account.code},123.45,RUB,FT-1,IVAN I.\n`,
      `${stamp()},${account.code},1.00,RUB,,nobody\n`,
      `${stamp()},elsewhere,1.00,RUB,FT-2,x\n`,
      `${stamp()},${account.code},1.00,KZT,FT-3,x\n`,
      `${stamp()},${account.code},-7.00,RUB,FT-4,fees\n`,
      `${stamp()},${account.code},5.00,RUB,FT-5,x\n`,
    ].join("");
    const { report, fault } = await importText(text);
    expect(fault).toBeUndefined();
    expect([...report.recorded.entries()].map(([outcome, { count }]) => [outcome, count])).toEqual([
      ["exact", 1],
      ["unexplained", 1],
      ["unclaimed", 1],
    ]);
    expect(report.refused.map(({ line }) => line)).toEqual([3, 4, 5]);
    expect(report.noted.map(({ line, reference }) => [line, reference])).toEqual([
      [6, "FT-4"],
      [7, "FT-5"],
    ]);
    expect(payin === undefined ? undefined : (await rig.get(payin)).state).toBe("success");
    const again = await importText(text);
    expect(again.report).toMatchObject({ known: 3, lines: 3, refusedCount: 3 });
    const other = text.replace("FT-1,IVAN", "FT-1,OLGA").replace("123.45", "123.44");
    expect((await importText(other)).report.contradicting).toMatchObject([{ line: 2, reference: "FT-1" }]);
  });

  shortIt(
    "finds the account by its number or a requisite's, and refuses lines of another one than was given",
    async () => {
      await freshPool();
      const one = await anAccount(db, keyring, { number: "40817810000000000001" });
      const two = await anAccount(db, keyring, { value: "2200 0000 0000 0004".replaceAll(" ", "") });
      const line = (account: string, reference: string) => `${stamp()},${account},1.00,RUB,${reference},x\n`;
      const text = `${HEADER}${line("40817810000000000001", "N-1")}${line("2200 0000 0000 0004", "N-2")}`;
      const { report } = await importText(text, one.code);
      expect(report.refused).toEqual([{ line: 3, reason: `it is about another account, ${two.code}` }]);
      expect((await importText(text)).report).toMatchObject({ known: 1, lines: 2, refusedCount: 0 });
    },
  );

  shortIt("a statement that breaks off is taken in up to there, and says so", async () => {
    const { account } = await freshPool();
    const lines = Array.from({ length: 400 }, (_, index) => `${stamp()},${account.code},1.00,RUB,P-${index},x\n`);
    async function* cut() {
      yield* chunksOf(HEADER + lines.join("").slice(0, 20_000));
      yield { ok: false as const, error: "The disk went away." };
    }
    const command = { portions: readStatement(cut()), account: undefined, actor: "test" };
    const { report, fault } = await importStatement(deps, command);
    expect(fault).toBe("The disk went away.");
    expect(report.lines).toBeGreaterThan(100);
    const whole = await importText(HEADER + lines.join(""));
    expect(whole.report).toMatchObject({ known: report.lines, lines: 400 });
  });
});

/** More than one notification can name: that of PostgreSQL has room for 216. */
const PAGES = sizeOf({ short: 300, long: 1_000 });

it(`tells ${PAGES} open pages of one batch, whose sums all go in one lane`, async () => {
  const { projectId, account } = await freshPool();
  const payins: PaymentKey[] = [];
  for (let from = 0; from < PAGES; from += 100) {
    const sums = Array.from({ length: 100 }, (_, index) => 10_000 + 2 * (from + index));
    const started = await Promise.all(sums.map((sum) => rig.start(projectId, sum, "widget")));
    payins.push(...started.filter((payin) => payin !== undefined));
  }
  expect(payins).toHaveLength(PAGES);
  const lines = payins.map((_, index) => {
    const minor = 10_000 + 2 * index;
    return `${stamp()},${account.code},${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, "0")},RUB,W-${index},x\n`;
  });
  const told = new Set<string>();
  const listener = await db.connect();
  try {
    listener.on("notification", ({ payload }) => {
      for (const requestId of (payload ?? "").split(",")) told.add(requestId);
    });
    await listener.query("listen tillgate_pages");
    const { report } = await importText(HEADER + lines.join(""));
    expect([...report.recorded].map(([outcome, { count }]) => [outcome, count])).toEqual([["exact", PAGES]]);
    await vi.waitFor(() => expect(payins.filter(({ requestId }) => !told.has(requestId))).toEqual([]), 10_000);
  } finally {
    await listener.end();
  }
}, 120_000);

shortIt("a name that two accounts go by means the one that was said, and without that nobody", async () => {
  await db.run({ text: "update receiving_accounts set enabled = false" });
  const phone = { type: "phone", value: "+79005550101" } as const;
  const [sber, vtb] = [
    await anAccount(db, keyring, phone),
    await anAccount(db, keyring, { ...phone, settings: { bank: "vtb" } }),
  ];
  const text = `${HEADER}${stamp()},+7 900 555-01-01,1.00,RUB,N-1,x\n`;
  expect((await importText(text)).report).toMatchObject({ lines: 0, refusedCount: 1 });
  expect((await importText(text, vtb.code)).report).toMatchObject({ lines: 1, refusedCount: 0 });
  expect(await reconcileText(vtb.code, text)).toMatchObject({ lines: 1, foreign: 0, differences: [] });
  expect(await reconcileText(sber.code, text)).toMatchObject({ lines: 1, differences: [{ kind: "missing_here" }] });
});

describe("reconciling", () => {
  const day = "2026-03-10";
  const credit = (code: string, index: number, rubles: string, on = day) =>
    `${on}T10:${String(index % 60).padStart(2, "0")}:00,${code},${rubles},RUB,R-${index},x\n`;

  shortIt("agrees where all agrees, and proves the closing balance by the clearing account", async () => {
    const { account } = await freshPool();
    await db.run({ text: "update receiving_accounts set opening_balance = 1000 where id = $1", values: [account.id] });
    const text =
      HEADER +
      [1, 2, 3].map((index) => credit(account.code, index, "10.00")).join("") +
      credit(account.code, 4, "-5.50");
    await importText(text);
    const proved = await reconcileText(account.code, text, { closingBalance: 1_000n + 3_000n - 550n });
    expect(proved).toMatchObject({ lines: 4, differences: [], closing: { day, theirs: 3_450n, ours: 3_450n } });
    expect(await reconcileText(account.code, text)).toMatchObject({ closing: { theirs: undefined, ours: 3_450n } });
  });

  shortIt("names each difference for what it is", async () => {
    const { account } = await freshPool();
    const ours = HEADER + [1, 2, 3, 4, 5].map((index) => credit(account.code, index, "10.00")).join("");
    await importText(ours);
    const theirs =
      HEADER +
      credit(account.code, 1, "10.00") +
      credit(account.code, 2, "10.01") +
      credit(account.code, 3, "10.00", "2026-03-09") +
      credit(account.code, 4, "-10.00") +
      credit(account.code, 1, "10.00") +
      credit(account.code, 6, "2.00");
    const { differences } = await reconcileText(account.code, theirs);
    expect(differences.map(({ kind, line, reference }) => [kind, line, reference])).toEqual([
      ["amount_differs", 3, "R-2"],
      ["other_day", 4, "R-3"],
      ["amount_differs", 5, "R-4"],
      ["doubled", 6, "R-1"],
      ["missing_here", 7, "R-6"],
      ["missing_there", null, "R-5"],
    ]);
  });

  shortIt("counts a day by the account's own calendar", async () => {
    const { account } = await freshPool();
    // 22:30 UTC is half past one of the next day in Moscow.
    await importText(`${HEADER}2026-03-10T22:30:00Z,${account.code},1.00,RUB,D-1,x\n`);
    const { differences, period } = await reconcileText(
      account.code,
      `${HEADER}2026-03-11,${account.code},1.00,RUB,D-1,x\n`,
    );
    expect({ differences, period }).toEqual({ differences: [], period: { from: "2026-03-11", to: "2026-03-11" } });
  });

  shortIt("proves nothing by a file about another account, and a quiet day by its balance alone", async () => {
    const { account } = await freshPool();
    const other = await anAccount(db, keyring);
    const foreign = await reconcileText(account.code, HEADER + credit(other.code, 1, "10.00"));
    expect(foreign).toMatchObject({ lines: 0, foreign: 1, period: undefined, closing: undefined });
    await importText(HEADER + credit(account.code, 2, "10.00"));
    const quiet = await reconcile(deps, {
      ...{ account: await named(account.code), from: undefined, to: undefined, closingBalance: undefined },
      portions: (async function* () {
        const balance = { which: "closing", account: undefined, amount: 0n, currency: RUB, day } as const;
        yield ok([{ kind: "balance", value: balance } as const]);
      })(),
    });
    expect(quiet).toMatchObject({
      period: { from: day, to: day },
      differences: [{ kind: "missing_there", reference: "R-2" }],
      closing: { theirs: 0n, ours: 1_000n },
    });
  });
});
