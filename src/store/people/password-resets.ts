import type { Id } from "../../core/ids.ts";
import type { Transaction } from "../db.ts";

/** A new link ends those before it. */
export async function replacePasswordResets(
  tx: Transaction,
  reset: { readonly id: Id; readonly personId: Id; readonly tokenHash: Buffer; readonly expiresAt: Date },
): Promise<void> {
  await endPasswordResets(tx, reset.personId);
  await tx.run({
    text: "insert into password_resets (id, person_id, token_hash, expires_at) values ($1, $2, $3, $4)",
    values: [reset.id, reset.personId, reset.tokenHash, reset.expiresAt],
  });
}

export async function endPasswordResets(tx: Transaction, personId: Id): Promise<void> {
  await tx.run({
    text: "update password_resets set ended_at = now() where person_id = $1 and ended_at is null",
    values: [personId],
  });
}

/** Whose it is; undefined when it was used, replaced, or is too old. */
export async function usePasswordReset(tx: Transaction, tokenHash: Buffer, now: Date): Promise<Id | undefined> {
  const rows = await tx.run<{ personId: Id }>({
    text: `update password_resets set ended_at = $2
            where token_hash = $1 and ended_at is null and expires_at > $2 returning person_id as "personId"`,
    values: [tokenHash, now],
  });
  return rows[0]?.personId;
}

/** Whose it is, without using it. */
export async function findPasswordResetEmail(
  tx: Transaction,
  tokenHash: Buffer,
  now: Date,
): Promise<string | undefined> {
  const rows = await tx.run<{ email: string }>({
    text: `select p.email from password_resets r join people p on p.id = r.person_id
            where r.token_hash = $1 and r.ended_at is null and r.expires_at > $2`,
    values: [tokenHash, now],
  });
  return rows[0]?.email;
}
