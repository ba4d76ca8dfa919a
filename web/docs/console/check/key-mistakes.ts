import { type Bytes, digest, findAnyBase64, findHexBytes, hexOf, utf8 } from "../signing/bytes.ts";
import type { Mistake } from "./mistake.ts";
import type { Recipe } from "./recipe.ts";

const PKCS1 = "Use RSASSA-PKCS1-v1_5 with SHA-256.";
const SECRET_RULE = "The key is the UTF-8 bytes of the whole secret as it was issued, sk_ included.";

/** Hashing, padding, and what the secret is taken for. Each is tried with keys of its kind alone. */
export const RSA_MISTAKES: readonly Mistake[] = [
  {
    part: "hash",
    says: "SHA-256 run once. Scheme 1 signs the 32 bytes of the message's SHA-256 with RSA-SHA256, which hashes them again.",
    change: ({ scheme }) => (scheme === 1 ? { input: async (message) => utf8(message) } : undefined),
  },
  {
    part: "hash",
    says: "SHA-256 run twice. Scheme 2 signs the message itself with RSA-SHA256, so it is hashed once.",
    change: ({ scheme }) => (scheme === 2 ? { input: async (message) => digest(utf8(message)) } : undefined),
  },
  {
    part: "hash",
    says: "the SHA-256 of the message as hex text. Scheme 1 signs its 32 bytes; scheme 2 signs the message itself.",
    change: () => ({ input: async (message) => utf8(hexOf(await digest(utf8(message)))) }),
  },
  rsa(`RSA-PSS padding with a salt of 32 bytes. ${PKCS1}`, { name: "RSA-PSS", hash: "SHA-256", saltLength: 32 }),
  rsa(`RSA-PSS padding with the longest salt. ${PKCS1}`, { name: "RSA-PSS", hash: "SHA-256", saltLength: 222 }),
  rsa(`RSA with SHA-512. ${PKCS1}`, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" }),
  rsa(`RSA with SHA-1. ${PKCS1}`, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-1" }),
];

function rsa(says: string, algorithm: Recipe["rsa"]): Mistake {
  return { part: "key", says, change: () => ({ rsa: algorithm }) };
}

export const HMAC_MISTAKES: readonly Mistake[] = [
  secret("the secret decoded from hex, without sk_", (text) => findHexBytes(text.replace(/^sk_/, ""))),
  secret("the secret without sk_", (text) => (text.startsWith("sk_") ? utf8(text.slice(3)) : undefined)),
  secret("the secret decoded from base64", findAnyBase64),
  secret("the secret with a line feed at its end", (text) => utf8(`${text}\n`)),
  secret("the secret without the whitespace around it", (text) => utf8(text.trim())),
  secret("the secret in quotes", (text) => utf8(`"${text}"`)),
  // HMAC fills its key up with zeros, and WebCrypto takes no empty one.
  secret("an empty secret: it was not set", () => new Uint8Array([0])),
  {
    part: "hash",
    says: "HMAC-SHA256. Use HMAC-SHA512, whose result has 64 bytes.",
    change: () => ({ macHash: "SHA-256" }),
  },
  {
    part: "hash",
    says: "HMAC-SHA512 over the message's SHA-256. Give HMAC the message itself.",
    change: () => ({ input: async (message) => digest(utf8(message)) }),
  },
  {
    part: "hash",
    says: "HMAC-SHA512 over the hex of the message's SHA-256. Give HMAC the message itself.",
    change: () => ({ input: async (message) => utf8(hexOf(await digest(utf8(message)))) }),
  },
];

function secret(name: string, read: (text: string) => Bytes | undefined): Mistake {
  return { part: "key", says: `${name}. ${SECRET_RULE}`, change: () => ({ secret: read }) };
}
