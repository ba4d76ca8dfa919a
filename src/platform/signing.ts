import { createHmac, hash, type KeyObject, sign, timingSafeEqual, verify } from "node:crypto";
import { promisify } from "node:util";
import type { JsonValue } from "./strict-json.ts";

/** How requests are signed. Scheme 1 is what existing clients speak; scheme 2 also covers the path and the raw bytes. */
export type Scheme = 1 | 2;
export type KeyKind = "rsa" | "hmac";

export const ALGORITHMS = {
  "RSA-SHA256": { scheme: 1, kind: "rsa" },
  "HMAC-SHA512": { scheme: 1, kind: "hmac" },
  "RSA-SHA256-V2": { scheme: 2, kind: "rsa" },
  "HMAC-SHA512-V2": { scheme: 2, kind: "hmac" },
} as const satisfies Record<string, { scheme: Scheme; kind: KeyKind }>;

export type Algorithm = keyof typeof ALGORITHMS;
export const ALGORITHM_WHEN_ABSENT: Algorithm = "RSA-SHA256";

export function findAlgorithm(name: string): Algorithm | undefined {
  return Object.hasOwn(ALGORITHMS, name) ? (name as Algorithm) : undefined;
}

export type SignedParts = {
  readonly method: string;
  readonly path: string;
  readonly timestamp: string;
  readonly rawBody: Buffer;
  readonly body: JsonValue;
};

/** Scheme 1: every leaf as `path:to:it:value`, sorted by code unit, joined by `;`. */
export function normalise(body: JsonValue): string {
  const lines: string[] = [];
  collectLines(body, "", lines);
  return lines.sort().join(";");
}

function collectLines(value: JsonValue, prefix: string, lines: string[]): void {
  if (value === null) lines.push(`${prefix}None`);
  else if (value === true) lines.push(`${prefix}1`);
  else if (value === false) lines.push(`${prefix}0`);
  else if (typeof value !== "object") lines.push(`${prefix}${value}`);
  // The reader of strict-json has bounded the depth already.
  else for (const [name, member] of Object.entries(value)) collectLines(member, `${prefix}${name}:`, lines);
}

export function signedMessage(scheme: Scheme, parts: SignedParts): string {
  if (scheme === 1) return Buffer.from(normalise(parts.body), "utf8").toString("base64url") + parts.timestamp;
  const bodyHash = hash("sha256", parts.rawBody, "hex");
  return `${parts.method}\n${parts.path}\n${parts.timestamp}\n${bodyHash}`;
}

/** Scheme 1 signs the digest of the message, and the algorithm hashes that once more; existing clients do so. */
function rsaInput(scheme: Scheme, message: string): Buffer {
  return scheme === 1 ? hash("sha256", message, "buffer") : Buffer.from(message);
}

const verifyInThread = promisify(verify);

/** RSA is verified in a thread of Node's pool: it takes 31 µs, about as long as all the rest of a request. */
export function verifySignature(
  algorithm: Algorithm,
  key: KeyObject,
  message: string,
  signature: Buffer,
): boolean | Promise<boolean> {
  const { scheme, kind } = ALGORITHMS[algorithm];
  if (kind === "rsa") return verifyInThread("sha256", rsaInput(scheme, message), key, signature);
  const expected = createHmac("sha512", key).update(message).digest();
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

export function makeSignature(algorithm: Algorithm, key: KeyObject, message: string): string {
  const { scheme, kind } = ALGORITHMS[algorithm];
  const bytes =
    kind === "rsa"
      ? sign("sha256", rsaInput(scheme, message), key)
      : createHmac("sha512", key).update(message).digest();
  return bytes.toString("base64url");
}

const signInThread = promisify(sign);

/** The same with RSA in a thread of Node's pool: it takes about a millisecond, for which everything else would wait. */
export async function makeSignatureInThread(algorithm: Algorithm, key: KeyObject, message: string): Promise<string> {
  const { scheme, kind } = ALGORITHMS[algorithm];
  if (kind === "hmac") return makeSignature(algorithm, key, message);
  return (await signInThread("sha256", rsaInput(scheme, message), key)).toString("base64url");
}

/**
 * Under scheme 1 `{"a":"1;b:2"}` and `{"a":"1","b":"2"}` normalise alike. A second reading needs a string that holds
 * `;`, a top-level member's name and `:`, which are the markers; this finds such strings by their paths, and they are
 * refused. Names that no body has need not be looked for: unknown members are refused anyway.
 */
export function ambiguousUnderScheme1(body: JsonValue, markers: readonly string[]): string[] {
  const found: string[] = [];
  findMarked(body, [], markers, found);
  return found;
}

function findMarked(value: JsonValue, path: readonly string[], markers: readonly string[], found: string[]): void {
  if (typeof value === "string") {
    if (value.includes(";") && markers.some((marker) => value.includes(marker))) found.push(path.join("."));
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) findMarked(member, [...path, name], markers, found);
  }
}
