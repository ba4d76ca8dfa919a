import type { Id } from "../../core/ids.ts";
import type { ClearingAccount } from "../../core/ledger/accounts.ts";
import { journalCapture, journalHold, journalRelease } from "../../core/ledger/journal.ts";
import type { Minor } from "../../core/money.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { closeHold, type Hold, type HoldKind, insertHold, lockHold, type NewHold } from "../../store/ledger/holds.ts";
import { type PostingFault, postingTransaction, postTransfers } from "../../store/ledger/ledger.ts";
import { findProject } from "../../store/merchants/projects.ts";

/** Money that is spoken for: available → locked, then either back (release) or out (capture). */

export type PlaceHold = Omit<NewHold, "id">;

export async function placeHold(
  db: Database,
  order: PlaceHold,
): Promise<Result<Hold, PostingFault | "reference_taken" | "project_unknown">> {
  const placed = await postingTransaction(db, async (tx) => {
    if ((await findProject(tx, order.projectId)) === undefined) return fail("project_unknown" as const);
    const hold: Hold = { ...order, id: newId(), state: "open" };
    if (!(await insertHold(tx, hold))) return fail("reference_taken" as const);
    await postTransfers(tx, [journalHold(subjectOf(hold), newId(), hold.amount)]);
    return ok(hold);
  });
  return placed.ok ? placed.value : placed;
}

type HoldName = { readonly projectId: Id; readonly kind: HoldKind; readonly reference: string };
type CloseFault = "hold_unknown" | "hold_closed";

export async function releaseHold(db: Database, name: HoldName): Promise<Result<Hold, CloseFault>> {
  return db.transaction(async (tx) => {
    const found = await lockOpenHold(tx, name);
    if (!found.ok) return found;
    const hold = found.value;
    await closeHold(tx, hold, "released");
    await postTransfers(tx, [journalRelease(subjectOf(hold), newId(), hold.amount)]);
    return ok({ ...hold, state: "released" });
  });
}

/** Where captured money goes: the sum that left through a provider, and our fee. Together they are the whole hold. */
export type CaptureSplit = { readonly clearing: ClearingAccount; readonly fee: Minor };

export async function captureHold(
  db: Database,
  name: HoldName,
  split: CaptureSplit,
): Promise<Result<Hold, CloseFault | "fee_too_large">> {
  return db.transaction(async (tx) => {
    const found = await lockOpenHold(tx, name);
    if (!found.ok) return found;
    const hold = found.value;
    if (split.fee < 0n || split.fee > hold.amount) return fail("fee_too_large");
    const left = (hold.amount - split.fee) as Minor;
    const transfers = [
      ...(left > 0n ? [journalCapture(subjectOf(hold), newId(), left, split.clearing)] : []),
      ...(split.fee > 0n ? [journalCapture(subjectOf(hold), newId(), split.fee, "fees")] : []),
    ];
    await closeHold(tx, hold, "captured");
    await postTransfers(tx, transfers);
    return ok({ ...hold, state: "captured" });
  });
}

async function lockOpenHold(tx: Transaction, name: HoldName): Promise<Result<Hold, CloseFault>> {
  const hold = await lockHold(tx, name.projectId, name.kind, name.reference);
  if (hold === undefined) return fail("hold_unknown");
  return hold.state === "open" ? ok(hold) : fail("hold_closed");
}

function subjectOf(hold: NewHold) {
  return { projectId: hold.projectId, subjectId: hold.id, currency: hold.currency };
}
