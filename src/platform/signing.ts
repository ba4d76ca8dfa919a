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
  return normaliseWithin(body, Number.POSITIVE_INFINITY) ?? "";
}

/** Every line repeats the whole path to its value, so the text can be far longer than the body: undefined if it is. */
function normaliseWithin(body: JsonValue, charactersMax: number): string | undefined {
  const lines: Lines = { texts: [], room: charactersMax, areSorted: true };
  collectLines(body, "", lines);
  if (lines.room < 0) return undefined;
  return (lines.areSorted ? lines.texts : lines.texts.sort()).join(";");
}

/** `areSorted`: they were collected in their order. */
type Lines = { readonly texts: string[]; room: number; areSorted: boolean };

function collectLines(value: JsonValue | undefined, prefix: string, lines: Lines): void {
  if (value === undefined) return;
  if (value === null) addLine(lines, `${prefix}None`);
  else if (value === true) addLine(lines, `${prefix}1`);
  else if (value === false) addLine(lines, `${prefix}0`);
  else if (typeof value !== "object") addLine(lines, `${prefix}${value}`);
  else {
    const names = Object.keys(value);
    if (!sortNames(names)) lines.areSorted = false;
    // The reader of strict-json has bounded the depth already.
    for (const name of names) {
      if (lines.room < 0) return;
      collectLines((value as Readonly<Record<string, JsonValue>>)[name], `${prefix}${name}:`, lines);
    }
  }
}

/** More would take longer here than all lines at the end. */
const NAMES_SORTED_MAX = 16;

/**
 * Puts the names of an object in the order of their lines; false: the lines must be sorted instead. It takes half as long as to
 * sort the lines, which are long and begin alike. A name with a `:` in it could begin like the lines of another.
 */
function sortNames(names: string[]): boolean {
  if (names.length > NAMES_SORTED_MAX) return false;
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] as string;
    if (name.includes(":")) return false;
    let at = index;
    for (; at > 0 && isBefore(name, names[at - 1] as string); at -= 1) names[at] = names[at - 1] as string;
    names[at] = name;
  }
  return true;
}

const COLON = 0x3a;

/** As the lines are: with a `:` behind each name. */
function isBefore(name: string, other: string): boolean {
  if (other.startsWith(name)) return COLON < other.charCodeAt(name.length);
  if (name.startsWith(other)) return name.charCodeAt(other.length) < COLON;
  return name < other;
}

function addLine(lines: Lines, text: string): void {
  lines.room -= text.length + 1;
  if (lines.room >= 0) lines.texts.push(text);
}

/** A real request stays far below it; without it a body of 64 kB made 531 million characters. */
const NORMALISED_CHARACTERS_MAX = 256 * 1024;

/** The message that a stranger claims to have signed; undefined where scheme 1 would make it too long to look at. */
export function findSignedMessage(scheme: Scheme, parts: SignedParts): string | undefined {
  if (scheme === 2) return signedMessage(scheme, parts);
  const normalised = normaliseWithin(parts.body, NORMALISED_CHARACTERS_MAX);
  return normalised === undefined ? undefined : scheme1Message(normalised, parts.timestamp);
}

function scheme1Message(normalised: string, timestamp: string): string {
  return Buffer.from(normalised, "utf8").toString("base64url") + timestamp;
}

/** Scheme 1, for a body of our own. Members that are undefined are not in its JSON, and so not signed. */
export function signedBody(body: JsonValue, timestamp: string): string {
  return scheme1Message(normalise(body), timestamp);
}

/** The message to sign, for bodies of our own. */
export function signedMessage(scheme: Scheme, parts: SignedParts): string {
  if (scheme === 1) return scheme1Message(normalise(parts.body), parts.timestamp);
  const bodyHash = hash("sha256", parts.rawBody, "hex");
  return `${parts.method}\n${parts.path}\n${parts.timestamp}\n${bodyHash}`;
}

/** Scheme 1 signs the digest of the message, and the algorithm hashes that again; existing clients do so. */
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
  return verifySignatureNow(algorithm, key, message, signature);
}

/** The same without a thread, for callers that are few. */
export function verifySignatureNow(algorithm: Algorithm, key: KeyObject, message: string, signature: Buffer): boolean {
  const { scheme, kind } = ALGORITHMS[algorithm];
  if (kind === "rsa") return verify("sha256", rsaInput(scheme, message), key, signature);
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
 * refused. Names that no body has need not be looked for: unknown members are refused anyway. At most `foundMax` paths
 * are told; the names in them are as short as the reader of requests demands.
 */
export function ambiguousUnderScheme1(body: JsonValue, markers: readonly string[], foundMax: number): string[] {
  const found: string[] = [];
  findMarked(body, "", { markers, found, foundMax });
  return found;
}

type MarkedSearch = { readonly markers: readonly string[]; readonly found: string[]; readonly foundMax: number };

function findMarked(value: JsonValue, path: string, search: MarkedSearch): void {
  if (search.found.length >= search.foundMax) return;
  if (typeof value === "string") {
    if (value.includes(";") && search.markers.some((marker) => value.includes(marker))) search.found.push(path);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      findMarked(member, path === "" ? name : `${path}.${name}`, search);
    }
  }
}
