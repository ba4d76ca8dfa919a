import { isTestRequisite } from "../../core/cards/test-cards.ts";
import type { Id } from "../../core/ids.ts";
import type { Method } from "../../core/merchants/methods.ts";
import { maskRequisites } from "../../core/payments/requisites-text.ts";
import { POOL_PROVIDER } from "../../core/providers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { hintByReference } from "../../store/payments/claims.ts";
import { listMethodsOfRequisite, type RequisiteType } from "../core/requisite-value.ts";
import { withdrawLendings } from "../store/lendings.ts";
import { findReceivingAccount } from "../store/receiving-accounts.ts";
import {
  findRequisite,
  insertRequisite,
  isOnAnotherAccount,
  lockEqualRequisite,
  lockRequisiteValues,
  type Requisite,
  restoreRequisite,
  switchRequisite,
} from "../store/requisites.ts";
import { hashOfNumber, sealText } from "./pool-secrets.ts";

/** Where payers send money to: the cards, phones, account numbers and links of a receiving account. */

export type NewRequisite = {
  readonly account: string;
  readonly type: RequisiteType;
  /** As `readRequisiteValue` answers it. */
  readonly value: string;
  /** Left out: every method that can pay to it. */
  readonly methods?: readonly Method[] | undefined;
};

export type RequisiteFault =
  | "account_unknown"
  /** The account has it. */
  | "requisite_taken"
  /** Another account has it: see `isOnAnotherAccount`. */
  | "requisite_elsewhere"
  /** A published test number on a live account: no one could ever be paid there. */
  | "test_card"
  | "method_unfit"
  | "requisite_unknown";

export async function addRequisite(
  { db, keyring }: { readonly db: Database; readonly keyring: Keyring },
  wanted: NewRequisite,
): Promise<Result<Requisite, RequisiteFault>> {
  return db.transaction(async (tx) => {
    const account = await findReceivingAccount(tx, wanted.account);
    if (account === undefined) return fail("account_unknown");
    const { type, value } = wanted;
    if (account.book === "live" && isTestRequisite(type, value)) return fail("test_card");
    const fitting = listMethodsOfRequisite(type, account.currency);
    const methods = wanted.methods ?? fitting;
    if (methods.length === 0 || !methods.every((method) => fitting.includes(method))) return fail("method_unfit");
    const shown = maskRequisites({ type, value, holder: undefined, bank: undefined, bankName: undefined });
    const sealedFor = (id: Id): Requisite => ({
      ...{ id, type, methods },
      accountId: account.id,
      value: sealText(keyring, { table: "requisites", column: "value", row: id }, value),
      valueHash: hashOfNumber(keyring, value),
      mask: shown.value.slice(0, MASK_MAX),
    });
    const requisite = sealedFor(newId());
    await lockRequisiteValues(tx);
    if (await isOnAnotherAccount(tx, requisite)) return fail("requisite_elsewhere");
    if (await insertRequisite(tx, requisite)) return ok(requisite);
    // Rows are never deleted, so one that could not be decrypted is encrypted again in place.
    const present = await lockEqualRequisite(tx, requisite);
    if (present === undefined || present.fault === null) return fail("requisite_taken");
    const restored = sealedFor(present.id);
    await restoreRequisite(tx, restored);
    return ok(restored);
  });
}

const MASK_MAX = 64;

/**
 * Switches a requisite on or off. Off: new payers are not shown it. Withdrawn: payers who were shown it are told to pay elsewhere,
 * as with a card that its bank has blocked. Answers how many pay-ins that was.
 */
export async function setRequisite(
  db: Database,
  id: Id,
  to: "on" | "off" | "withdrawn",
): Promise<Result<{ readonly withdrawn: number }, RequisiteFault>> {
  const withdrawn = await db.transaction(async (tx): Promise<Result<string[], RequisiteFault>> => {
    await lockRequisiteValues(tx);
    const present = await findRequisite(tx, id);
    if (present === undefined) return fail("requisite_unknown");
    if (to === "on" && (await isOnAnotherAccount(tx, present))) return fail("requisite_elsewhere");
    await switchRequisite(tx, id, { enabled: to === "on", fault: null });
    return ok(to === "withdrawn" ? await withdrawLendings(tx, id) : []);
  });
  if (!withdrawn.ok) return withdrawn;
  await hintByReference(
    db,
    withdrawn.value.map((reference) => ({ provider: POOL_PROVIDER, reference })),
  );
  return ok({ withdrawn: withdrawn.value.length });
}
