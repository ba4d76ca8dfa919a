import type { Id } from "../../core/ids.ts";
import type { Transaction } from "../db.ts";

export async function replaceRecoveryCodes(
  tx: Transaction,
  personId: Id,
  codes: readonly { readonly id: Id; readonly hash: Buffer }[],
): Promise<void> {
  await tx.run({
    text: "update recovery_codes set ended_at = now() where person_id = $1 and ended_at is null",
    values: [personId],
  });
  await tx.run({
    text: `insert into recovery_codes (id, person_id, code_hash)
           select id, $1, hash from unnest($2::uuid[], $3::bytea[]) as codes (id, hash)`,
    values: [personId, codes.map(({ id }) => id), codes.map(({ hash }) => hash)],
  });
}

/** False when the person has no such code, or used it. */
export async function useRecoveryCode(tx: Transaction, personId: Id, hash: Buffer): Promise<boolean> {
  const rows = await tx.run({
    text: `update recovery_codes set ended_at = now()
            where person_id = $1 and code_hash = $2 and ended_at is null returning id`,
    values: [personId, hash],
  });
  return rows.length > 0;
}
