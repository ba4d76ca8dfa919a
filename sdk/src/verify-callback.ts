import { createHmac, timingSafeEqual, verify } from "node:crypto";
import { requireOneReading, requireRealNulls } from "./ambiguity.ts";
import { decodeBase64url } from "./base64.ts";
import { asCallback } from "./callback.ts";
import type { TillgateCallback } from "./contract-answers.ts";
import { TillgateError, TillgateSignatureError } from "./errors.ts";
import { type Freshness, requireFresh } from "./freshness.ts";
import { findHeader, getHeader, type IncomingHeaders } from "./header.ts";
import { rsaInput, scheme1Message } from "./message.ts";
import type { JsonValue } from "./normalise.ts";
import { parseCallbackBody, type RawBody } from "./raw-body.ts";
import { readPublicKey } from "./rsa-key.ts";

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
 * given here: `x-access-token` is not looked at, and the algorithm's header must agree with the key, not choose it. While
 * the service changes its key it signs with both, so that the old one and the new one are each enough.
 */
export function verifyCallback(options: VerifyCallback): TillgateCallback {
  const { headers, rawBody } = options;
  const keys = readCallbackKeys(options);
  const timestamp = getHeader(headers, "x-access-timestamp");
  requireFresh(timestamp, options);
  const algorithm = findHeader(headers, "x-access-merchant-algorithm") ?? "RSA-SHA256";
  if (algorithm !== keys.algorithm) {
    throw new TillgateSignatureError("algorithm_unexpected", `the callback is not signed with ${keys.algorithm}`);
  }
  const signatures = readSignatures(headers);
  const body = parseCallbackBody(rawBody);
  const message = messageOf(body, timestamp);
  // Every pair is tried, so that the time taken does not tell which one fitted.
  const fitting = keys.fits.flatMap((fits) => signatures.filter((signature) => fits(message, signature)));
  if (fitting.length === 0) throw new TillgateSignatureError("signature_mismatch", "the signature does not fit");
  requireOneReading(body);
  const callback = asCallback(body);
  requireRealNulls(callback);
  requireOwn(callback, options.projectId);
  return callback;
}

/** The signature, and beside it that of the other key while the key is being changed. */
function readSignatures(headers: IncomingHeaders): Buffer[] {
  const next = findHeader(headers, "x-access-signature-next");
  const given = [getHeader(headers, "x-access-signature"), ...(next === undefined ? [] : [next])];
  return given.map((text) => {
    const signature = decodeBase64url(text);
    if (signature !== undefined) return signature;
    throw new TillgateSignatureError("signature_malformed", "a signature is not base64url without padding");
  });
}

function requireOwn({ project_id }: TillgateCallback, projectId: OneOrMore | undefined): void {
  if (projectId === undefined || [projectId].flat().includes(project_id)) return;
  throw new TillgateSignatureError("project_foreign", "the callback is of another project");
}

type Fits = (message: string, signature: Buffer) => boolean;

type GivenKeys = {
  readonly publicKeyPem?: OneOrMore | undefined;
  readonly secret?: OneOrMore | undefined;
  readonly projectId?: OneOrMore | undefined;
};

export function readCallbackKeys({ publicKeyPem, secret, projectId }: GivenKeys): { algorithm: string; fits: Fits[] } {
  if ((publicKeyPem === undefined) === (secret === undefined)) {
    throw new TillgateError("give either publicKeyPem or secret");
  }
  if (secret === undefined && projectId === undefined) throw new TillgateError("publicKeyPem needs projectId too");
  const given = [publicKeyPem ?? secret ?? []].flat();
  // An empty secret is known to every caller.
  if (given.length === 0 || !given.every((key) => typeof key === "string" && key !== "")) {
    throw new TillgateError("the key to verify callbacks with is empty");
  }
  return secret === undefined
    ? { algorithm: "RSA-SHA256", fits: given.map(rsaFits) }
    : { algorithm: "HMAC-SHA512", fits: given.map(hmacFits) };
}

function rsaFits(pem: string): Fits {
  const key = readPublicKey(pem, "publicKeyPem");
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
