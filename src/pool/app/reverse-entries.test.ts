import { describe, expect, it } from "vitest";
import { adjustBalance } from "../../app/ledger/adjust-balance.ts";
import { declinePayment } from "../../app/payments/settle-payment.ts";
import type { Id } from "../../core/ids.ts";
import { sumSuspense } from "../../store/ledger/suspense-moves.ts";
import { listHistory, listReceipts } from "../../store/payments/payment-trail.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { aPayin, CONFIRMED, ISSUED } from "../../testing/builders/payments.ts";
import { aProject, minor, RUB } from "../../testing/builders/projects.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine } from "../../testing/program/command-line.ts";
import { useHandPayoutRig } from "../../testing/rigs/hand-payout-rig.ts";
import { openPoolRig } from "../../testing/rigs/pool-rig.ts";
import type { ReportedAccount } from "./reported-lines.ts";

/** What an operator recorded by mistake is taken back by an opposite entry that names it. */
const database = useTestDatabase();
const rig = useHandPayoutRig(database);
const { db, keyring, balanceOf, sumOf } = rig;
const poolRig = openPoolRig(db, keyring);
const run = openCommandLine(db, undefined, { openKeyring: async () => keyring });
const WHY = ["--reason", "a slip"] as const;

async function tillgate(...words: string[]): Promise<string> {
  const { exitCode, printed, errors } = await run(...words);
  expect([exitCode, errors]).toEqual([0, ""]);
  return printed;
}

async function refusal(...words: string[]): Promise<string> {
  const before = await rowCounts();
  const { exitCode, printed, errors } = await run(...words);
  expect([exitCode, printed]).toEqual([1, ""]);
  expect(await rowCounts()).toEqual(before);
  return errors;
}

async function rowCounts() {
  return db.run({
    text: `select (select count(*) from transfers) as transfers, (select count(*) from reversals) as reversals,
                  (select count(*) from payment_history) as history, (select count(*) from bank_lines) as lines`,
  });
}

/** Recorded by hand: the payment that it stands under. */
async function record(account: ReportedAccount, amount: number, reference: string, ...more: string[]) {
  const words = ["transfer", "record", "--account", account.code, "--amount", String(amount), "--reference", reference];
  const { outcome, request_id } = JSON.parse(await tillgate(...words, ...more, "--json"));
  return { outcome, requestId: request_id as Id };
}

async function keyOf(requestId: Id): Promise<PaymentKey> {
  const [row] = await db.run<PaymentKey>({
    text: `select project_id as "projectId", request_id as "requestId" from payments where request_id = $1`,
    values: [requestId],
  });
  return row ?? expect.unreachable("there is such a payment");
}

async function sum(account: string): Promise<bigint> {
  const [row] = await db.run<{ sum: bigint }>({
    text: "select coalesce(sum(amount), 0)::bigint as sum from entries where account = $1",
    values: [account],
  });
  return row?.sum ?? 0n;
}

const clearing = ({ code }: ReportedAccount) => sum(`clearing:pool-${code}`);

async function outcomesOf({ code }: ReportedAccount): Promise<string[]> {
  const { transfers } = JSON.parse(await tillgate("transfer", "list", "--account", code, "--json"));
  return transfers.map((line: { outcome: string; reversed_at: string | null; reference: string }) =>
    [line.reference, line.outcome, ...(line.reversed_at === null ? [] : ["reversed"])].join(" "),
  );
}

async function suspenseOf(requestId: Id): Promise<bigint> {
  return sumSuspense(db, await keyOf(requestId));
}

describe("transfer record", () => {
  it("with a mistyped sum is reversed, and the bank's own line of the same reference is then taken in", async () => {
    const account = await anAccount(db, keyring);
    const typo = await record(account, 25_000, "FT-1");
    expect(await poolRig.record([{ account, reference: "FT-1", amount: 2_500, at: new Date() }])).toMatchObject([
      { kind: "contradicts" },
    ]);
    expect(await tillgate("transfer", "reverse", account.code, "FT-1", ...WHY)).toBe(
      `Reversed: 250.00 RUB in suspense: no pay-in matches (payment ${typo.requestId}), reference FT-1.`,
    );
    expect([await suspenseOf(typo.requestId), await clearing(account)]).toEqual([0n, 0n]);
    const [right] = await poolRig.record([{ account, reference: "FT-1", amount: 2_500, at: new Date() }]);
    expect(right).toMatchObject({ kind: "recorded", outcome: "unclaimed" });
    expect(await clearing(account)).toBe(-2_500n);
    expect(await outcomesOf(account)).toEqual(["FT-1 unclaimed", "FT-1 unclaimed reversed"]);
    expect(await poolRig.record([{ account, reference: "FT-1", amount: 2_500, at: new Date() }])).toMatchObject([
      { kind: "known" },
    ]);
  });

  it("that went to an ended pay-in is reversed and can be recorded again, and each counts once", async () => {
    await db.run({ text: "update receiving_accounts set enabled = false" });
    const account = await anAccount(db, keyring);
    const { projectId } = await aProject(db, "live");
    const payin = (await poolRig.start(projectId, 900)) ?? expect.unreachable("an account is free");
    await poolRig.happen(payin, { kind: "cancelled" });
    expect(await record(account, 900, "FT-2")).toEqual({ outcome: "ended", requestId: payin.requestId });
    await tillgate("transfer", "reverse", account.code, "FT-2", ...WHY);
    expect([await sumSuspense(db, payin), await clearing(account)]).toEqual([0n, 0n]);
    expect((await listHistory(db, payin)).at(-1)).toMatchObject({
      ...{ event: "transfer_reversed", actor: "olga", fromState: "decline", toState: "decline" },
      detail: `900 RUB of account ${account.code}, reference FT-2: a slip`,
    });
    expect(await record(account, 900, "FT-2")).toEqual({ outcome: "ended", requestId: payin.requestId });
    expect([await sumSuspense(db, payin), await clearing(account)]).toEqual([900n, -900n]);
    // The worker, which asks the pool what came, hears of the same money under the name that it was counted by.
    const state = await poolRig.desk.findPayin(payin.reference);
    const told = "receipts" in state ? state.receipts.map(({ receiptReference }) => receiptReference) : [];
    const counted = (await listReceipts(db, payin)).map(({ receiptReference }) => receiptReference);
    expect(told).toHaveLength(1);
    expect([...told, "FT-2"].sort()).toEqual(counted.sort());
  });

  it("is not reversed twice, nor while its payment is open, nor once its money has gone on", async () => {
    await db.run({ text: "update receiving_accounts set enabled = false" });
    const account = await anAccount(db, keyring);
    const { projectId } = await aProject(db, "live");
    const payin = (await poolRig.start(projectId, 900)) ?? expect.unreachable("an account is free");
    await record(account, 400, "FT-3");
    const reverse = (reference: string) => refusal("transfer", "reverse", account.code, reference, ...WHY);
    expect(await reverse("FT-3")).toBe(
      `Payment ${payin.requestId}, which has the money, is dispute:different_amount: settle or decline it first. Nothing was changed.`,
    );
    await declinePayment(db, { requestId: payin.requestId, reference: "d", reason: "no", actor: "olga" });
    const assign = ["suspense", "assign", payin.requestId, "--amount", "100", "--to-balance", projectId];
    await tillgate(...assign, "--reference", "a-3", ...WHY);
    expect(await reverse("FT-3")).toContain("The money has gone on from suspense of payment");
    await tillgate("suspense", "reverse", payin.requestId, "--reference", "a-3", ...WHY);
    await tillgate("transfer", "reverse", account.code, "FT-3", ...WHY);
    expect(await reverse("FT-3")).toMatch(/^It was reversed before, by olga at .*Z\. Nothing was changed\.$/);
    expect(await reverse("FT-none")).toContain("No transfer of this account is known by that reference");
  });

  it("of a debit that never was is reversed: we are not short of it", async () => {
    const account = await anAccount(db, keyring);
    const before = await sum("shortfall");
    await record(account, 700, "FT-4", "--debit");
    expect(await sum("shortfall")).toBe(before - 700n);
    await tillgate("transfer", "reverse", account.code, "FT-4", ...WHY);
    expect([await sum("shortfall"), await clearing(account)]).toEqual([before, 0n]);
    expect(JSON.parse(await tillgate("transfer", "list", "--outcome", "unexplained", "--json"))).toMatchObject({
      transfers: [],
    });
  });

  it("by several at once is reversed once", async () => {
    const account = await anAccount(db, keyring);
    const { requestId } = await record(account, 800, "FT-5");
    const tries = await Promise.all(
      Array.from({ length: 6 }, () => run("transfer", "reverse", account.code, "FT-5", ...WHY)),
    );
    expect(tries.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1);
    expect([await suspenseOf(requestId), await clearing(account)]).toEqual([0n, 0n]);
  });
});

describe("transfer explain", () => {
  it("is reversed: our fees have it back, and the bank's debit is unexplained again", async () => {
    const account = await anAccount(db, keyring);
    const [fees, shortfall] = [await sum("fees"), await sum("shortfall")];
    await poolRig.record([{ account, reference: "FEE-1", amount: 59, at: new Date(), direction: "debit" }]);
    await tillgate("transfer", "explain", account.code, "FEE-1", ...WHY);
    expect([await sum("fees"), await sum("shortfall")]).toEqual([fees - 59n, shortfall]);
    expect(await tillgate("transfer", "reverse", account.code, "FEE-1", ...WHY)).toBe(
      "Reversed: 0.59 RUB bank charge, paid from our fees, reference FEE-1.",
    );
    expect([await sum("fees"), await sum("shortfall"), await clearing(account)]).toEqual([fees, shortfall - 59n, 59n]);
    expect(await outcomesOf(account)).toEqual(["FEE-1 unexplained", "FEE-1 cost reversed"]);
    // The bank's word of it is still known, and it can be explained otherwise.
    expect(
      await poolRig.record([{ account, reference: "FEE-1", amount: 59, at: new Date(), direction: "debit" }]),
    ).toMatchObject([{ kind: "known" }]);
    await tillgate("transfer", "explain", account.code, "FEE-1", ...WHY);
    expect([await sum("fees"), await sum("shortfall")]).toEqual([fees - 59n, shortfall]);
  });
});

describe("payout complete", () => {
  const complete = ({ requestId }: PaymentKey, { code }: ReportedAccount, reference: string) =>
    ["payout", "complete", requestId, "--account", code, "--reference", reference] as const;

  it("of the wrong payout is reversed: it stays a success, its money is in suspense, the reference is free", async () => {
    const account = await anAccount(db, keyring);
    const [wrong, right] = [await rig.aWaitingPayout(), await rig.aWaitingPayout()];
    await tillgate(...complete(wrong, account, "FT-6"));
    await tillgate("transfer", "reverse", account.code, "FT-6", ...WHY);
    expect(await rig.look(wrong)).toMatchObject({ state: "success" });
    expect([await sumSuspense(db, wrong), await clearing(account)]).toEqual([1_000n, 0n]);
    expect(await refusal(...complete(wrong, account, "FT-6"))).toContain("It was completed, and that was reversed.");
    await tillgate(...complete(right, account, "FT-6"));
    expect(await clearing(account)).toBe(1_000n);
    const { projectId, requestId } = wrong;
    const back = ["suspense", "assign", requestId, "--amount", "1000", "--to-balance", projectId, "--reference", "b"];
    await tillgate(...back, ...WHY);
    expect(await balanceOf(wrong)).toEqual([99_990n, 0n]);
  });

  it("that explained a debit of the bank leaves it unexplained again, for the payout that it was", async () => {
    const account = await anAccount(db, keyring);
    const shortfall = await sum("shortfall");
    const [wrong, right] = [await rig.aWaitingPayout(), await rig.aWaitingPayout()];
    await rig.importDebits(account, { reference: "FT-7" });
    await tillgate(...complete(wrong, account, "FT-7"));
    await tillgate("transfer", "reverse", account.code, "FT-7", ...WHY);
    expect([await sum("shortfall"), await clearing(account)]).toEqual([shortfall - 1_000n, 1_000n]);
    await tillgate(...complete(right, account, "FT-7"));
    expect([await sum("shortfall"), await clearing(account)]).toEqual([shortfall, 1_000n]);
    expect(await outcomesOf(account)).toEqual(["FT-7 payout", "FT-7 payout reversed"]);
    // The first left by another transfer: its money goes out of suspense by it.
    const left = ["suspense", "return", wrong.requestId, "--amount", "1000", "--reference", "FT-8"];
    expect(await tillgate(...left, ...WHY)).toContain(`returned through pool-${account.code}`);
    expect([await sumSuspense(db, wrong), await clearing(account)]).toEqual([0n, 2_000n]);
  });

  it("of a payout that had been declined is reversed: we are not short of it, and it is not posted again", async () => {
    const account = await anAccount(db, keyring);
    const key = await rig.aWaitingPayout();
    await tillgate("payout", "fail", key.requestId, ...WHY);
    expect(await rig.look(key)).toMatchObject({ state: "decline" });
    await tillgate(...complete(key, account, "FT-9"));
    expect(await sumOf(key, "shortfall")).toBe(-1_000n);
    await tillgate("transfer", "reverse", account.code, "FT-9", ...WHY);
    await rig.look(key);
    expect([await sumOf(key, "shortfall"), await clearing(account)]).toEqual([0n, 0n]);
  });
});

describe("suspense return", () => {
  it("booked by hand for money of an account is reversed, and done again under the bank's own reference", async () => {
    const account = await anAccount(db, keyring);
    const { requestId } = await record(account, 777, "FT-10");
    const manual = await sum("clearing:manual");
    const back = ["suspense", "return", requestId, "--amount", "777", "--reference", "FT-11", ...WHY];
    await tillgate(...back, "--through", "manual");
    expect(await tillgate("suspense", "reverse", requestId, "--reference", "FT-11", ...WHY)).toBe(
      `Reversed: 7.77 RUB out of suspense of payment ${requestId} returned through manual, reference FT-11.`,
    );
    expect([await sum("clearing:manual"), await suspenseOf(requestId)]).toEqual([manual, 777n]);
    expect(await tillgate(...back)).toContain(`returned through pool-${account.code}`);
    expect([await suspenseOf(requestId), await clearing(account)]).toEqual([0n, 0n]);
    expect((await listHistory(db, await keyOf(requestId))).map(({ event }) => event).slice(-3)).toEqual([
      ...["suspense_returned", "suspense_reversed", "suspense_returned"],
    ]);
    const trail = JSON.parse(await tillgate("payment", "show", requestId, "--json"));
    expect(trail.suspense_moves.map((move: { reversed_at: unknown }) => move.reversed_at !== null)).toEqual([
      true,
      false,
    ]);
  });

  it("from an account is reversed by either name, with its line", async () => {
    const account = await anAccount(db, keyring);
    const shortfall = await sum("shortfall");
    const { requestId } = await record(account, 777, "FT-12");
    const back = ["suspense", "return", requestId, "--amount", "777", "--reference", "FT-13", ...WHY];
    await tillgate(...back);
    await tillgate("transfer", "reverse", account.code, "FT-13", ...WHY);
    expect([await suspenseOf(requestId), await clearing(account)]).toEqual([777n, -777n]);
    await rig.importDebits(account, { reference: "FT-13", amount: 777 });
    await tillgate(...back);
    await tillgate("suspense", "reverse", requestId, "--reference", "FT-13", ...WHY);
    // The bank had reported it by then, so its debit stands.
    expect([await suspenseOf(requestId), await clearing(account)]).toEqual([777n, 0n]);
    expect(await sum("shortfall")).toBe(shortfall - 777n);
    expect(await refusal("suspense", "reverse", requestId, "--reference", "FT-13", ...WHY)).toContain(
      "It was reversed before, by olga",
    );
    expect(await refusal("suspense", "reverse", requestId, "--reference", "none", ...WHY)).toContain("No movement of");
  });
});

describe("suspense assign", () => {
  it("to a balance is reversed while the balance has it, and refused once it is spent", async () => {
    const account = await anAccount(db, keyring);
    for (const isHouse of [true, false]) {
      const { requestId } = await record(account, 500, `FT-14-${isHouse}`);
      const { projectId } = isHouse ? await keyOf(requestId) : await aProject(db, "live");
      const assign = ["suspense", "assign", requestId, "--amount", "500", "--to-balance", projectId];
      const reverse = ["suspense", "reverse", requestId, "--reference", `a-${isHouse}`, ...WHY];
      await tillgate(...assign, "--reference", `a-${isHouse}`, ...WHY);
      const command = { projectId, direction: "debit" as const, amount: minor(500), currency: RUB };
      await adjustBalance(db, { ...command, reference: `out-${isHouse}`, reason: "r", actor: "olga" });
      expect(await refusal(...reverse)).toBe("The balance that it was put on no longer has it. Nothing was changed.");
      await adjustBalance(db, {
        ...command,
        direction: "credit",
        reference: `in-${isHouse}`,
        reason: "r",
        actor: "olga",
      });
      await tillgate(...reverse);
      expect(await suspenseOf(requestId)).toBe(500n);
      await tillgate(...assign, "--reference", `a-${isHouse}`, ...WHY);
      expect(await suspenseOf(requestId)).toBe(0n);
    }
  });

  it("to a payment is reversed while its money stands there, and refused once it was settled", async () => {
    const account = await anAccount(db, keyring);
    const { projectId } = await aProject(db, "live");
    const { requestId } = await record(account, 400, "FT-15");
    const goal = await aPayin(db, ISSUED, { projectId });
    const assign = ["suspense", "assign", requestId, "--amount", "400", "--to-payment", goal.requestId];
    await tillgate(...assign, "--reference", "a-2", ...WHY);
    const reverse = ["suspense", "reverse", requestId, "--reference", "a-2", ...WHY];
    expect(await refusal(...reverse)).toContain("is dispute:different_amount: settle or decline it first.");
    await declinePayment(db, { requestId: goal.requestId, reference: "d-2", reason: "no", actor: "olga" });
    await tillgate(...reverse);
    expect([await suspenseOf(requestId), await suspenseOf(goal.requestId)]).toEqual([400n, 0n]);
    expect((await listHistory(db, goal)).at(-1)).toMatchObject({ event: "suspense_reversed" });
    const paid = await aPayin(db, CONFIRMED, { projectId });
    const { requestId: whole } = await record(account, 1_000, "FT-16");
    const settle = ["suspense", "assign", whole, "--amount", "1000", "--to-payment", paid.requestId];
    await tillgate(...settle, "--reference", "a-3", ...WHY);
    expect(await refusal("suspense", "reverse", whole, "--reference", "a-3", ...WHY)).toContain(
      `The money has gone on from suspense of payment ${paid.requestId}`,
    );
  });
});

describe("the database itself", () => {
  it("keeps a reversed entry as it is, and lets nothing else of an entry change", async () => {
    const account = await anAccount(db, keyring);
    const { requestId } = await record(account, 100, "FT-17");
    const back = ["suspense", "return", requestId, "--amount", "100", "--reference", "FT-18", ...WHY];
    await tillgate(...back);
    await tillgate("suspense", "reverse", requestId, "--reference", "FT-18", ...WHY);
    for (const change of [
      "update suspense_moves set amount = 1",
      "update suspense_moves set reversed_at = null",
      "delete from suspense_moves",
      "update bank_lines set reversed_at = null where reference = 'FT-18'",
      "update bank_lines set amount = 1, reversed_at = now() where reference = 'FT-17'",
      "update reversals set amount = 1",
      "delete from reversals",
    ]) {
      await expect(db.run({ text: change })).rejects.toMatchObject({ code: "23001" });
    }
  });
});
