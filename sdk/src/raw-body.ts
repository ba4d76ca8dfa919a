import { TillgateError, TillgateSignatureError } from "./errors.ts";
import type { JsonValue } from "./normalise.ts";

export type RawBody = string | Uint8Array;

// `ignoreBOM` keeps a byte order mark in the text, where it is not JSON; without it two byte strings would read alike.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function parseRawBody(rawBody: RawBody): JsonValue {
  requireRaw(rawBody);
  try {
    return JSON.parse(typeof rawBody === "string" ? rawBody : utf8.decode(rawBody)) as JsonValue;
  } catch {
    // The parser's own message is dropped, because it quotes the text, and that may hold a card number.
    throw new TillgateError("rawBody is not JSON in UTF-8");
  }
}

/** The same for a callback, where a body that is not JSON is the sender's fault and not the caller's. */
export function parseCallbackBody(rawBody: RawBody): JsonValue {
  requireRaw(rawBody);
  try {
    return parseRawBody(rawBody);
  } catch (cause) {
    throw new TillgateSignatureError("body_malformed", "the body is not JSON in UTF-8", { cause });
  }
}

function requireRaw(rawBody: RawBody): void {
  if (typeof rawBody === "string" || rawBody instanceof Uint8Array) return;
  throw new TillgateError("rawBody must be the body as it was received, a string or bytes, before any JSON parser");
}
