import type { Id } from "../../core/ids.ts";
import type { Place } from "../../platform/secrets.ts";
import type { Transaction } from "../db.ts";

export type TotpFactor = {
  readonly id: Id;
  readonly secret: Buffer;
  readonly lastStep: bigint;
  readonly confirmedAt: Date | null;
};

export function totpSecretPlace(id: Id): Place {
  return { table: "totp_factors", column: "secret", row: id };
}

/** Begins again where an earlier beginning was not finished. */
export async function beginTotpFactor(tx: Transaction, id: Id, personId: Id, secret: Buffer): Promise<void> {
  await tx.run({
    text: `update totp_factors set removed_at = now(), secret = null
            where person_id = $1 and removed_at is null and confirmed_at is null`,
    values: [personId],
  });
  await tx.run({
    text: "insert into totp_factors (id, person_id, secret) values ($1, $2, $3)",
    values: [id, personId, secret],
  });
}

const COLUMNS = `id, secret, last_step as "lastStep", confirmed_at as "confirmedAt"`;

/** Locked, so that of two uses of one code one counts. */
export async function lockTotpFactor(
  tx: Transaction,
  personId: Id,
  which: "confirmed" | "begun",
): Promise<TotpFactor | undefined> {
  const rows = await tx.run<TotpFactor>({
    text: `select ${COLUMNS} from totp_factors
            where person_id = $1 and removed_at is null and (confirmed_at is not null) = $2 for update`,
    values: [personId, which === "confirmed"],
  });
  return rows[0];
}

export async function saveTotpStep(tx: Transaction, id: Id, step: bigint): Promise<void> {
  await tx.run({ text: "update totp_factors set last_step = $2 where id = $1", values: [id, step] });
}

/** The factor before it, if there is one, is replaced. */
export async function confirmTotpFactor(tx: Transaction, id: Id, personId: Id): Promise<void> {
  await removeTotpFactor(tx, personId);
  await tx.run({ text: "update totp_factors set confirmed_at = now() where id = $1", values: [id] });
}

/** False when there was none. */
export async function removeTotpFactor(tx: Transaction, personId: Id): Promise<boolean> {
  const rows = await tx.run({
    text: `update totp_factors set removed_at = now(), secret = null
            where person_id = $1 and removed_at is null and confirmed_at is not null returning id`,
    values: [personId],
  });
  return rows.length > 0;
}

export async function findTotpSince(tx: Transaction, personId: Id): Promise<Date | undefined> {
  const rows = await tx.run<{ since: Date }>({
    text: `select confirmed_at as since from totp_factors
            where person_id = $1 and removed_at is null and confirmed_at is not null`,
    values: [personId],
  });
  return rows[0]?.since;
}
