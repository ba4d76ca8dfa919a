import type { Id } from "../../core/ids.ts";
import type { Place } from "../../platform/secrets.ts";
import type { KeyKind } from "../../platform/signing.ts";
import type { Transaction } from "../db.ts";

/** `call`: our calls are signed with it. `callback`: the provider's callbacks are verified with it. */
export type ProviderKeyPurpose = "call" | "callback";

export type ProviderKey = {
  readonly id: Id;
  readonly provider: string;
  readonly purpose: ProviderKeyPurpose;
  readonly kind: KeyKind;
  /** A public key (SPKI, base64url), or the id of an HMAC key. */
  readonly token: string;
  /** Sealed: the RSA private key, or the secret. Null: a public key, which only verifies. */
  readonly secret: Buffer | null;
  readonly createdAt: Date;
  /** From then on it is no longer used. */
  readonly retiresAt: Date | null;
};

export type NewProviderKey = Omit<ProviderKey, "createdAt" | "retiresAt">;

const COLUMNS = `id, provider, purpose, kind, token, secret, created_at as "createdAt", retires_at as "retiresAt"`;

export function providerKeyPlace(id: Id): Place {
  return { table: "provider_keys", column: "secret", row: id };
}

/** Those in force, oldest first. */
export function listProviderKeys(tx: Transaction): Promise<ProviderKey[]> {
  return tx.run<ProviderKey>({
    text: `select ${COLUMNS} from provider_keys where retires_at is null or retires_at > now()
            order by provider, purpose, created_at, id`,
  });
}

export type ListedProviderKey = ProviderKey & { readonly inForce: boolean };

/** All that a provider ever had, oldest first. */
export function listKeysOfProvider(tx: Transaction, provider: string): Promise<ListedProviderKey[]> {
  return tx.run<ListedProviderKey>({
    text: `select ${COLUMNS}, retires_at is null or retires_at > now() as "inForce"
             from provider_keys where provider = $1 order by purpose, created_at, id`,
    values: [provider],
  });
}

export async function insertProviderKey(tx: Transaction, key: NewProviderKey): Promise<ProviderKey> {
  const [row] = await tx.run<ProviderKey>({
    text: `insert into provider_keys (id, provider, purpose, kind, token, secret) values ($1, $2, $3, $4, $5, $6)
           returning ${COLUMNS}`,
    values: [key.id, key.provider, key.purpose, key.kind, key.token, key.secret],
  });
  if (row === undefined) throw new Error("a key that was inserted has no row");
  return row;
}

/** By the database's clock, which says whether it is in force. Answers from when on it is no longer used. */
export async function retireProviderKeyRow(tx: Transaction, id: Id, inSeconds: number): Promise<Date> {
  const [row] = await tx.run<{ retiresAt: Date }>({
    text: `update provider_keys set retires_at = now() + make_interval(secs => $2) where id = $1
           returning retires_at as "retiresAt"`,
    values: [id, inSeconds],
  });
  if (row === undefined) throw new Error("there is no such key");
  return row.retiresAt;
}
