import { createPublicKey, generateKeyPair, type KeyObject, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import { Secret } from "../../platform/secret.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { apiKeySecretPlace, insertApiKey, type NewApiKey } from "../../store/merchants/api-keys.ts";
import { findMerchant } from "../../store/merchants/merchants.ts";
import { findProject } from "../../store/merchants/projects.ts";

/** Registering the keys that requests are signed with. */

export const RSA_BITS_MIN = 2048;
export const RSA_BITS_MAX = 4096;
const RSA_EXPONENT_MIN = 65_537n;
const RSA_EXPONENT_MAX = 2n ** 32n;
const HMAC_SECRET_BYTES = 32;
const HMAC_KEY_ID_BYTES = 16;

export type KeyScope = {
  readonly merchantId: Id;
  readonly projectId: Id | null;
  readonly book: Book;
  readonly label: string;
  readonly notBefore: Date;
  readonly notAfter: Date | null;
};

type RsaKeyFault = "key_not_rsa" | "key_size" | "key_exponent";

/** What can be wrong with a public key in a file. */
export type PublicKeyFault = "key_unreadable" | RsaKeyFault;

export type KeyFault = "merchant_unknown" | "project_unknown" | "book_differs" | "key_known" | PublicKeyFault;

export type RegisteredKey = { readonly id: Id; readonly token: string };

/** What a key consists of, without whom it is for. */
export type KeyMaterial = Pick<NewApiKey, "id" | "kind" | "token" | "secret">;

export async function registerRsaKey(
  db: Database,
  scope: KeyScope,
  publicKeyPem: string,
): Promise<Result<RegisteredKey, KeyFault>> {
  const material = readRsaMaterial(publicKeyPem);
  if (!material.ok) return material;
  return db.transaction((tx) => registerKey(tx, { ...scope, ...material.value }));
}

export type GeneratedRsaKey = RegisteredKey & { readonly privateKeyPem: Secret<string> };

/** Makes a pair. The private half is returned once and not kept. */
export async function generateRsaKey(db: Database, scope: KeyScope): Promise<Result<GeneratedRsaKey, KeyFault>> {
  const pair = await promisify(generateKeyPair)("rsa", { modulusLength: RSA_BITS_MIN });
  const registered = await db.transaction((tx) => registerKey(tx, { ...scope, ...rsaMaterial(pair.publicKey) }));
  if (!registered.ok) return registered;
  const privateKeyPem = new Secret(pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  return ok({ ...registered.value, privateKeyPem });
}

export type GeneratedHmacKey = RegisteredKey & { readonly secret: Secret<string> };

/** Makes an HMAC key. The secret is returned once; what is kept is sealed. */
export async function generateHmacKey(
  db: Database,
  keyring: Keyring,
  scope: KeyScope,
): Promise<Result<GeneratedHmacKey, KeyFault>> {
  const { material, secret } = newHmacMaterial(keyring);
  const registered = await db.transaction((tx) => registerKey(tx, { ...scope, ...material }));
  return registered.ok ? ok({ ...registered.value, secret }) : registered;
}

export function newHmacMaterial(keyring: Keyring): { readonly material: KeyMaterial; readonly secret: Secret<string> } {
  const id = newId();
  const secret = `sk_${randomBytes(HMAC_SECRET_BYTES).toString("hex")}`;
  const sealed = keyring.seal(apiKeySecretPlace(id), Buffer.from(secret, "utf8"));
  const token = `ak_${randomBytes(HMAC_KEY_ID_BYTES).toString("hex")}`;
  return { material: { id, kind: "hmac", token, secret: sealed }, secret: new Secret(secret) };
}

export function readRsaMaterial(publicKeyPem: string): Result<KeyMaterial, PublicKeyFault> {
  const key = readPublicKey(publicKeyPem);
  return key.ok ? ok(rsaMaterial(key.value)) : key;
}

function rsaMaterial(publicKey: KeyObject): KeyMaterial {
  return { id: newId(), kind: "rsa", token: rsaToken(publicKey), secret: null };
}

export function rsaToken(publicKey: KeyObject): string {
  return publicKey.export({ type: "spki", format: "der" }).toString("base64url");
}

function readPublicKey(pem: string): Result<KeyObject, PublicKeyFault> {
  // createPublicKey would also take a private key, which has no business here.
  if (!/-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)) return fail("key_unreadable");
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch {
    return fail("key_unreadable");
  }
  const fault = findRsaKeyFault(key);
  return fault === undefined ? ok(key) : fail(fault);
}

/** Of either half of a pair. */
export function findRsaKeyFault(key: KeyObject): RsaKeyFault | undefined {
  if (key.asymmetricKeyType !== "rsa") return "key_not_rsa";
  const { modulusLength: bits = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  // With an exponent of 1 anyone could sign; other small ones have a history of broken padding checks.
  // A huge one would make each verification slow.
  if (publicExponent < RSA_EXPONENT_MIN || publicExponent > RSA_EXPONENT_MAX) return "key_exponent";
  return bits < RSA_BITS_MIN || bits > RSA_BITS_MAX ? "key_size" : undefined;
}

export async function registerKey(tx: Transaction, key: NewApiKey): Promise<Result<RegisteredKey, KeyFault>> {
  if ((await findMerchant(tx, key.merchantId)) === undefined) return fail("merchant_unknown");
  if (key.projectId !== null) {
    const project = await findProject(tx, key.projectId);
    if (project === undefined || project.merchantId !== key.merchantId) return fail("project_unknown");
    if (project.book !== key.book) return fail("book_differs");
  }
  return (await insertApiKey(tx, key)) ? ok({ id: key.id, token: key.token }) : fail("key_known");
}
