import type { Id } from "../../core/ids.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database, Transaction } from "../../store/db.ts";
import {
  insertProviderKey,
  listKeysOfProvider,
  type ProviderKey,
  type ProviderKeyPurpose,
  providerKeyPlace,
  retireProviderKeyRow,
} from "../../store/providers/provider-keys.ts";
import { lockConfiguredProvider } from "../../store/providers/providers.ts";
import type { ProviderKeyMaterial } from "./provider-key-material.ts";

/**
 * The keys of a provider. The newest one of the calls' signs as soon as it is there, and any of the callbacks' verifies, so a
 * key is exchanged without a gap: add the new one, then retire the old one.
 */

export type NewKeyWish = { readonly purpose: ProviderKeyPurpose; readonly material: ProviderKeyMaterial };

/** Seals the secret. An HMAC secret that came without an id is called by the key's own. */
export function insertKey(
  tx: Transaction,
  keyring: Keyring,
  provider: string,
  { purpose, material: { kind, token, secret } }: NewKeyWish,
): Promise<ProviderKey> {
  const id = newId();
  const sealed = secret === undefined ? null : keyring.seal(providerKeyPlace(id), secret);
  return insertProviderKey(tx, { id, provider, purpose, kind, token: token ?? id, secret: sealed });
}

export function addProviderKey(
  { db, keyring }: { readonly db: Database; readonly keyring: Keyring },
  provider: string,
  wish: NewKeyWish,
): Promise<Result<ProviderKey, "provider_unknown" | "key_known">> {
  return db.transaction(async (tx) => {
    if ((await lockConfiguredProvider(tx, provider)) === undefined) return fail("provider_unknown");
    const keys = await listKeysOfProvider(tx, provider);
    const { purpose, material } = wish;
    const isKnown = keys.some((key) => key.inForce && key.purpose === purpose && key.token === material.token);
    return isKnown ? fail("key_known") : ok(await insertKey(tx, keyring, provider, wish));
  });
}

export type KeyRetirement = { readonly provider: string; readonly keyId: Id; readonly inSeconds: number };

export type RetiredKey = { readonly key: ProviderKey; readonly retiresAt: Date };

/** The last key that signs our calls stays: without it the provider could not be asked about the payments that it has. */
export function retireProviderKey(
  db: Database,
  { provider, keyId, inSeconds }: KeyRetirement,
): Promise<Result<RetiredKey, "provider_unknown" | "key_unknown" | "key_retired" | "last_call_key">> {
  return db.transaction(async (tx) => {
    if ((await lockConfiguredProvider(tx, provider)) === undefined) return fail("provider_unknown");
    const keys = await listKeysOfProvider(tx, provider);
    const key = keys.find(({ id }) => id === keyId);
    if (key === undefined) return fail("key_unknown");
    if (!key.inForce) return fail("key_retired");
    const staying = keys.filter((each) => each.purpose === "call" && each.retiresAt === null && each.id !== keyId);
    if (key.purpose === "call" && staying.length === 0) return fail("last_call_key");
    return ok({ key, retiresAt: await retireProviderKeyRow(tx, keyId, inSeconds) });
  });
}
