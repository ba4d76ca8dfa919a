import { createPrivateKey, createSecretKey, type KeyObject } from "node:crypto";
import type { SandboxFile } from "../../app/sandbox/sandbox-credentials.ts";
import { ALGORITHMS, type Algorithm, makeSignature, normalise, signedMessage } from "../../platform/signing.ts";
import { isObject, type JsonObject, parseStrictJson } from "../../platform/strict-json.ts";
import { CliFault } from "../kit/command.ts";
import { quote, wrongUsage } from "../kit/option-values.ts";

/** A call as it goes out, and what was signed, for those who want to see it. */
export type CallRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly rawBody: string;
  readonly message: string;
  /** Scheme 1 signs this in base64url, which people cannot read. */
  readonly normalised: string | undefined;
  /** Then neither the body nor what scheme 1 signs is for a screen. */
  readonly holdsCardData: boolean;
};

export type CallCommand = {
  readonly credentials: SandboxFile;
  readonly baseUrl: string;
  readonly path: string;
  readonly body: CallBody;
  readonly algorithm: Algorithm;
  readonly nowMs: number;
};

export type CallBody = { readonly raw: string; readonly value: JsonObject };

/** `api/v1/bank/all` will do for `/api/v1/bank/all`. */
export function readPath(text: string): string {
  if (/^https?:/i.test(text)) {
    throw wrongUsage(
      "PATH is what follows the address, such as /api/v1/balance/info. The address goes into --base-url.",
    );
  }
  if (text === "" || /[\s#\\\p{Cc}]/u.test(text)) {
    throw wrongUsage(`PATH must be like /api/v1/balance/info. It is ${quote(text)}.`);
  }
  return text.startsWith("/") ? text : `/${text}`;
}

export function readBaseUrl(text: string, name: string): string {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw wrongUsage(`${name} must be like http://127.0.0.1:8080. It is ${quote(text)}.`);
  }
  return url.href.replace(/\/+$/, "");
}

const JSON_EXAMPLE = `'{"general":{"payment_id":"order-1"}}'`;

/** What goes into `general` where the JSON does not have it. */
export type GeneralDefaults = { readonly projectId: string; readonly paymentId: string | undefined };

/**
 * The body is sent as it was typed, except when general.project_id is missing and filled in, and general.payment_id was
 * given beside it. An id is never made up here: after silence a person repeats the command, and a second id would be a
 * second payment.
 */
export function buildBody(text: string | undefined, { projectId, paymentId }: GeneralDefaults): CallBody {
  const read = parseStrictJson(Buffer.from(text ?? "{}", "utf8"));
  if (!read.ok) {
    const reason =
      read.error.kind === "malformed"
        ? `${read.error.message}. Quote it like this: ${JSON_EXAMPLE}`
        : `${read.error.fields.map(({ field, message }) => `${field} ${message}`).join("; ")}.`;
    throw wrongUsage(`The JSON cannot be sent: ${reason}`);
  }
  if (!isObject(read.value)) throw wrongUsage(`The JSON must be an object, such as ${JSON_EXAMPLE}.`);
  const { general = {} } = read.value;
  if (paymentId !== undefined && (!isObject(general) || Object.hasOwn(general, "payment_id"))) {
    throw wrongUsage("--payment-id goes with JSON that has no general.payment_id.");
  }
  const complete = !isObject(general) || (Object.hasOwn(general, "project_id") && paymentId === undefined);
  if (text !== undefined && complete) return { raw: text, value: read.value };
  const ids = { project_id: projectId, ...(paymentId === undefined ? {} : { payment_id: paymentId }) };
  const value = { ...read.value, general: { ...ids, ...(isObject(general) ? general : {}) } };
  return { raw: JSON.stringify(value), value };
}

const MS_PER_S = 1000;

export function signCall(command: CallCommand): CallRequest {
  const { credentials, path, body, algorithm } = command;
  const { scheme, kind } = ALGORITHMS[algorithm];
  const timestamp = String(Math.floor(command.nowMs / MS_PER_S));
  const [signedPath = ""] = path.split("?");
  const rawBody = Buffer.from(body.raw, "utf8");
  const message = signedMessage(scheme, { method: "POST", path: signedPath, timestamp, rawBody, body: body.value });
  const key = kind === "rsa" ? privateKeyOf(credentials) : secretKeyOf(credentials);
  return {
    url: command.baseUrl + path,
    headers: {
      "content-type": "application/json",
      "x-access-timestamp": timestamp,
      "x-access-merchant-id": credentials.merchant_id,
      "x-access-token": kind === "rsa" ? credentials.rsa_access_token : credentials.hmac_key_id,
      "x-access-merchant-algorithm": algorithm,
      "x-access-signature": makeSignature(algorithm, key, message),
    },
    rawBody: body.raw,
    message,
    normalised: scheme === 1 ? normalise(body.value) : undefined,
    holdsCardData: CARD_DATA.test(normalise(body.value)),
  };
}

const CARD_DATA = /(?:^|;)(?:receiver:pan|card:[a-z_]+):/;

function secretKeyOf({ hmac_secret }: SandboxFile): KeyObject {
  if (hmac_secret === "") throw new CliFault("There is no hmac_secret in the credentials.");
  return createSecretKey(hmac_secret, "utf8");
}

function privateKeyOf(credentials: SandboxFile): KeyObject {
  try {
    return createPrivateKey(credentials.rsa_private_key_pem);
  } catch {
    throw new CliFault("rsa_private_key_pem in the credentials is not a private key in PEM.");
  }
}
