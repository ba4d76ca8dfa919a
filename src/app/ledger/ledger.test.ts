import { describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import type { POOL_RULES } from "../../pool/store/pool-rules.ts";
import { listBalances } from "../../store/ledger/balances.ts";
import type { LedgerRule } from "../../store/ledger/ledger-check.ts";
import type { PAYMENT_RULES } from "../../store/payments/payment-rules.ts";
import { aPayout } from "../../testing/builders/payments.ts";
import { aProject, credit, minor, RUB } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { checkLedger, listViolations } from "../../testing/rigs/with-pool.ts";
import { adjustBalance } from "./adjust-balance.ts";
import { placeHold } from "./holds.ts";

const test = useTestDatabase();
const { db } = test;

async function balanceOf(projectId: Id): Promise<{ available: bigint; locked: bigint }> {
  const [balance] = await listBalances(db, [projectId]);
  return { available: balance?.available ?? 0n, locked: balance?.locked ?? 0n };
}

function command(projectId: Id, direction: "credit" | "debit", amount: bigint, reference: string) {
  return { projectId, direction, amount: minor(amount), currency: RUB, reference, reason: "test", actor: "tester" };
}

describe("money moved by hand", () => {
  it("credits and debits against the clearing account", async () => {
    const { projectId } = await aProject(db);
    expect(await adjustBalance(db, command(projectId, "credit", 500n, "a"))).toMatchObject({ ok: true });
    expect(await adjustBalance(db, command(projectId, "debit", 200n, "b"))).toMatchObject({ ok: true });
    expect(await balanceOf(projectId)).toEqual({ available: 300n, locked: 0n });
    const [clearing] = await db.run<{ sum: string }>({
      text: "select sum(amount)::text as sum from entries where project_id = $1 and account = 'clearing:manual'",
      values: [projectId],
    });
    expect(clearing?.sum).toBe("-300");
  });

  it("changes nothing when a reference is repeated", async () => {
    const { projectId } = await aProject(db);
    await adjustBalance(db, command(projectId, "credit", 500n, "once"));
    const again = await adjustBalance(db, command(projectId, "credit", 500n, "once"));
    expect(again).toMatchObject({ ok: true, value: { repeated: true } });
    expect((await balanceOf(projectId)).available).toBe(500n);
  });

  it("refuses a known reference for another sum or direction", async () => {
    const { projectId } = await aProject(db);
    await adjustBalance(db, command(projectId, "credit", 500n, "taken"));
    expect(await adjustBalance(db, command(projectId, "credit", 501n, "taken"))).toEqual({
      ok: false,
      error: "reference_taken",
    });
    expect(await adjustBalance(db, command(projectId, "debit", 500n, "taken"))).toEqual({
      ok: false,
      error: "reference_taken",
    });
    expect((await balanceOf(projectId)).available).toBe(500n);
  });

  it("posts once when the same reference arrives from many at once", async () => {
    const { projectId } = await aProject(db);
    const results = await Promise.all(
      Array.from({ length: 20 }, () => adjustBalance(db, command(projectId, "credit", 7n, "twin"))),
    );
    expect(results.every((result) => result.ok)).toBe(true);
    expect(results.filter((result) => result.ok && !result.value.repeated)).toHaveLength(1);
    expect((await balanceOf(projectId)).available).toBe(7n);
  });

  it("never lets a balance go below nothing", async () => {
    const { projectId } = await aProject(db);
    expect(await adjustBalance(db, command(projectId, "debit", 1n, "none"))).toEqual({
      ok: false,
      error: "insufficient_balance",
    });
    await credit(db, projectId, 100);
    expect(await adjustBalance(db, command(projectId, "debit", 101n, "more"))).toEqual({
      ok: false,
      error: "insufficient_balance",
    });
    expect((await balanceOf(projectId)).available).toBe(100n);
  });

  it("accepts exactly as many debits at once as there is money for", async () => {
    const { projectId } = await aProject(db);
    await credit(db, projectId, 100);
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, index) => adjustBalance(db, command(projectId, "debit", 10n, `d${index}`))),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(10);
    expect((await balanceOf(projectId)).available).toBe(0n);
  });

  it("holds at most 10^13, available and locked together, and only credits meet the limit", async () => {
    const { projectId } = await aProject(db);
    await credit(db, projectId, 10_000_000_000_000n);
    expect(await adjustBalance(db, command(projectId, "credit", 1n, "over"))).toEqual({
      ok: false,
      error: "balance_limit",
    });
    const hold = {
      projectId,
      currency: RUB,
      kind: "reserve" as const,
      reference: "all",
      amount: minor(10_000_000_000_000n),
    };
    expect(await placeHold(db, hold)).toMatchObject({ ok: true });
    expect(await adjustBalance(db, command(projectId, "credit", 1n, "over2"))).toEqual({
      ok: false,
      error: "balance_limit",
    });
  });
});

describe("holds", () => {
  it("lock money, once for each reference", async () => {
    const { projectId } = await aProject(db);
    await credit(db, projectId, 100);
    const hold = { projectId, currency: RUB, kind: "reserve" as const, reference: "r1", amount: minor(60) };
    expect(await placeHold(db, hold)).toMatchObject({ ok: true });
    expect(await balanceOf(projectId)).toEqual({ available: 40n, locked: 60n });
    expect(await placeHold(db, hold)).toEqual({ ok: false, error: "reference_taken" });
    expect(await balanceOf(projectId)).toEqual({ available: 40n, locked: 60n });
  });

  it("refuse more than is available, and a project that does not exist", async () => {
    const { projectId } = await aProject(db);
    const hold = { projectId, currency: RUB, kind: "reserve" as const, reference: "r3", amount: minor(1) };
    expect(await placeHold(db, hold)).toEqual({ ok: false, error: "insufficient_balance" });
    expect(await placeHold(db, { ...hold, projectId: newId() })).toEqual({ ok: false, error: "project_unknown" });
  });
});

describe("what the database forbids", () => {
  const forbidden = [
    "update transfers set amount = amount + 1",
    "delete from transfers",
    "truncate transfers cascade",
    "update adjustments set amount = amount + 1",
    "delete from adjustments",
    "delete from holds",
    "update holds set amount = amount + 1",
    "delete from balances",
    "delete from projects",
    "delete from api_keys",
    "update projects set book = 'live'",
    "truncate holds",
  ];
  it.each(forbidden)("%s", async (statement) => {
    const { projectId } = await aProject(db);
    await credit(db, projectId, 10);
    await placeHold(db, { projectId, currency: RUB, kind: "reserve", reference: newId(), amount: minor(1) });
    await expect(db.run({ text: statement })).rejects.toMatchObject({ code: "23001" });
  });

  it("a closed hold cannot be opened again", async () => {
    const { projectId } = await aPayout(db, ["claimed", "declined"]);
    const reopen = db.run({
      text: "update holds set state = 'open', closed_at = null where project_id = $1",
      values: [projectId],
    });
    await expect(reopen).rejects.toMatchObject({ code: "23001" });
  });
});

/** Each corruption is made behind the database's back, in a transaction that is rolled back after the check saw it. */
describe("ledger check", () => {
  /** Those of payments are with the payments, and those of receiving accounts with their bank lines. */
  const corruptions: Record<Exclude<LedgerRule, keyof typeof PAYMENT_RULES | keyof typeof POOL_RULES>, string[]> = {
    transfer_unbalanced: [
      "alter table transfers drop constraint transfers_between_two_accounts",
      "update transfers set to_account = from_account where project_id = $1",
    ],
    accounts_not_zero: ["update balances set available = available + 5 where project_id = $1"],
    balance_differs: ["update balances set available = available - 1, locked = locked + 1 where project_id = $1"],
    account_negative: [
      "alter table balances drop constraint balances_available_not_negative",
      `insert into transfers (project_id, id, currency, from_account, to_account, amount, kind, subject_id)
       select project_id, gen_random_uuid(), 'RUB', 'available', 'clearing:manual', 1000000, 'debit', id from transfers where project_id = $1 limit 1`,
    ],
    balance_over_limit: [
      "alter table balances drop constraint balances_within_limit",
      "update balances set available = 10000000000001 where project_id = $1",
    ],
    locked_differs: ["update holds set state = 'released', closed_at = now() where project_id = $1"],
    hold_differs: ["update holds set amount = amount + 1 where project_id = $1"],
    adjustment_differs: ["update adjustments set amount = amount + 1 where project_id = $1"],
    funds_differ: [
      `insert into transfers (project_id, id, currency, from_account, to_account, amount, kind, subject_id)
       values ($1, gen_random_uuid(), 'RUB', 'clearing:acme', 'clearing:manual', 1, 'fund', gen_random_uuid())`,
    ],
  };

  it.each(Object.entries(corruptions))("names %s", async (rule, statements) => {
    const { projectId } = await aProject(db);
    await credit(db, projectId, 1000);
    await placeHold(db, { projectId, currency: RUB, kind: "reserve", reference: "c", amount: minor(10) });
    expect((await checkLedger(db)).violations).toEqual([]);
    const seen = await seenAfterCorruption(statements, projectId);
    expect(seen).toContain(rule);
  });

  it("names a suspense account below nothing", async () => {
    const { projectId } = await aProject(db);
    await credit(db, projectId, 1000);
    const statement = `insert into transfers (project_id, id, currency, from_account, to_account, amount, kind, subject_id)
      values ($1, gen_random_uuid(), 'RUB', 'suspense', 'clearing:manual', 1, 'return', gen_random_uuid())`;
    expect(await seenAfterCorruption([statement], projectId)).toContain("account_negative");
  });

  async function seenAfterCorruption(statements: readonly string[], projectId: Id): Promise<string[]> {
    const undo = new Error("undo");
    let seen: string[] = [];
    const corrupting = db.transaction(async (tx) => {
      await tx.run({ text: "set local session_replication_role = replica" });
      for (const text of statements) await tx.run({ text, values: text.includes("$1") ? [projectId] : [] });
      seen = (await listViolations(tx)).map((violation) => violation.rule);
      throw undo;
    });
    await expect(corrupting).rejects.toBe(undo);
    return seen;
  }
});
