import { createHash } from "node:crypto";
import { type JsonValue, normalise } from "./normalise.ts";

/** Scheme 1 is what existing clients speak; scheme 2 also covers the method, the path and the body byte for byte. */
export type Scheme = 1 | 2;

export type Scheme2Parts = {
  readonly method: string;
  readonly path: string;
  readonly timestamp: number;
  readonly rawBody: string | Uint8Array;
};

export function scheme1Message(body: JsonValue, timestamp: number): string {
  return Buffer.from(normalise(body), "utf8").toString("base64url") + String(timestamp);
}

export function scheme2Message({ method, path, timestamp, rawBody }: Scheme2Parts): string {
  const bodyHash = createHash("sha256").update(rawBody).digest("hex");
  return `${method}\n${path}\n${timestamp}\n${bodyHash}`;
}

/** What RSA signs: under scheme 1 the message's digest, which RSA-SHA256 then hashes again; existing clients do so. */
export function rsaInput(scheme: Scheme, message: string): Buffer {
  return scheme === 1 ? createHash("sha256").update(message).digest() : Buffer.from(message, "utf8");
}
