import {
  canTestify,
  judgeDatabase,
  LOST_MAX_S,
  silenceAfter,
  type Verdict,
} from "../../core/restore/judge-database.ts";
import { newId } from "../../platform/new-id.ts";
import { notifyCallbacks } from "../../store/callbacks/callbacks.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { notifyDue } from "../../store/payments/save-payments.ts";
import { wakeNewPayments } from "../../store/payments/wake-payments.ts";
import { lockPulse, savePulse } from "../../store/restore/database-pulse.ts";
import { saveNoticedRestore, withdrawDoubt } from "../../store/restore/restores.ts";

export type TakenPulse = {
  readonly verdict: Verdict;
  /** By the database's clock: what the next call remembers. */
  readonly beatAt: Date;
};

/**
 * Judges whether this is the database that was written to before, and writes that it was. What was found is committed together
 * with a restore, so that the next process does not judge the same change again.
 */
export function takePulse(db: Database, remembered: Date | undefined, actor: string): Promise<TakenPulse> {
  return db.transaction(async (tx) => {
    const { pulse, seen } = await lockPulse(tx);
    const verdict = judgeDatabase(pulse, seen, remembered);
    await savePulse(tx, seen, silenceAfter(pulse, seen, verdict));
    if (verdict.kind === "restored") {
      const facts = { written: pulse, seen, ...(remembered === undefined ? {} : { remembered }) };
      const { why, knownUntil } = verdict;
      await saveNoticedRestore(tx, { id: newId(), noticedBy: actor, why, knownUntil, facts });
    }
    const testimony = { actor, writtenAt: remembered ?? seen.now, lostMaxS: LOST_MAX_S };
    const withdrawn = verdict.kind === "same" && canTestify(remembered, seen) && (await withdrawDoubt(tx, testimony));
    // Payouts waited while the new timeline was not judged.
    if (verdict.kind === "failover" || withdrawn) await wakeWaiting(tx);
    return { verdict, beatAt: seen.now };
  });
}

async function wakeWaiting(tx: Transaction): Promise<void> {
  if ((await wakeNewPayments(tx, { direction: "payout" })) > 0) await notifyDue(tx);
  await notifyCallbacks(tx);
}
