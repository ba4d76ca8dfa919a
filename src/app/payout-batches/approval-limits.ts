import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import { type Minor, minorToJson } from "../../core/money.ts";
import type { Database } from "../../store/db.ts";
import {
  type ApprovalLimit,
  listApprovalLimits,
  saveApprovalLimit,
} from "../../store/payout-batches/approval-limits.ts";
import { lockTeam } from "../../store/people/memberships.ts";
import { audit } from "../people/audit.ts";
import type { BatchActor } from "./batch-deps.ts";

/** Sets above which sum of a currency a second person approves; null: at none. */
export function setApprovalLimit(
  db: Database,
  { merchantId, actor }: BatchActor,
  { currency, amount }: { readonly currency: Currency; readonly amount: Minor | null },
): Promise<void> {
  return db.transaction(async (tx) => {
    await lockTeam(tx, merchantId);
    const before =
      (await listApprovalLimits(tx, merchantId)).find((limit) => limit.currency === currency)?.amount ?? null;
    if (before === amount) return;
    await saveApprovalLimit(tx, merchantId, { currency, amount });
    await audit(tx, {
      ...{ merchantId, actor, action: "security.payout_approval", subject: currency },
      before: { amount: jsonOf(before) },
      after: { amount: jsonOf(amount) },
    });
  });
}

function jsonOf(amount: Minor | null): number | null {
  return amount === null ? null : minorToJson(amount);
}

export function readApprovalLimits(db: Database, merchantId: Id): Promise<ApprovalLimit[]> {
  return listApprovalLimits(db, merchantId);
}
