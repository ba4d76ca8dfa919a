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
