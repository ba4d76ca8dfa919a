import { fail, ok, type Result } from "../../core/result.ts";
import { notifyCallbacks } from "../../store/callbacks/callbacks.ts";
import type { Database } from "../../store/db.ts";
import { notifyDue } from "../../store/payments/save-payments.ts";
import { wakeNewPayments } from "../../store/payments/wake-payments.ts";
import { lockOpenRestore, type Restore, saveResumed } from "../../store/restore/restores.ts";

export type ResumeRestore = {
  readonly actor: string;
  /** Why without a check that passed. */
  readonly despite: string | undefined;
};

/** `woken`: payouts that waited, and are looked at now. */
export type ResumedRestore = { readonly restore: Restore; readonly woken: number };

export type ResumeFault = "none_open" | "not_checked" | "check_failed";

/** What waited is due a moment later, by the same commit. */
export function resumeRestore(db: Database, command: ResumeRestore): Promise<Result<ResumedRestore, ResumeFault>> {
  return db.transaction(async (tx) => {
    const restore = await lockOpenRestore(tx);
    if (restore === undefined) return fail("none_open");
    if (command.despite === undefined && restore.passed !== true)
      return fail(restore.passed === null ? "not_checked" : "check_failed");
    await saveResumed(tx, restore.id, command.actor, command.despite);
    const woken = await wakeNewPayments(tx, { direction: "payout" });
    await notifyDue(tx);
    await notifyCallbacks(tx);
    return ok({ restore, woken });
  });
}
