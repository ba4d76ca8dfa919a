import { type JsonValue, normalise } from "../../../../sdk/src/normalise.ts";
import type { Scheme } from "./algorithms.ts";
import { base64urlOf, digest, hexOf, utf8 } from "./bytes.ts";

export type MessageParts = {
  readonly method: string;
  readonly path: string;
  readonly timestamp: string;
  readonly rawBody: string;
};

/** What is signed, with each value on the way to it, so that a person can compare it with their own. */
export type MadeMessage = {
  readonly message: string;
  /** Scheme 1 only. */
  readonly normalised?: string;
  /** Scheme 2 only: lower-case hex. */
  readonly bodyHash?: string;
  /** Scheme 1 only, in hex: what RSA signs. */
  readonly messageHash?: string;
};

/** Scheme 1 throws for a body that is not JSON, or that cannot be normalised: ask `bodyFault` first. */
export async function makeMessage(scheme: Scheme, parts: MessageParts): Promise<MadeMessage> {
  const { method, path, timestamp, rawBody } = parts;
  if (scheme === 2) {
    const bodyHash = hexOf(await digest(utf8(rawBody)));
    return { bodyHash, message: `${method}\n${path}\n${timestamp}\n${bodyHash}` };
  }
  const normalised = normalise(JSON.parse(rawBody) as JsonValue);
  const message = base64urlOf(utf8(normalised)) + timestamp;
  return { normalised, message, messageHash: hexOf(await digest(utf8(message))) };
}

/** Why a body cannot be signed or would be refused before its signature is looked at. */
export function bodyFault(rawBody: string): string | undefined {
  if (rawBody.trim() === "") return "The body is empty. Every call has a JSON object as its body.";
  let body: unknown;
  try {
    body = JSON.parse(rawBody);
  } catch (error) {
    return `The body is not JSON: ${error instanceof Error ? error.message : "it cannot be parsed"}.`;
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) return "The body is not a JSON object.";
  try {
    normalise(body as JsonValue);
  } catch (error) {
    return `The body is refused: ${error instanceof Error ? error.message : "it cannot be normalised"}.`;
  }
  return undefined;
}
