import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import { lockPulse, savePulse } from "../../store/restore/database-pulse.ts";
import { getOpenRestore, type Restore, saveNoticedRestore } from "../../store/restore/restores.ts";

export type DeclareRestore = {
  readonly actor: string;
  readonly reason: string;
  /** Of when the backup is; undefined: of when a process last wrote, by the database itself. */
  readonly knownUntil: Date | undefined;
};

/** An operator says that the database was restored: a snapshot of a disk, for one, leaves no sign that a process could see. */
export function declareRestore(db: Database, command: DeclareRestore): Promise<Restore> {
  return db.transaction(async (tx) => {
    const { pulse, seen } = await lockPulse(tx);
    await savePulse(tx, seen, null);
    const knownUntil = command.knownUntil ?? pulse.beatAt;
    const facts = { reason: command.reason, written: pulse, seen };
    await saveNoticedRestore(tx, { id: newId(), noticedBy: command.actor, why: "declared", knownUntil, facts });
    return getOpenRestore(tx);
  });
}
