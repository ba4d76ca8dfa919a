import type { PayoutReceiver, Requisites } from "../../core/connector.ts";
import { receiverFromText, receiverKey, receiverToText } from "../../core/payments/receiver.ts";
import { requisitesFromText, requisitesToText } from "../../core/payments/requisites-text.ts";
import type { Keyring } from "../../platform/secrets.ts";

/** Receivers and requisites lie sealed, each bound to its payment, beside a keyed hash that finds equal ones. */
export type SealedDetails = { readonly sealed: Buffer; readonly hash: Buffer };

export function sealReceiver(keyring: Keyring, requestId: string, receiver: PayoutReceiver): SealedDetails {
  return {
    sealed: keyring.seal(placeOf("receiver", requestId), Buffer.from(receiverToText(receiver))),
    hash: keyring.lookupHash("payments.receiver", `${receiver.type}:${receiverKey(receiver)}`),
  };
}

export function unsealReceiver(keyring: Keyring, requestId: string, sealed: Buffer): PayoutReceiver {
  return receiverFromText(keyring.unseal(placeOf("receiver", requestId), sealed).reveal().toString("utf8"));
}

export function sealRequisites(keyring: Keyring, requestId: string, requisites: Requisites): SealedDetails {
  return {
    sealed: keyring.seal(placeOf("requisites", requestId), Buffer.from(requisitesToText(requisites))),
    hash: keyring.lookupHash("payments.requisites", `${requisites.type}:${requisites.value}`),
  };
}

export function unsealRequisites(keyring: Keyring, requestId: string, sealed: Buffer): Requisites {
  return requisitesFromText(keyring.unseal(placeOf("requisites", requestId), sealed).reveal().toString("utf8"));
}

function placeOf(column: "receiver" | "requisites", row: string) {
  return { table: "payments", column, row };
}
