import { createCipheriv, createDecipheriv, createHash, createHmac, createSecretKey, randomBytes } from "node:crypto";
import type { Id } from "../core/ids.ts";
import { newId } from "./new-id.ts";
import { Secret } from "./secret.ts";

/**
 * Envelope encryption. Values are sealed with AES-256-GCM under a data key; data keys are wrapped under the master key,
 * which only the configuration knows. What is sealed is bound to its table, column, row and data key, so that a
 * ciphertext moved elsewhere, or changed by one bit, is an error and never another value.
 */
const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 16;
const SEAL_VERSION = 1;

export type MasterKey = { readonly fingerprint: string; readonly key: Secret<Buffer> };
export type DataKeyPurpose = "encrypt" | "lookup";
export type DataKey = { readonly id: Id; readonly purpose: DataKeyPurpose; readonly key: Secret<Buffer> };
export type WrappedDataKey = {
  readonly id: Id;
  readonly purpose: DataKeyPurpose;
  readonly wrappedKey: Buffer;
  readonly wrappedBy: string;
};

/** Where a sealed value lies. It is authenticated with the value, not stored in it. */
export type Place = { readonly table: string; readonly column: string; readonly row: string };

export type Keyring = {
  readonly seal: (place: Place, value: Buffer) => Buffer;
  readonly unseal: (place: Place, sealed: Buffer) => Secret<Buffer>;
  /** A keyed hash for finding equal values without storing them; the domain keeps different columns apart. */
  readonly lookupHash: (domain: string, value: string) => Buffer;
};

export function masterKey(bytes: Buffer): MasterKey {
  if (bytes.length !== KEY_BYTES) throw new Error(`a master key has ${KEY_BYTES} bytes`);
  const fingerprint = createHash("sha256").update("tillgate-master-key:").update(bytes).digest("hex").slice(0, 16);
  return { fingerprint, key: new Secret(bytes) };
}

export function newDataKey(purpose: DataKeyPurpose): DataKey {
  return { id: newId(), purpose, key: new Secret(randomBytes(KEY_BYTES)) };
}

export function wrapDataKey(master: MasterKey, dataKey: DataKey): WrappedDataKey {
  const wrappedKey = encrypt(master.key, wrapContext(dataKey), dataKey.key.reveal());
  return { id: dataKey.id, purpose: dataKey.purpose, wrappedKey, wrappedBy: master.fingerprint };
}

/** Throws when no given master key wrapped it, or when it was tampered with: the service cannot run on a guess. */
export function unwrapDataKey(masters: readonly MasterKey[], wrapped: WrappedDataKey): DataKey {
  const master = masters.find((candidate) => candidate.fingerprint === wrapped.wrappedBy);
  if (master === undefined) {
    throw new Error(`data key ${wrapped.id} is wrapped by master key ${wrapped.wrappedBy}, which was not given`);
  }
  const key = decrypt(master.key, wrapContext(wrapped), wrapped.wrappedKey);
  return { id: wrapped.id, purpose: wrapped.purpose, key: new Secret(key) };
}

/** The newest key of each purpose is used for new values; the older ones still open what they sealed. */
export function openKeyring(dataKeys: readonly DataKey[]): Keyring {
  const byId = new Map(dataKeys.map((dataKey) => [dataKey.id as string, dataKey]));
  const encryptKey = dataKeys.findLast((dataKey) => dataKey.purpose === "encrypt");
  const lookupKey = dataKeys.find((dataKey) => dataKey.purpose === "lookup");
  if (encryptKey === undefined || lookupKey === undefined) throw new Error("a keyring needs a key of each purpose");
  const hashKey = createSecretKey(lookupKey.key.reveal());

  return {
    seal: (place, value) => {
      const header = Buffer.concat([Buffer.from([SEAL_VERSION]), Buffer.from(encryptKey.id, "hex")]);
      return Buffer.concat([header, encrypt(encryptKey.key, sealContext(place, encryptKey.id), value)]);
    },
    unseal: (place, sealed) => {
      if (sealed[0] !== SEAL_VERSION) throw new Error("a sealed value of an unknown version");
      const keyId = sealed.subarray(1, 1 + KEY_ID_BYTES).toString("hex");
      const dataKey = byId.get(keyId);
      if (dataKey === undefined || dataKey.purpose !== "encrypt") throw new Error("a sealed value of an unknown key");
      return new Secret(decrypt(dataKey.key, sealContext(place, keyId), sealed.subarray(1 + KEY_ID_BYTES)));
    },
    lookupHash: (domain, value) => createHmac("sha256", hashKey).update(`${domain}\0${value}`).digest(),
  };
}

function wrapContext(dataKey: { id: string; purpose: string }): Buffer {
  return context(["tillgate-data-key", dataKey.id, dataKey.purpose]);
}

function sealContext(place: Place, keyId: string): Buffer {
  return context(["tillgate-sealed", place.table, place.column, place.row, keyId]);
}

/** Each part with its length before it, so that no two lists of parts give the same bytes. */
function context(parts: readonly string[]): Buffer {
  return Buffer.from(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(""));
}

function encrypt(key: Secret<Buffer>, associated: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.reveal(), nonce, { authTagLength: TAG_BYTES }).setAAD(associated);
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function decrypt(key: Secret<Buffer>, associated: Buffer, sealed: Buffer): Buffer {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error("a sealed value is too short");
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, key.reveal(), nonce, { authTagLength: TAG_BYTES })
    .setAAD(associated)
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}
