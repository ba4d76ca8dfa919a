import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { fail, ok, type Result } from "../../core/result.ts";
import type { KeyKind } from "../../platform/signing.ts";
import { findRsaKeyFault, type PublicKeyFault, readRsaMaterial, rsaToken } from "../merchants/api-keys.ts";

/** What a file that an operator gives for a provider holds: a key in PEM, or the secret of an HMAC key. */
export type ProviderKeyMaterial = {
  readonly kind: KeyKind;
  /** A public key, or the id of the HMAC key; undefined: the file does not tell, and it was not given. */
  readonly token: string | undefined;
  /** To be sealed; undefined: a public key. */
  readonly secret: Buffer | undefined;
};

export type MaterialFault =
  | PublicKeyFault
  | "certificate"
  | "key_encrypted"
  /** A public key where a private one is needed. */
  | "key_public"
  /** A private key of theirs, which they should have kept. */
  | "key_private"
  | "id_missing"
  /** An RSA key is named by its public half. */
  | "id_unneeded"
  | "secret_form"
  /** Of a signature that is sent beside the protocol's own, and not looked at. */
  | "secret_of_webhooks";

/** Of a key that our calls are signed with: an RSA private key, or a secret with the id that the provider gave it. */
export function readCallKey(text: string, id: string | undefined): Result<ProviderKeyMaterial, MaterialFault> {
  if (!isPem(text)) {
    if (id === undefined) return fail("id_missing");
    return readSecret(text, id);
  }
  if (id !== undefined) return fail("id_unneeded");
  if (text.includes("-----BEGIN CERTIFICATE-----")) return fail("certificate");
  if (/PUBLIC KEY-----/.test(text)) return fail("key_public");
  if (/ENCRYPTED/.test(text)) return fail("key_encrypted");
  return readPrivateKey(text);
}

/** Of a key that the provider's callbacks are verified with: its RSA public key, or the secret that it shares with us. */
export function readCallbackKey(text: string): Result<ProviderKeyMaterial, MaterialFault> {
  if (text.startsWith("whsec_")) return fail("secret_of_webhooks");
  if (!isPem(text)) return readSecret(text, undefined);
  if (text.includes("-----BEGIN CERTIFICATE-----")) return fail("certificate");
  if (/PRIVATE KEY-----/.test(text)) return fail("key_private");
  const read = readRsaMaterial(text);
  return read.ok ? ok({ kind: "rsa", token: read.value.token, secret: undefined }) : read;
}

function isPem(text: string): boolean {
  return text.includes("-----BEGIN ");
}

/** As it was issued: its UTF-8 bytes are the key. Spaces within come from a file with more in it than the secret. */
const SECRET = /^[\x21-\x7e]{16,1024}$/;

function readSecret(text: string, id: string | undefined): Result<ProviderKeyMaterial, MaterialFault> {
  if (!SECRET.test(text)) return fail("secret_form");
  return ok({ kind: "hmac", token: id, secret: Buffer.from(text, "utf8") });
}

function readPrivateKey(pem: string): Result<ProviderKeyMaterial, MaterialFault> {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    return fail("key_unreadable");
  }
  const fault = findRsaKeyFault(key);
  if (fault !== undefined) return fail(fault);
  const secret = Buffer.from(key.export({ type: "pkcs8", format: "pem" }).toString(), "utf8");
  return ok({ kind: "rsa", token: rsaToken(createPublicKey(key)), secret });
}
