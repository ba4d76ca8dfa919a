import { createHmac, timingSafeEqual } from "node:crypto";
import type { Secret } from "../platform/secret.ts";

/**
 * Both sides sign with one secret. A request's signature covers its method, path and body; a notification's covers its
 * body. The first word keeps either from passing for the other.
 */
const TIMESTAMP_HEADER = "x-sandbox-timestamp";
const SIGNATURE_HEADER = "x-sandbox-signature";
const WINDOW_S = 300;

export type SignedRequest = {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body: Buffer;
};

export type SignatureHeaders = { readonly [TIMESTAMP_HEADER]: string; readonly [SIGNATURE_HEADER]: string };

export function signNotification(secret: Secret<string>, body: Buffer, nowMs: number): SignatureHeaders {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signature = mac(secret, `notification\n${timestamp}\n`, body).toString("hex");
  return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature };
}

export function isSigned(
  secret: Secret<string>,
  request: SignedRequest,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  nowMs: number,
): boolean {
  const timestamp = headers[TIMESTAMP_HEADER];
  const signature = headers[SIGNATURE_HEADER];
  if (typeof timestamp !== "string" || typeof signature !== "string") return false;
  if (!/^[0-9]{10}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > WINDOW_S) return false;
  const wanted = mac(secret, `request\n${timestamp}\n${request.method}\n${request.path}\n`, request.body);
  const given = Buffer.from(signature, "hex");
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function mac(secret: Secret<string>, head: string, body: Buffer): Buffer {
  return createHmac("sha256", secret.reveal()).update(head).update(body).digest();
}
