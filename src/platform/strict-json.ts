import { isUtf8 } from "node:buffer";
import { maskPansIn } from "../core/cards/luhn.ts";
import type { FieldFault } from "../core/errors.ts";
import { fail, ok, type Result } from "../core/result.ts";

/**
 * Reads the JSON that a request may carry, and refuses what two readers could understand differently: duplicate keys,
 * `__proto__`, lone surrogates, numbers that are not plain safe integers, deep nesting, text that is not UTF-8. The
 * recursion stops at NESTING_MAX, so no body can exhaust the stack.
 */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [member: string]: JsonValue };

/** Whether it has members: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export type JsonFault =
  | { readonly kind: "malformed"; readonly message: string }
  /** Well-formed JSON with values that no request may hold: the members are named, since the caller must correct them. */
  | { readonly kind: "values"; readonly fields: readonly FieldFault[] };

export const NESTING_MAX = 8;

/** What a reader takes beyond the rules above, which hold for every reader. */
export type JsonShape = { readonly nameCharactersMax: number; readonly arrays: "read" | "refused" };

const ANY_SHAPE: JsonShape = { nameCharactersMax: Number.POSITIVE_INFINITY, arrays: "read" };
/** The bodies of merchants' calls have short names and no arrays; this keeps the work before the signature small. */
export const REQUEST_SHAPE: JsonShape = { nameCharactersMax: 64, arrays: "refused" };

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const WHITESPACE = /[ \t\n\r]*/y;
/** Everything up to the next quote, escape or control character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON forbids inside a string
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LONE_SURROGATE = /\p{Surrogate}/u;

class Malformed extends Error {}

type Reader = {
  readonly text: string;
  readonly shape: JsonShape;
  at: number;
  readonly path: string[];
  readonly valueFaults: FieldFault[];
};

export function parseStrictJson(bytes: Buffer, shape: JsonShape = ANY_SHAPE): Result<JsonValue, JsonFault> {
  if (!isUtf8(bytes)) return fail({ kind: "malformed", message: "the body is not UTF-8" });
  const reader: Reader = { text: bytes.toString("utf8"), shape, at: 0, path: [], valueFaults: [] };
  try {
    skipWhitespace(reader);
    const value = readValue(reader);
    skipWhitespace(reader);
    if (reader.at !== reader.text.length) throw unexpected(reader);
    if (reader.valueFaults.length > 0) return fail({ kind: "values", fields: reader.valueFaults });
    return ok(value);
  } catch (error) {
    if (error instanceof Malformed) return fail({ kind: "malformed", message: error.message });
    throw error;
  }
}

function readValue(reader: Reader): JsonValue {
  switch (reader.text[reader.at]) {
    case "{":
      return readObject(reader);
    case "[":
      return readArray(reader);
    case '"':
      return readString(reader);
    case "t":
      return readWord(reader, "true", true);
    case "f":
      return readWord(reader, "false", false);
    case "n":
      return readWord(reader, "null", null);
    default:
      return readNumber(reader);
  }
}

function readObject(reader: Reader): JsonObject {
  const members: Record<string, JsonValue> = {};
  enter(reader);
  if (takeIf(reader, "}")) return members;
  do {
    skipWhitespace(reader);
    const name = readString(reader);
    if (name.length > reader.shape.nameCharactersMax)
      throw new Malformed(`a member's name has more than ${reader.shape.nameCharactersMax} characters`);
    if (name === "__proto__") throw new Malformed("the member name __proto__ is refused");
    if (Object.hasOwn(members, name))
      throw new Malformed(`the member ${shownPath([...reader.path, name])} is there twice`);
    skipWhitespace(reader);
    take(reader, ":");
    skipWhitespace(reader);
    reader.path.push(name);
    members[name] = readValue(reader);
    reader.path.pop();
    skipWhitespace(reader);
  } while (takeIf(reader, ","));
  take(reader, "}");
  return members;
}

function readArray(reader: Reader): JsonValue[] {
  const items: JsonValue[] = [];
  if (reader.shape.arrays === "refused") recordValueFault(reader, "wrong_type", "must not be an array");
  enter(reader);
  if (takeIf(reader, "]")) return items;
  do {
    skipWhitespace(reader);
    reader.path.push(String(items.length));
    items.push(readValue(reader));
    reader.path.pop();
    skipWhitespace(reader);
  } while (takeIf(reader, ","));
  take(reader, "]");
  return items;
}

/** Steps over an opening bracket; `path` has one segment for each bracket already open. */
function enter(reader: Reader): void {
  if (reader.path.length >= NESTING_MAX) throw new Malformed(`nested deeper than ${NESTING_MAX} levels`);
  reader.at += 1;
  skipWhitespace(reader);
}

function readString(reader: Reader): string {
  const start = reader.at;
  take(reader, '"');
  let escaped = false;
  skip(reader, PLAIN_CHARACTERS);
  while (reader.text[reader.at] === "\\") {
    escaped = true;
    if (!skip(reader, ESCAPE)) throw unexpected(reader);
    skip(reader, PLAIN_CHARACTERS);
  }
  take(reader, '"');
  if (!escaped) return reader.text.slice(start + 1, reader.at - 1);
  const value: string = JSON.parse(reader.text.slice(start, reader.at));
  if (LONE_SURROGATE.test(value)) throw new Malformed("a string holds half of a surrogate pair");
  return value;
}

function readNumber(reader: Reader): number {
  const found = match(reader, NUMBER);
  if (found === null) throw unexpected(reader);
  const value = Number(found[0]);
  if (found[1] !== undefined || found[2] !== undefined || Object.is(value, -0)) {
    recordValueFault(reader, "not_integer", "must be a plain integer, without a point or an exponent");
  } else if (!Number.isSafeInteger(value)) {
    recordValueFault(reader, value < 0 ? "too_small" : "too_big", "must be between -(2^53-1) and 2^53-1");
  }
  return value;
}

const VALUE_FAULTS_MAX = 32;

/** Bounded in number and in length: this is told to strangers, and a body must not make the answer large. */
function recordValueFault(reader: Reader, code: FieldFault["code"], message: string): void {
  if (reader.valueFaults.length >= VALUE_FAULTS_MAX) return;
  reader.valueFaults.push({ field: shownPath(reader.path), code, message });
}

function readWord<T>(reader: Reader, word: string, value: T): T {
  if (!reader.text.startsWith(word, reader.at)) throw unexpected(reader);
  reader.at += word.length;
  return value;
}

function match(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (found !== null) reader.at += found[0].length;
  return found;
}

/** Whether the pattern is here. Unlike `match` it makes no list of what was found, which every string would pay for. */
function skip(reader: Reader, pattern: RegExp): boolean {
  pattern.lastIndex = reader.at;
  if (!pattern.test(reader.text)) return false;
  reader.at = pattern.lastIndex;
  return true;
}

function skipWhitespace(reader: Reader): void {
  // Most bodies have no whitespace, so this check saves the pattern.
  const code = reader.text.charCodeAt(reader.at);
  if (code <= 0x20) skip(reader, WHITESPACE);
}

function take(reader: Reader, character: string): void {
  if (!takeIf(reader, character)) throw unexpected(reader);
}

function takeIf(reader: Reader, character: string): boolean {
  if (reader.text[reader.at] !== character) return false;
  reader.at += 1;
  return true;
}

function unexpected(reader: Reader): Malformed {
  const end = reader.at >= reader.text.length;
  return new Malformed(end ? "the body ends too early" : `not JSON at character ${reader.at + 1}`);
}

const SHOWN_NAME_MAX = 64;

function shownPath(path: readonly string[]): string {
  return maskPansIn(path.map((name) => name.slice(0, SHOWN_NAME_MAX)).join("."));
}
