import type { Connector, NotificationSubject } from "../../core/connector.ts";
import { findMethod, METHODS } from "../../core/merchants/methods.ts";
import { fail, ok } from "../../core/result.ts";
import { decodeBase64url } from "../../platform/base64url.ts";
import type { Clock } from "../../platform/clock.ts";
import {
  ALGORITHM_WHEN_ABSENT,
  ALGORITHMS,
  ambiguousUnderScheme1,
  findAlgorithm,
  findSignedMessage,
  verifySignatureNow,
} from "../../platform/signing.ts";
import { parseStrictJson } from "../../platform/strict-json.ts";
import { openVerifyingKeys, type VerifyingKey } from "./keys.ts";
import { type Memory, openMemory } from "./memory.ts";
import type { VerifyKey } from "./options.ts";
import { readCallback, type WireCallback } from "./wire.ts";

type ReadNotification = Connector["readNotification"];
type Received = Parameters<ReadNotification>[0];

type CallbackOptions = {
  readonly projectId: string;
  readonly keys: readonly VerifyKey[];
  readonly clock: Clock;
  /** The signatures that were taken before. */
  readonly seen?: Memory | undefined;
};

const WINDOW_S = 300;
const SEEN_MAX = 50_000;
/** A callback is fresh from one window before its time to one window after it. */
const SEEN_KEPT_MS = 2 * WINDOW_S * 1000;

/**
 * Reads the gateway's callbacks, which are signed by scheme 1 with its own key. The keys are ours to know: the one that a callback
 * brings along is never looked at. One that was taken before, with the same signature, so the same time, is acknowledged and
 * tells nothing; a callback that is delivered again is signed again.
 */
export function openCallbackReader({ projectId, keys, clock, ...options }: CallbackOptions): ReadNotification {
  const verifying = openVerifyingKeys(keys);
  const seen = options.seen ?? openCallbackMemory(clock);
  return (received) => {
    const signature = findSignature(verifying, received, clock.nowMs());
    if (signature === undefined) return fail("not_authentic");
    const callback = readCallback(received.rawBody);
    // The gateway signs for all its merchants with one key.
    if (callback !== undefined && callback.project_id !== projectId) return fail("not_authentic");
    const subject = callback && toSubject(callback);
    if (subject === undefined) return fail("not_understood");
    if (seen.has(signature)) return ok([]);
    seen.add(signature);
    return ok([subject]);
  };
}

export function openCallbackMemory(clock: Clock): Memory {
  return openMemory(clock, { keptMs: SEEN_KEPT_MS, textsMax: SEEN_MAX });
}

const SIGNATURE_HEADERS = ["x-access-signature", "x-access-signature-next"];
/** The members of a callback, as scheme 1 would write the beginning of another one inside a value. */
const MARKERS = ["project_id", "general", "status", "payment_info", "requisites", "integration", "event"].map(
  (name) => `;${name}:`,
);

/** The first signature that fits one of our keys. While the gateway replaces its key, both sign, the second under a name of its own. */
function findSignature(keys: readonly VerifyingKey[], received: Received, nowMs: number): string | undefined {
  const { headers, rawBody } = received;
  const timestamp = headers["x-access-timestamp"] ?? "";
  if (!isFresh(timestamp, nowMs)) return undefined;
  const algorithm = findAlgorithm(headers["x-access-merchant-algorithm"] ?? ALGORITHM_WHEN_ABSENT);
  if (algorithm === undefined || ALGORITHMS[algorithm].scheme !== 1) return undefined;
  const fitting = keys.filter(({ kind }) => kind === ALGORITHMS[algorithm].kind);
  const body = parseStrictJson(rawBody);
  if (!body.ok || fitting.length === 0) return undefined;
  if (ambiguousUnderScheme1(body.value, MARKERS, 1).length > 0) return undefined;
  const parts = { method: "POST", path: "", timestamp, rawBody, body: body.value };
  const message = findSignedMessage(1, parts);
  if (message === undefined) return undefined;
  return SIGNATURE_HEADERS.flatMap((name) => headers[name] ?? []).find((text) => {
    const signature = decodeBase64url(text);
    return signature !== undefined && fitting.some(({ key }) => verifySignatureNow(algorithm, key, message, signature));
  });
}

function isFresh(timestamp: string, nowMs: number): boolean {
  return /^[0-9]{10}$/.test(timestamp) && Math.abs(nowMs / 1000 - Number(timestamp)) <= WINDOW_S;
}

/** What every reference of ours fits, and what the database can be asked for. */
const REFERENCE = /^[\x21-\x7e]{1,128}$/;

/** Undefined: it is about something that we do not know. */
function toSubject({ general, payment_info: { type, method } }: WireCallback): NotificationSubject | undefined {
  const reference = general.payment_id;
  if (!REFERENCE.test(reference)) return undefined;
  if (type === "payout") return { direction: "payout", reference };
  if (type !== "payin") return undefined;
  const known = findMethod(method ?? "");
  const isCharge = known !== undefined && METHODS[known].product === "ecom";
  return { direction: isCharge ? "charge" : "payin", reference };
}
