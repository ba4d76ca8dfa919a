import type { Id } from "../../core/ids.ts";
import type { Transaction } from "../db.ts";

/** A key pair in a person's device; we have the public half. */
export type Passkey = {
  readonly id: Id;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly signCount: bigint;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
};

export function listPasskeys(tx: Transaction, personId: Id): Promise<Passkey[]> {
  return tx.run<Passkey>({
    text: `select id, credential_id as "credentialId", public_key as "publicKey", sign_count as "signCount", transports, name,
                  created_at as "createdAt", used_at as "usedAt"
             from passkeys where person_id = $1 and removed_at is null order by id`,
    values: [personId],
  });
}

export async function removePasskeys(tx: Transaction, personId: Id): Promise<void> {
  await tx.run({
    text: "update passkeys set removed_at = now() where person_id = $1 and removed_at is null",
    values: [personId],
  });
}
