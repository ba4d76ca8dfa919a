import type { PayoutReceiver, Requisites } from "../../core/connector.ts";
import { receiverFromText, receiverToText } from "../../core/payments/receiver.ts";
import { requisitesFromText, requisitesToText } from "../../core/payments/requisites-text.ts";
import type { Keyring } from "../../platform/secrets.ts";

/** Receivers and requisites are stored sealed, each bound to its payment. */

export function sealReceiver(keyring: Keyring, requestId: string, receiver: PayoutReceiver): Buffer {
  return keyring.seal(placeOf("receiver", requestId), Buffer.from(receiverToText(receiver)));
}

export function unsealReceiver(keyring: Keyring, requestId: string, sealed: Buffer): PayoutReceiver {
  return receiverFromText(keyring.unseal(placeOf("receiver", requestId), sealed).reveal().toString("utf8"));
}

export function sealRequisites(keyring: Keyring, requestId: string, requisites: Requisites): Buffer {
  return keyring.seal(placeOf("requisites", requestId), Buffer.from(requisitesToText(requisites)));
}

export function unsealRequisites(keyring: Keyring, requestId: string, sealed: Buffer): Requisites {
  return requisitesFromText(keyring.unseal(placeOf("requisites", requestId), sealed).reveal().toString("utf8"));
}

function placeOf(column: "receiver" | "requisites", row: string) {
  return { table: "payments", column, row };
}
