import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import { listMethodOffers } from "../../core/merchants/methods.ts";
import { AMOUNT_MAX, AMOUNT_MIN, type Minor, ZERO } from "../../core/money.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { insertMerchant, listMerchants } from "../../store/merchants/merchants.ts";
import { saveProjectMethods } from "../../store/merchants/project-methods.ts";
import { findProject, insertProject } from "../../store/merchants/projects.ts";
import { findSetting, saveSetting } from "../../store/processes/settings.ts";
import { adjustBalance } from "../ledger/adjust-balance.ts";
import { placeHold } from "../ledger/holds.ts";

/** The merchant that a developer finds in a new installation: a test project with every method on, and with money. */
export type Sandbox = { readonly merchantId: Id; readonly projectId: Id };

const SANDBOX_SETTING = "sandbox_project";
/** An arbitrary number that all Tillgate processes agree on. */
const SEED_LOCK = 5_171_003;

const PAYIN_FEE_BP = 250;
const PAYOUT_FEE_BP = 100;

const CREDITED_MINOR: Readonly<Record<string, bigint>> = {
  RUB: 1_000_000_00n,
  KZT: 5_000_000_00n,
  UZS: 100_000_000_00n,
  AZN: 20_000_00n,
  KGS: 1_000_000_00n,
  TJS: 100_000_00n,
  ARS: 10_000_000_00n,
  NGN: 10_000_000_00n,
};
/** A twentieth of it is locked, so that a developer sees both figures. */
const LOCKED_SHARE = 20n;

/** Makes the sandbox where it is missing. Every step may be repeated, so a start that was killed midway is finished. */
export async function seedSandbox(db: Database): Promise<Result<Sandbox, "merchants_there">> {
  const sandbox = await db.transaction(findOrCreateSandbox);
  if (sandbox === undefined) return fail("merchants_there");
  for (const [code, credited] of Object.entries(CREDITED_MINOR)) {
    await seedMoney(db, sandbox.projectId, code as Currency, credited as Minor);
  }
  return ok(sandbox);
}

/** The project that `seedSandbox` made, for callers that act as its merchant. */
export async function findSandboxProject(db: Database): Promise<Id | undefined> {
  return (await db.transaction((tx) => findSetting(tx, SANDBOX_SETTING))) as Id | undefined;
}

/** Undefined: there are merchants and no sandbox, so this is a real database. */
async function findOrCreateSandbox(tx: Transaction): Promise<Sandbox | undefined> {
  await tx.run({ text: "select pg_advisory_xact_lock($1)", values: [SEED_LOCK] });
  const known = await findSetting(tx, SANDBOX_SETTING);
  const project = known === undefined ? undefined : await findProject(tx, known as Id);
  if (project !== undefined) return { merchantId: project.merchantId, projectId: project.id };
  if ((await listMerchants(tx)).length > 0) return undefined;
  const merchantId = newId();
  const projectId = newId();
  await insertMerchant(tx, { id: merchantId, name: "Sandbox merchant" });
  await insertProject(tx, { id: projectId, merchantId, name: "Sandbox project", book: "test" });
  await saveProjectMethods(
    tx,
    listMethodOffers().map((offer) => ({
      ...offer,
      projectId,
      enabled: true,
      minAmount: AMOUNT_MIN,
      maxAmount: AMOUNT_MAX,
      feeBp: offer.direction === "payin" ? PAYIN_FEE_BP : PAYOUT_FEE_BP,
      feeFixed: ZERO,
    })),
  );
  await saveSetting(tx, SANDBOX_SETTING, projectId);
  return { merchantId, projectId };
}

async function seedMoney(db: Database, projectId: Id, currency: Currency, amount: Minor): Promise<void> {
  const reference = `sandbox-seed-${currency}`;
  const credited = await adjustBalance(db, {
    projectId,
    currency,
    amount,
    direction: "credit",
    reference,
    reason: "money to try things with",
    actor: "seed",
  });
  if (!credited.ok) throw new Error(`the sandbox could not be given ${currency}: ${credited.error}`);
  const held = await placeHold(db, {
    projectId,
    currency,
    kind: "reserve",
    reference,
    amount: (amount / LOCKED_SHARE) as Minor,
  });
  if (!held.ok && held.error !== "reference_taken")
    throw new Error(`the sandbox could not lock ${currency}: ${held.error}`);
}
