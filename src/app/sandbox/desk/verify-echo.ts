import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { EchoCheck, EchoStep } from "../../../core/sandbox/echo-checks.ts";
import { type Algorithm, findSignedMessage, verifySignature } from "../../../platform/signing.ts";
import { isObject, type JsonValue, parseStrictJson } from "../../../platform/strict-json.ts";
import type { OpenCallbackKey } from "../../callbacks/callback-keys.ts";

/** Something that arrived at an echo endpoint. Nothing about it is believed yet. */
export type ArrivedCallback = {
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly rawBody: Buffer;
};

export type VerifyRules = {
  readonly projectId: string;
  /** Those that sign callbacks of the project now: the service's own, and the project's. */
  readonly keys: readonly OpenCallbackKey[];
  readonly nowMs: number;
  readonly windowS: number;
};

const REQUIRED = [
  ...["content-type", "x-access-timestamp", "x-access-merchant-id", "x-access-token", "x-access-merchant-algorithm"],
  ...["x-access-signature", "webhook-id", "webhook-timestamp", "webhook-signature"],
];

/** Every step that docs/callbacks.md asks a receiver to take, with what was found. */
export async function verifyEcho(arrived: ArrivedCallback, rules: VerifyRules): Promise<readonly EchoCheck[]> {
  const { headers, rawBody } = arrived;
  const parsed = parseStrictJson(rawBody);
  const body = parsed.ok ? parsed.value : undefined;
  const message = body === undefined ? undefined : messageOf(body, headers["x-access-timestamp"] ?? "", rawBody);
  const missing = REQUIRED.filter((name) => !headers[name]);
  return [
    check("headers", missing.length === 0, missing.length === 0 ? "all are there" : `missing: ${missing.join(", ")}`),
    checkTimestamp(headers, rules),
    check("body", parsed.ok, parsed.ok ? `${rawBody.length} bytes of JSON` : "it is not JSON that a callback can have"),
    checkProject(body, headers, rules),
    check("message", message !== undefined, message === undefined ? UNREADABLE : `SHA-256 ${sha256(message)}`),
    await checkSignature(headers, message, rules),
    checkStandardWebhook(arrived, rules),
  ];
}

const UNREADABLE = "the body cannot be normalised";

function check(step: EchoStep, ok: boolean, detail: string): EchoCheck {
  return { step, ok, detail };
}

function checkTimestamp(headers: ArrivedCallback["headers"], { nowMs, windowS }: VerifyRules): EchoCheck {
  const stamps = [headers["x-access-timestamp"], headers["webhook-timestamp"]];
  if (!stamps.every((stamp) => /^[0-9]{10}$/.test(stamp ?? "")))
    return check("timestamp", false, "a time stamp is missing, or is not Unix time in seconds");
  const agesS = stamps.map((stamp) => Math.round(nowMs / 1000 - Number(stamp)));
  const ageS = agesS.reduce((worst, each) => (Math.abs(each) > Math.abs(worst) ? each : worst));
  const told = ageS < 0 ? `${-ageS} s ahead of our clock` : `sent ${ageS} s ago`;
  return check("timestamp", Math.abs(ageS) <= windowS, `${told}; at most ${windowS} s are accepted`);
}

function checkProject(
  body: JsonValue | undefined,
  headers: ArrivedCallback["headers"],
  { projectId }: VerifyRules,
): EchoCheck {
  const named = isObject(body) ? body.project_id : undefined;
  if (named !== projectId) return check("project", false, "project_id in the body is not this project");
  const isHeaderRight = headers["x-access-merchant-id"] === projectId;
  return check(
    "project",
    isHeaderRight,
    isHeaderRight ? "it is this project" : "x-access-merchant-id is not this project",
  );
}

function messageOf(body: JsonValue, timestamp: string, rawBody: Buffer): string | undefined {
  return findSignedMessage(1, { method: "POST", path: "", timestamp, rawBody, body });
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const KEY_KINDS = { "RSA-SHA256": "rsa", "HMAC-SHA512": "hmac" } as const satisfies Partial<Record<Algorithm, string>>;

/** By scheme 1, with the service's own RSA key or the project's secret, whichever the header names. */
async function checkSignature(
  headers: ArrivedCallback["headers"],
  message: string | undefined,
  { keys }: VerifyRules,
): Promise<EchoCheck> {
  const name = headers["x-access-merchant-algorithm"] ?? "";
  if (name !== "RSA-SHA256" && name !== "HMAC-SHA512")
    return check("signature", false, "x-access-merchant-algorithm is neither RSA-SHA256 nor HMAC-SHA512");
  if (message === undefined) return check("signature", false, `not checked: ${UNREADABLE}`);
  const signature = Buffer.from(headers["x-access-signature"] ?? "", "base64url");
  for (const { key } of keys.filter(({ kind }) => kind === KEY_KINDS[name]))
    if (await verifySignature(name, key, message, signature)) return check("signature", true, `${name} fits our key`);
  return check("signature", false, `${name} was not made with our key over this body and time stamp`);
}

/** Over the raw bytes, by any of the signatures that the header lists. */
function checkStandardWebhook({ headers, rawBody }: ArrivedCallback, { keys }: VerifyRules): EchoCheck {
  const head = `${headers["webhook-id"] ?? ""}.${headers["webhook-timestamp"] ?? ""}.`;
  const given = (headers["webhook-signature"] ?? "").split(" ").map((signature) => Buffer.from(signature));
  const isMade = keys
    .filter(({ kind }) => kind === "webhook")
    .map(({ key }) => Buffer.from(`v1,${createHmac("sha256", key).update(head).update(rawBody).digest("base64")}`))
    .some((made) => given.some((each) => each.length === made.length && timingSafeEqual(each, made)));
  const detail = isMade
    ? "v1 fits the project's secret"
    : "no signature in webhook-signature was made with the project's secret over these bytes";
  return check("standard_webhooks", isMade, detail);
}
