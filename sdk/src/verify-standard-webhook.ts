import { createHmac, timingSafeEqual } from "node:crypto";
import { decodeBase64 } from "./base64.ts";
import { asCallback } from "./callback.ts";
import type { TillgateCallback } from "./contract-answers.ts";
import { TillgateError, TillgateSignatureError } from "./errors.ts";
import { type Freshness, requireFresh } from "./freshness.ts";
import { getHeader, type IncomingHeaders } from "./header.ts";
import { parseCallbackBody, type RawBody } from "./raw-body.ts";

export type VerifyStandardWebhook = Freshness & {
  readonly headers: IncomingHeaders;
  /** The body as it was received, before any JSON parser. */
  readonly rawBody: RawBody;
  /** `whsec_` and base64; several while the secret changes. */
  readonly secret: string | readonly string[];
};

const SECRET_PREFIX = "whsec_";
const SECRET_BYTES_MIN = 24;
const SIGNATURE_PREFIX = "v1,";
const SIGNATURE_BYTES = 32;

/**
 * Verifies the `webhook-…` headers of a callback, as the Standard Webhooks specification has it, and returns the
 * callback, or throws a TillgateSignatureError. This signature covers the very bytes of the body: prefer it.
 */
export function verifyStandardWebhook(options: VerifyStandardWebhook): TillgateCallback {
  const { headers, rawBody } = options;
  const keys = readWebhookSecrets(options.secret);
  const id = getHeader(headers, "webhook-id");
  const timestamp = getHeader(headers, "webhook-timestamp");
  requireFresh(timestamp, options);
  const signatures = readSignatures(getHeader(headers, "webhook-signature"));
  const body = parseCallbackBody(rawBody);
  const expected = keys.map((key) => createHmac("sha256", key).update(`${id}.${timestamp}.`).update(rawBody).digest());
  // Every pair is compared, so that the time taken does not tell which one fitted.
  const fitting = expected.flatMap((mac) => signatures.filter((signature) => timingSafeEqual(mac, signature)));
  if (fitting.length === 0) throw new TillgateSignatureError("signature_mismatch", "no signature fits");
  return asCallback(body);
}

/** Signatures of other versions are skipped, as the specification asks; of version 1 there must be one at least. */
function readSignatures(header: string): Buffer[] {
  const signatures = header
    .split(" ")
    .filter((entry) => entry.startsWith(SIGNATURE_PREFIX))
    .map((entry) => decodeBase64(entry.slice(SIGNATURE_PREFIX.length)))
    .filter((bytes): bytes is Buffer => bytes?.length === SIGNATURE_BYTES);
  if (signatures.length > 0) return signatures;
  throw new TillgateSignatureError("signature_malformed", "the header holds no signature of the form v1,base64");
}

export function readWebhookSecrets(secret: string | readonly string[]): Buffer[] {
  const keys = [secret].flat().map(readSecret);
  if (keys.length === 0) throw new TillgateError("the secret to verify callbacks with is missing");
  return keys;
}

function readSecret(secret: string): Buffer {
  // Settings are easily missing, whatever their type says.
  const text = typeof secret === "string" ? secret : "";
  const key = text.startsWith(SECRET_PREFIX) ? decodeBase64(text.slice(SECRET_PREFIX.length)) : undefined;
  if (key !== undefined && key.length >= SECRET_BYTES_MIN) return key;
  throw new TillgateError(`a webhook secret is whsec_ and the base64 of at least ${SECRET_BYTES_MIN} bytes`);
}
