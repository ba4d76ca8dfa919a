import { createHash, createHmac, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";

/**
 * The signing rules once more, in the plainest words and without a line of the package, so that a fault of the package
 * cannot agree with itself.
 */
export const scheme1Lines = (value: unknown, path: string[] = []): string[] => {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([name, member]) => scheme1Lines(member, [...path, name]));
  }
  const text = value === null ? "None" : value === true ? "1" : value === false ? "0" : String(value);
  return [[...path, text].join(":")];
};

export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function messageFor(
  scheme: number,
  parts: { method: string; path: string; timestamp: string; rawBody: string },
) {
  const { method, path, timestamp, rawBody } = parts;
  if (scheme === 2) return [method, path, timestamp, createHash("sha256").update(rawBody).digest("hex")].join("\n");
  const normalised = scheme1Lines(JSON.parse(rawBody)).sort(byCodeUnit).join(";");
  return Buffer.from(normalised).toString("base64url") + timestamp;
}

const digest = (message: string) => createHash("sha256").update(message).digest();

export function rsaVerifies(scheme: number, publicKeyPem: string, message: string, signature: string): boolean {
  const signed = scheme === 1 ? digest(message) : Buffer.from(message);
  return verify("RSA-SHA256", signed, createPublicKey(publicKeyPem), Buffer.from(signature, "base64url"));
}

export function hmacOf(secret: string, message: string): string {
  return createHmac("sha512", secret).update(message).digest("base64url");
}

export function newRsaPair(): { privateKeyPem: string; publicKeyPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  return { privateKeyPem: privateKey, publicKeyPem: publicKey };
}

export type CallbackKey = { kind: "rsa"; privateKeyPem: string } | { kind: "hmac"; secret: string };

/** The headers that the service puts on a callback under scheme 1. */
export function callbackHeaders(rawBody: string, timestamp: number, key: CallbackKey): Record<string, string> {
  const message = messageFor(1, { method: "POST", path: "/", timestamp: String(timestamp), rawBody });
  const signature =
    key.kind === "rsa"
      ? sign("RSA-SHA256", digest(message), key.privateKeyPem).toString("base64url")
      : hmacOf(key.secret, message);
  return {
    "x-access-timestamp": String(timestamp),
    "x-access-merchant-id": "project-1",
    "x-access-token": "whatever-a-forger-likes",
    "x-access-merchant-algorithm": key.kind === "rsa" ? "RSA-SHA256" : "HMAC-SHA512",
    "x-access-signature": signature,
  };
}

/** The headers of the Standard Webhooks specification. */
export function webhookHeaders(
  rawBody: string,
  timestamp: number,
  secret: string,
  id = "evt-1",
): Record<string, string> {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${rawBody}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` };
}

export function callbackBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    project_id: "project-1",
    general: { request_id: "0190f3c2a7b47c1e8d5f6a7b8c9d0e1f", payment_id: "ord-771" },
    status: { status: "processing", sub_status: "awaiting_confirm", status_description: null, decline_code: null },
    payment_info: {
      type: "payin",
      method: "card-p2p",
      amount: 250000,
      requested_amount: 250000,
      currency: "RUB",
      fee: 6250,
      net: 243750,
    },
    requisites: {
      type: "card",
      pan: "2200123412343456",
      holder: "IVAN I.",
      bank: "sberbank",
      bank_name: "Sberbank",
      amount: 250000,
      currency: "RUB",
    },
    event: { id: "evt-1", sequence: 3, created_at: "2026-01-31T10:00:00.000Z" },
    ...changes,
  };
}
