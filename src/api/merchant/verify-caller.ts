import { createPublicKey, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { Directory, DirectoryKey } from "../../app/merchants/directory.ts";
import { decodeBase64url } from "../../platform/base64url.ts";
import { ALGORITHMS, type Algorithm, verifySignature } from "../../platform/signing.ts";
import type { AccessHeaders } from "./access-headers.ts";

/**
 * Who signed this request, or undefined. An unknown merchant, an unknown key and a wrong signature cost the same work
 * and get the same answer, so that a caller cannot find out which merchants or keys exist: where there is no key to verify with,
 * a decoy is.
 */
export function verifyCaller(
  directory: Directory,
  headers: AccessHeaders,
  algorithm: Algorithm,
  message: string,
  nowMs: number,
): DirectoryKey | undefined | Promise<DirectoryKey | undefined> {
  const signer = findSigner(directory, headers, algorithm, nowMs);
  const signature = decodeBase64url(headers.signature.length <= SIGNATURE_CHARACTERS_MAX ? headers.signature : "");
  if (signer !== undefined && signature !== undefined && couldBeMadeBy(signer, signature)) {
    const fits = verifySignature(algorithm, signer.key, message, signature);
    if (fits instanceof Promise) return fits.then((doesFit) => (doesFit ? signer : undefined));
    return fits ? signer : undefined;
  }
  const decoy = decoyFor(algorithm, headers.token);
  const never = verifySignature(algorithm, decoy.key, message, decoy.signature);
  return never instanceof Promise ? never.then(() => undefined) : undefined;
}

/** 4096 bits in base64url, the longest signature that a registered key can make. */
const SIGNATURE_CHARACTERS_MAX = 683;

/**
 * An RSA signature that is not below its key's modulus is turned away at once by the library, which an unknown key's
 * would not be; so that is found here, and a decoy is verified instead.
 */
function couldBeMadeBy(signer: DirectoryKey, signature: Buffer): boolean {
  return (
    signer.modulus === undefined ||
    (signature.length === signer.modulus.length && signature.compare(signer.modulus) < 0)
  );
}

function findSigner(
  directory: Directory,
  headers: AccessHeaders,
  algorithm: Algorithm,
  nowMs: number,
): DirectoryKey | undefined {
  const key = directory.keysByToken.get(headers.token);
  if (key === undefined || key.kind !== ALGORITHMS[algorithm].kind) return undefined;
  if (nowMs < key.notBeforeMs || nowMs >= key.notAfterMs) return undefined;
  // The header names the merchant, or one of its projects, which existing clients send.
  const merchantId = directory.projects.get(headers.merchantId)?.merchantId ?? headers.merchantId;
  return merchantId === key.merchantId ? key : undefined;
}

const RSA_DECOY_BITS = [2048, 3072, 4096] as const;
const DER_OVERHEAD_BYTES = 38;

/** A key and a signature that take as long to verify as real ones, and never fit. */
type Decoy = { readonly key: KeyObject; readonly signature: Buffer };

const hmacDecoy: Decoy = { key: createSecretKey(randomBytes(32)), signature: randomBytes(64) };
const rsaDecoys = RSA_DECOY_BITS.map((bits) => ({ bits, decoy: rsaDecoy(bits) }));

/** A decoy of the size that the token claims, since verifying takes longer with larger keys. */
function decoyFor(algorithm: Algorithm, token: string): Decoy {
  if (ALGORITHMS[algorithm].kind === "hmac") return hmacDecoy;
  const claimedBits = ((token.length * 3) / 4 - DER_OVERHEAD_BYTES) * 8;
  return (rsaDecoys.find(({ bits }) => claimedBits <= bits + 64) ?? rsaDecoys[0])?.decoy ?? hmacDecoy;
}

/** A public key without a private half: a random odd modulus, and a signature below it. */
function rsaDecoy(bits: number): Decoy {
  const modulus = randomBytes(bits / 8);
  modulus[0] = (modulus[0] ?? 0) | 0x80;
  modulus[modulus.length - 1] = (modulus.at(-1) ?? 0) | 1;
  const signature = randomBytes(bits / 8);
  signature[0] = 0x7f;
  const key = createPublicKey({ key: { kty: "RSA", n: modulus.toString("base64url"), e: "AQAB" }, format: "jwk" });
  return { key, signature };
}
