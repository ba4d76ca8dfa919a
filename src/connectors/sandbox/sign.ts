import { createHmac, timingSafeEqual } from "node:crypto";
import type { Notification } from "../../core/connector.ts";
import type { Secret } from "../../platform/secret.ts";

/** How the sandbox provider signs: one secret for both ways, and a first word that keeps the two apart. */
const TIMESTAMP_HEADER = "x-sandbox-timestamp";
const SIGNATURE_HEADER = "x-sandbox-signature";
const SIGNATURE = /^[0-9a-f]{64}$/;
const WINDOW_S = 300;

export type RequestToSign = { readonly method: string; readonly path: string; readonly body: string };

export function signRequest(secret: Secret<string>, request: RequestToSign, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const head = `request\n${timestamp}\n${request.method}\n${request.path}\n`;
  return {
    [TIMESTAMP_HEADER]: timestamp,
    [SIGNATURE_HEADER]: mac(secret, head, Buffer.from(request.body)).toString("hex"),
  };
}

export function isAuthentic(secret: Secret<string>, { headers, rawBody }: Notification, nowMs: number): boolean {
  const timestamp = headers[TIMESTAMP_HEADER];
  const signature = headers[SIGNATURE_HEADER];
  if (typeof timestamp !== "string" || typeof signature !== "string") return false;
  if (!/^[0-9]{10}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > WINDOW_S) return false;
  if (!SIGNATURE.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, "hex"), mac(secret, `notification\n${timestamp}\n`, rawBody));
}

function mac(secret: Secret<string>, head: string, body: Buffer): Buffer {
  return createHmac("sha256", secret.reveal()).update(head).update(body).digest();
}
