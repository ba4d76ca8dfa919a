import { createHmac, timingSafeEqual } from "node:crypto";
import type { Notification } from "../../src/core/connector.ts";
import type { Secret } from "../../src/platform/secret.ts";

/** Acme Pay signs both ways with one secret. The first word keeps a call from being replayed as a notification. */
const TIME_HEADER = "acme-time";
const SIGNATURE_HEADER = "acme-signature";
const WINDOW_S = 300;

export type Call = { readonly method: "GET" | "POST"; readonly path: string; readonly body: string };

export function signCall(secret: Secret<string>, { method, path, body }: Call, nowMs: number): Record<string, string> {
  const time = String(Math.floor(nowMs / 1000));
  const signature = mac(secret, `call ${time} ${method} ${path}\n`, Buffer.from(body)).toString("hex");
  return { [TIME_HEADER]: time, [SIGNATURE_HEADER]: signature };
}

export function isAuthentic(secret: Secret<string>, { headers, rawBody }: Notification, nowMs: number): boolean {
  const { [TIME_HEADER]: time = "", [SIGNATURE_HEADER]: signature = "" } = headers;
  if (!/^[0-9]{10}$/.test(time) || !/^[0-9a-f]{64}$/.test(signature)) return false;
  if (Math.abs(nowMs / 1000 - Number(time)) > WINDOW_S) return false;
  return timingSafeEqual(Buffer.from(signature, "hex"), mac(secret, `event ${time}\n`, rawBody));
}

function mac(secret: Secret<string>, head: string, body: Buffer): Buffer {
  return createHmac("sha256", secret.reveal()).update(head).update(body).digest();
}
