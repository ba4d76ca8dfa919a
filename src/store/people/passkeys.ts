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

/** False when the credential is known already, of whichever person. */
export async function insertPasskey(
  tx: Transaction,
  personId: Id,
  passkey: Omit<Passkey, "createdAt" | "usedAt">,
): Promise<boolean> {
  const rows = await tx.run({
    text: `insert into passkeys (id, person_id, credential_id, public_key, sign_count, transports, name)
           values ($1, $2, $3, $4, $5, $6, $7) on conflict (credential_id) do nothing returning id`,
    values: [
      passkey.id,
      personId,
      passkey.credentialId,
      passkey.publicKey,
      passkey.signCount,
      passkey.transports,
      passkey.name,
    ],
  });
  return rows.length === 1;
}

/** Its name; undefined when the person has no such passkey. */
export async function removePasskey(tx: Transaction, personId: Id, id: Id): Promise<string | undefined> {
  const rows = await tx.run<{ name: string }>({
    text: "update passkeys set removed_at = now() where id = $2 and person_id = $1 and removed_at is null returning name",
    values: [personId, id],
  });
  return rows[0]?.name;
}

/** A counter that does not grow is a copy of the key; devices that do not count always say zero. */
export async function savePasskeyUse(tx: Transaction, id: Id, signCount: number): Promise<void> {
  await tx.run({ text: "update passkeys set sign_count = $2, used_at = now() where id = $1", values: [id, signCount] });
}
