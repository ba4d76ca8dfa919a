import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { adjustBalance } from "../../src/app/ledger/adjust-balance.ts";
import { findHouseProject } from "../../src/app/ledger/house-project.ts";
import type { MoveSuspense } from "../../src/app/ledger/move-suspense.ts";
import { openApplyPayments } from "../../src/app/payments/apply-payments.ts";
import type { PaymentEvent } from "../../src/app/payments/payment-event.ts";
import { settlePayment } from "../../src/app/payments/settle-payment.ts";
import type { Id } from "../../src/core/ids.ts";
import { POOL_PROVIDER } from "../../src/core/providers.ts";
import { completePayout } from "../../src/pool/app/complete-payout.ts";
import { explainCost } from "../../src/pool/app/explain-cost.ts";
import { reverseBankLine } from "../../src/pool/app/reverse-bank-line.ts";
import { listBalances } from "../../src/store/ledger/balances.ts";
import type { PaymentKey } from "../../src/store/payments/payments.ts";
import { listConfiguredProviders } from "../../src/store/providers/providers.ts";
import { CUSTOMER } from "../../src/testing/builders/asked-for.ts";
import { aPayin, aPayout, CONFIRMED, ISSUED, receive, referenceOf } from "../../src/testing/builders/payments.ts";
import { aProject, minor, RUB, testKeyring } from "../../src/testing/builders/projects.ts";
import { aConfiguredProvider } from "../../src/testing/builders/provider-books.ts";
import { anAccount } from "../../src/testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { openPoolRig, type ReportedAccount } from "../../src/testing/rigs/pool-rig.ts";
import { LEDGER_RULES, moveFunds, moveSuspense, reverseFunds, reverseMove } from "../../src/testing/rigs/with-pool.ts";

/** Runs the journals of docs/ledger.md. */
const { db } = useTestDatabase();
const keyring = testKeyring();
const document = readFileSync(new URL("../../docs/ledger.md", import.meta.url), "utf8");

async function adjust(projectId: Id, direction: "credit" | "debit", amount: number): Promise<void> {
  const reference = `${direction} ${amount} ${projectId}`;
  const command = {
    projectId,
    direction,
    amount: minor(amount),
    currency: RUB,
    reference,
    reason: "docs",
    actor: "test",
  };
  expect(await adjustBalance(db, command)).toMatchObject({ ok: true });
}

/** Money that comes for a pay-in after its decline, and what an operator does with it. */
async function moveLateMoney(projectId: Id, amount: number, target: MoveSuspense["target"]): Promise<void> {
  const { requestId } = await aPayin(db, [...ISSUED, { kind: "cancelled" }], { projectId });
  await receive(db, { projectId, requestId }, amount);
  const command = { requestId, target, amount: minor(amount), reference: requestId, reason: "docs", actor: "test" };
  expect(await moveSuspense(db, command)).toMatchObject({ ok: true });
}

/** An operator settles a payout that timed out as paid by hand, and its provider has paid it too. */
async function payTwice(projectId: Id): Promise<void> {
  const { requestId } = await aPayout(db, ["claimed", "timed_out"], { projectId });
  const command = { requestId, through: "manual", reference: "docs-paid", reason: "docs", actor: "test" };
  expect(await settlePayment(db, command)).toMatchObject({ ok: true });
  const approved = { kind: "approved", clearing: "clearing:sandbox" } as const;
  const applied = await openApplyPayments(db)({ projectId, requestId, payout: approved, actor: "provider" });
  expect(applied).toMatchObject({ ok: true });
}

async function happenAtAcme(event: DistributedOmit<PaymentEvent, "actor">) {
  const applied = await openApplyPayments(db)({ ...event, actor: "provider" } as PaymentEvent);
  if (!applied.ok) throw new Error(applied.error);
  return applied.value;
}

type DistributedOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/** Money that the provider `acme` reports, and what it keeps of it. */
async function receiveAtAcme(key: PaymentKey, amount: number, fee: number): Promise<void> {
  const reference = await referenceOf(db, key);
  const money = { amount: minor(amount), receivedAt: new Date() };
  await happenAtAcme({
    ...key,
    payin: { kind: "received", amount: money.amount, clearing: "clearing:acme" },
    receivedFrom: { provider: "acme", receiptReference: `${reference}:after:0`, ...money },
    providerFee: { reference, fee: minor(fee) },
  });
}

/** An operator moves funds to or from `acme`, which the first such flow configures. Answers the house's project. */
async function fundAcme(
  direction: "in" | "out",
  [amount, reference]: readonly [number, string],
  through = "manual",
): Promise<Id> {
  const isThere = (await listConfiguredProviders(db)).length > 0;
  if (!isThere) await aConfiguredProvider(db, "acme", "test");
  const command = {
    provider: "acme",
    direction,
    amount: minor(amount),
    currency: RUB,
    through,
    reference,
    note: null,
  };
  const moved = await moveFunds(db, { ...command, actor: "test" });
  if (!moved.ok) throw new Error(moved.error);
  return moved.value.funds.projectId;
}

/** The receiving account `main`, on which each of these flows finds what it left; made by the first that needs it. */
const rig = openPoolRig(db, keyring);
let mainAccount: ReportedAccount | undefined;

async function main(): Promise<ReportedAccount> {
  mainAccount ??= await anAccount(db, keyring, { code: "main", book: "test" });
  return mainAccount;
}

let reported = 0;

/** Its bank reports a transfer. Answers the house's project, and whose it was taken for. */
async function report(amount: number, direction: "credit" | "debit" = "credit") {
  const account = await main();
  reported += 1;
  const reference = `FT-${reported}`;
  const [recorded] = await rig.record([{ account, reference, amount, direction, at: new Date() }]);
  const house = await db.transaction((tx) => findHouseProject(tx, "test"));
  if (recorded?.kind !== "recorded" || house === undefined) throw new Error("it was recorded");
  return { ...recorded, reference, house };
}

/** It is sent back from there; `reference` is what the bank calls it. */
async function sendBack(requestId: Id | null, amount: number, reference: string): Promise<void> {
  const target = { kind: "return", through: "pool-main" } as const;
  const command = {
    requestId: requestId as Id,
    target,
    amount: minor(amount),
    reference,
    reason: "docs",
    actor: "test",
  };
  expect(await moveSuspense(db, command)).toMatchObject({ ok: true });
}

/** Answers another project whose transfers belong to the journal too, where there is one. */
const flows: Record<string, (projectId: Id) => Promise<unknown>> = {
  "Credit by hand": (project) => adjust(project, "credit", 1000),
  "Debit by hand": async (project) => {
    await adjust(project, "credit", 1000);
    await adjust(project, "debit", 300);
  },
  "A payout that was declined": async (project) => {
    await aPayout(db, ["claimed", "declined"], { projectId: project });
  },
  "A payout that was paid": async (project) => {
    await aPayout(db, ["claimed", "approved"], { projectId: project });
  },
  "A payout that was paid twice": payTwice,
  "A pay-in that another gateway took": async (project) => {
    const { requestId } = await aPayin(db, [], { projectId: project });
    await happenAtAcme({ projectId: project, requestId, payin: { kind: "submitted" }, nextProvider: "acme" });
    await happenAtAcme({ projectId: project, requestId, payin: { kind: "requisites_issued" } });
    await receiveAtAcme({ projectId: project, requestId }, 1000, 10);
  },
  "A payout that another gateway paid": async (project) => {
    const { requestId } = await aPayout(db, [], { projectId: project });
    const payout = (kind: "claimed" | "approved") => ({ kind, clearing: "clearing:acme" }) as const;
    const key = { projectId: project, requestId };
    const { reference } = await happenAtAcme({ ...key, payout: payout("claimed"), nextProvider: "acme" });
    const providerFee = { reference: reference ?? "", fee: minor(12) };
    await happenAtAcme({ ...key, payout: payout("approved"), providerFee });
  },
  "Late money that another gateway took": async (project) => {
    const { requestId } = await aPayin(db, [], { projectId: project });
    await happenAtAcme({ projectId: project, requestId, payin: { kind: "submitted" }, nextProvider: "acme" });
    await happenAtAcme({ projectId: project, requestId, payin: { kind: "cancelled" } });
    await receiveAtAcme({ projectId: project, requestId }, 900, 9);
  },
  "A balance at another gateway, topped up": () => fundAcme("in", [5000, "FT-2041"]),
  "A balance at another gateway, withdrawn": async () => {
    await fundAcme("out", [400, "FT-2042"]);
    const command = { provider: "acme", reference: "FT-2042", reason: "docs", actor: "test" };
    expect(await reverseFunds(db, command)).toMatchObject({ ok: true });
    return fundAcme("out", [4000, "FT-2042"]);
  },
  "A balance at another gateway, topped up from a receiving account": async () => {
    const { reference } = await report(300, "debit");
    return fundAcme("in", [300, reference], "pool-main");
  },
  "Late money to its project's balance": (project) =>
    moveLateMoney(project, 900, { kind: "to_balance", projectId: project }),
  "Late money to another project's balance": async (project) => {
    const { projectId } = await aProject(db);
    await moveLateMoney(project, 900, { kind: "to_balance", projectId });
    return projectId;
  },
  "Late money to an open payment": async (project) => {
    const { requestId } = await aPayin(db, CONFIRMED, { projectId: project });
    await moveLateMoney(project, 1000, { kind: "to_payment", requestId });
  },
  "Late money sent back": (project) => moveLateMoney(project, 900, { kind: "return", through: "manual" }),
  "A transfer for the pay-in that waits for it": async (project) => {
    await main();
    expect(await rig.start(project, 1000)).toBeDefined();
    expect(await report(1000)).toMatchObject({ outcome: "exact" });
  },
  "An unmatched credit, returned from its account": async () => {
    const { house, requestId, outcome } = await report(777);
    expect(outcome).toBe("unclaimed");
    await sendBack(requestId, 777, "FT-back");
    return house;
  },
  "An unexplained debit": async () => (await report(59, "debit")).house,
  "A debit that is explained later": async () => {
    const { house, requestId } = await report(888);
    const { reference, outcome } = await report(888, "debit");
    expect(outcome).toBe("unexplained");
    await sendBack(requestId, 888, reference);
    return house;
  },
  "A debit that the bank charged": async () => {
    const { house, reference } = await report(59, "debit");
    const command = { account: await main(), reference, reason: "account fee", actor: "test" };
    expect(await explainCost(db, command)).toMatchObject({ ok: true });
    return house;
  },
  "A return booked to the wrong account, and reversed": async () => {
    const { house, requestId } = await report(555);
    const words = { requestId: requestId as Id, reference: "FT-slip", reason: "docs", actor: "test" };
    const target = { kind: "return", through: "manual" } as const;
    expect(await moveSuspense(db, { ...words, target, amount: minor(555) })).toMatchObject({ ok: true });
    expect(await reverseMove(db, words)).toMatchObject({ ok: true });
    return house;
  },
  "A debit explained by mistake": async () => {
    const { house, reference } = await report(61, "debit");
    const command = { account: await main(), reference, reason: "docs", actor: "test" };
    expect(await explainCost(db, command)).toMatchObject({ ok: true });
    expect(await reverseBankLine(db, command)).toMatchObject({ ok: true });
    return house;
  },
  "A payout that was completed by mistake": async (project) => {
    const account = await main();
    await completeByHand(project, "FT-none");
    const command = { account, reference: "FT-none", reason: "docs", actor: "test" };
    expect(await reverseBankLine(db, command)).toMatchObject({ ok: true });
  },
};

/** A payout that waits for a person, and that an operator completes from `main`. */
async function completeByHand(projectId: Id, reference: string): Promise<void> {
  const { requestId } = await aPayout(db, [], { projectId });
  const key = { projectId, requestId };
  const command = { ...key, actor: "test", nextProvider: POOL_PROVIDER } as const;
  const claimed = await openApplyPayments(db)({
    ...command,
    payout: { kind: "claimed", clearing: "clearing:pool-main" },
  });
  if (!claimed.ok || claimed.value.reference === null || claimed.value.method === null)
    throw new Error("it was claimed");
  const { reference: ours, method, amount, currency } = claimed.value;
  const receiver = { type: "card", pan: "4242424242424242", holder: undefined } as const;
  await rig.desk.takePayout({ reference: ours, projectId, method, amount, currency, receiver, ...CUSTOMER });
  const { code } = await main();
  const completed = await completePayout(db, { requestId, account: code, reference, booked: undefined, actor: "test" });
  expect(completed).toMatchObject({ ok: true });
}

function sectionsOf(chapter: string): { title: string; text: string }[] {
  const [, body = ""] = document.split(`## ${chapter}\n`);
  return (body.split(/^## /m)[0] ?? "")
    .split(/^### /m)
    .slice(1)
    .map((section) => ({ title: section.split("\n")[0] ?? "", text: section }));
}

const sections = sectionsOf("Journals");

it("shows every flow once", () => {
  expect(sections.map(({ title }) => title)).toEqual(Object.keys(flows));
});

it.each(sections.map(({ title, text }) => [title, text] as const))("%s: the journal is true", async (title, text) => {
  const [{ now } = { now: undefined }] = await db.run<{ now: Date }>({ text: "select clock_timestamp() as now" });
  const { projectId } = await aProject(db);
  const another = await flows[title]?.(projectId);
  const posted = await db.run<{ line: string }>({
    text: `select format('| %s | %s | %s | %s |', from_account, to_account, amount, kind) as line
             from transfers where project_id in ($1, $2) and created_at >= $3 order by created_at, from_account = 'suspense' desc, to_account, from_account desc`,
    values: [projectId, another ?? null, now],
  });
  expect(posted.map(({ line }) => line)).toEqual(text.match(/^\| .* \| \d+ \| \w+ \|$/gm));
  const [balance] = await listBalances(db, [projectId]);
  const [, available, locked] = /Then: available (\d+), locked (\d+)\./.exec(text) ?? [];
  expect([balance?.available ?? 0, balance?.locked ?? 0].map(String)).toEqual([available, locked]);
});

it("names every rule of the check", () => {
  const named = [...(document.split("## What is always true")[1] ?? "").matchAll(/^\| `(\w+)` \|/gm)].map(
    ([, rule]) => rule,
  );
  expect(named).toEqual(LEDGER_RULES);
});
