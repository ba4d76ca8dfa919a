import { createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto";
import { requireOneReading, requireRealNulls } from "./ambiguity.ts";
import { decodeBase64url } from "./base64.ts";
import { asCallback, type TillgateCallback } from "./callback.ts";
import { TillgateError, TillgateSignatureError } from "./errors.ts";
import { type Freshness, requireFresh } from "./freshness.ts";
import { findHeader, getHeader, type IncomingHeaders } from "./header.ts";
import { rsaInput, scheme1Message } from "./message.ts";
import type { JsonValue } from "./normalise.ts";
import { parseCallbackBody, type RawBody } from "./raw-body.ts";
import { readRsaKey } from "./rsa-key.ts";

type OneOrMore = string | readonly string[];

export type VerifyCallback = Freshness & {
  readonly headers: IncomingHeaders;
  /** The body as it was received, before any JSON parser. */
  readonly rawBody: RawBody;
} & (ByServiceKey | ByProjectSecret);

type ByServiceKey = {
  /** The service's own key; several while it changes. */
  readonly publicKeyPem: OneOrMore;
  /**
   * Your project, or projects. The service signs for all its merchants with this key, so without your own id a genuine
   * callback of another merchant, who gave your URL as theirs, would pass for yours.
   */
  readonly projectId: OneOrMore;
  readonly secret?: undefined;
};

type ByProjectSecret = {
  /** The project's callback secret; several while it changes. */
  readonly secret: OneOrMore;
  readonly projectId?: OneOrMore | undefined;
  readonly publicKeyPem?: undefined;
};

/**
 * Verifies the `x-access-…` headers of a callback and returns it, or throws a TillgateSignatureError. The key is the one
 * given here: `x-access-token` is not looked at, and the algorithm's header must agree with the key, not choose it.
 */
export function verifyCallback(options: VerifyCallback): TillgateCallback {
  const { headers, rawBody } = options;
  const keys = readKeys(options);
  const timestamp = getHeader(headers, "x-access-timestamp");
  requireFresh(timestamp, options);
  const algorithm = findHeader(headers, "x-access-merchant-algorithm") ?? "RSA-SHA256";
  if (algorithm !== keys.algorithm) {
    throw new TillgateSignatureError("algorithm_unexpected", `the callback is not signed with ${keys.algorithm}`);
  }
  const signature = decodeBase64url(getHeader(headers, "x-access-signature"));
  if (signature === undefined) {
    throw new TillgateSignatureError("signature_malformed", "the signature is not base64url without padding");
  }
  const body = parseCallbackBody(rawBody);
  const message = messageOf(body, timestamp);
  // Every key is tried, so that the time taken does not tell which one fitted.
  if (keys.fits.filter((fits) => fits(message, signature)).length === 0) {
    throw new TillgateSignatureError("signature_mismatch", "the signature does not fit");
  }
  requireOneReading(body);
  const callback = asCallback(body);
  requireRealNulls(callback);
  requireOwn(callback, options.projectId);
  return callback;
}

function requireOwn({ project_id }: TillgateCallback, projectId: OneOrMore | undefined): void {
  if (projectId === undefined || [projectId].flat().includes(project_id)) return;
  throw new TillgateSignatureError("project_foreign", "the callback is of another project");
}

type Fits = (message: string, signature: Buffer) => boolean;

function readKeys({ publicKeyPem, secret, projectId }: VerifyCallback): { algorithm: string; fits: Fits[] } {
  if ((publicKeyPem === undefined) === (secret === undefined)) {
    throw new TillgateError("give either publicKeyPem or secret");
  }
  if (secret === undefined && projectId === undefined) throw new TillgateError("publicKeyPem needs projectId too");
  const given = [publicKeyPem ?? secret ?? []].flat();
  // An empty secret would be everybody's.
  if (given.length === 0 || !given.every((key) => typeof key === "string" && key !== "")) {
    throw new TillgateError("the key to verify callbacks with is empty");
  }
  return secret === undefined
    ? { algorithm: "RSA-SHA256", fits: given.map(rsaFits) }
    : { algorithm: "HMAC-SHA512", fits: given.map(hmacFits) };
}

function rsaFits(pem: string): Fits {
  const key = readRsaKey(() => createPublicKey(pem), "publicKeyPem");
  return (message, signature) => verify("sha256", rsaInput(1, message), key, signature);
}

function hmacFits(secret: string): Fits {
  return (message, signature) => {
    const expected = createHmac("sha512", secret).update(message).digest();
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  };
}

function messageOf(body: JsonValue, timestamp: string): string {
  try {
    return scheme1Message(body, Number(timestamp));
  } catch (cause) {
    throw new TillgateSignatureError("body_malformed", "the body cannot be normalised", { cause });
  }
}
