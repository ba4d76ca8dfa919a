import { createHmac, createPublicKey, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import {
  ALGORITHM_WHEN_ABSENT,
  ALGORITHMS,
  findAlgorithm,
  findSignedMessage,
  verifySignature,
} from "../../platform/signing.ts";
import { type JsonValue, parseStrictJson } from "../../platform/strict-json.ts";
import { webhookKeyOf } from "./callback-keys.ts";

/** A callback as it came over the wire. */
type ReceivedCallback = {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly rawBody: Buffer;
};

/** What a receiver verifies callbacks with. A key that the callback brings along is never one of them. */
export type CallbackVerifierKeys = {
  /** Whose callbacks are expected: the service signs for all projects with one key. */
  readonly projectId: string;
  readonly publicKeyPem: string;
  /** For a project that chose HMAC. */
  readonly hmacSecret: string | undefined;
  readonly webhookSecret: string;
};

export type CallbackVerdict = {
  /** What is wrong with each of the two signatures; undefined when it fits. */
  readonly accessFault: string | undefined;
  readonly webhookFault: string | undefined;
  /** Undefined when it cannot be read. */
  readonly body: JsonValue | undefined;
};

export type VerifyCallback = (callback: ReceivedCallback, nowMs: number) => Promise<CallbackVerdict>;

const TOLERANCE_S = 300;
const UNIX_SECONDS = /^[0-9]{10}$/;
const WEBHOOK_VERSION = "v1,";

/** Verifies callbacks the way a merchant should, both signatures of each. */
export function openCallbackVerifier(keys: CallbackVerifierKeys): VerifyCallback {
  const accessKeys: Readonly<Record<"rsa" | "hmac", KeyObject | undefined>> = {
    rsa: createPublicKey(keys.publicKeyPem),
    hmac: keys.hmacSecret === undefined ? undefined : createSecretKey(keys.hmacSecret, "utf8"),
  };
  const webhookKey = webhookKeyOf(keys.webhookSecret);
  return async (callback, nowMs) => {
    const read = parseStrictJson(callback.rawBody);
    if (!read.ok) {
      const fault = "the body is not the JSON of a callback";
      return { accessFault: fault, webhookFault: fault, body: undefined };
    }
    const body = read.value;
    const own = memberOf(body, "project_id") === keys.projectId;
    const accessFault = await findAccessFault(accessKeys, callback, body, nowMs);
    return {
      accessFault: accessFault ?? (own ? undefined : "it is a callback of another project"),
      webhookFault: findWebhookFault(webhookKey, callback, body, nowMs),
      body,
    };
  };
}

async function findAccessFault(
  keys: Readonly<Record<"rsa" | "hmac", KeyObject | undefined>>,
  { headers, rawBody }: ReceivedCallback,
  body: JsonValue,
  nowMs: number,
): Promise<string | undefined> {
  const timestamp = headerOf(headers, "x-access-timestamp");
  const late = findTimeFault("x-access-timestamp", timestamp, nowMs);
  if (late !== undefined) return late;
  const algorithm = findAlgorithm(headerOf(headers, "x-access-merchant-algorithm") ?? ALGORITHM_WHEN_ABSENT);
  if (algorithm === undefined || ALGORITHMS[algorithm].scheme !== 1) return "x-access-merchant-algorithm is unknown";
  const key = keys[ALGORITHMS[algorithm].kind];
  if (key === undefined) return `there is no key here to verify ${algorithm} with`;
  const message = findSignedMessage(1, { method: "POST", path: "", timestamp: timestamp ?? "", rawBody, body });
  if (message === undefined) return "the body is larger than a callback's";
  // While a key is replaced, both sign, and the operator says which under the second name: it may be the one that we have.
  for (const name of ["x-access-signature", "x-access-signature-next"]) {
    const signature = Buffer.from(headerOf(headers, name) ?? "", "base64url");
    if (signature.length > 0 && (await verifySignature(algorithm, key, message, signature))) return undefined;
  }
  return "x-access-signature does not fit";
}

function findWebhookFault(
  key: KeyObject,
  { headers, rawBody }: ReceivedCallback,
  body: JsonValue,
  nowMs: number,
): string | undefined {
  const timestamp = headerOf(headers, "webhook-timestamp");
  const late = findTimeFault("webhook-timestamp", timestamp, nowMs);
  if (late !== undefined) return late;
  const id = headerOf(headers, "webhook-id") ?? "";
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(rawBody).digest();
  const signatures = (headerOf(headers, "webhook-signature") ?? "")
    .split(" ")
    .filter((entry) => entry.startsWith(WEBHOOK_VERSION))
    .map((entry) => Buffer.from(entry.slice(WEBHOOK_VERSION.length), "base64"));
  if (!signatures.some((each) => each.length === expected.length && timingSafeEqual(each, expected))) {
    return "webhook-signature does not fit";
  }
  return memberOf(memberOf(body, "event"), "id") === id ? undefined : "webhook-id is not the event's id";
}

function findTimeFault(name: string, timestamp: string | undefined, nowMs: number): string | undefined {
  if (timestamp === undefined || !UNIX_SECONDS.test(timestamp)) return `${name} is missing or no Unix time`;
  const apartS = Math.round(Math.abs(nowMs / 1000 - Number(timestamp)));
  return apartS > TOLERANCE_S ? `${name} is ${apartS} s away from now` : undefined;
}

/** One that is there twice is as good as missing: two readers may pick differently. */
function headerOf(headers: ReceivedCallback["headers"], name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as { readonly [member: string]: JsonValue })[name] : undefined;
}
