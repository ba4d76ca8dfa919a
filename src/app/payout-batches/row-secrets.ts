import type { PayoutReceiver } from "../../core/connector.ts";
import type { Id } from "../../core/ids.ts";
import { METHODS } from "../../core/merchants/methods.ts";
import { minorToJson } from "../../core/money.ts";
import { canonicalJson } from "../../core/payments/canonical-json.ts";
import { receiverFromText, receiverKey, receiverToText } from "../../core/payments/receiver.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { BatchRow } from "../../store/payout-batches/batch-rows.ts";
import type { PayoutBatch } from "../../store/payout-batches/batches.ts";
import type { PaymentWish } from "../payments/create-payment.ts";
import type { CheckedRow } from "./check-rows.ts";

/** Receivers are sealed, each bound to its row. */
export function sealRowReceiver(keyring: Keyring, batchId: Id, line: number, receiver: PayoutReceiver): Buffer {
  return keyring.seal(placeOf(batchId, line), Buffer.from(receiverToText(receiver)));
}

export function unsealRowReceiver(keyring: Keyring, batchId: Id, { line, receiver }: BatchRow): PayoutReceiver {
  return receiverFromText(keyring.unseal(placeOf(batchId, line), receiver).reveal().toString("utf8"));
}

function placeOf(batchId: Id, line: number) {
  return { table: "payout_batch_rows", column: "receiver", row: `${batchId} ${line}` };
}

/**
 * What a file says, whichever program saved it, with whichever delimiter and in whichever order. Keyed, since a file of one row
 * could be guessed from a plain hash of it.
 */
export function contentHashOf(keyring: Keyring, rows: readonly CheckedRow[]): Buffer {
  const texts = rows.map(({ paymentId, method, currency, amount, description, customerId, receiver }) =>
    canonicalJson([
      ...[paymentId ?? null, method, currency, minorToJson(amount), description ?? null, customerId ?? null],
      receiverToText(receiver),
    ]),
  );
  return keyring.lookupHash("payout_batches.content", texts.sort().join("\n"));
}

const CUSTOMER_HASH_LENGTH = 24;

/** Limits of a customer's day need a customer: without one, all payouts to a receiver are one customer's. */
export function customerIdOf(keyring: Keyring, receiver: PayoutReceiver): string {
  const hash = keyring.lookupHash("payout_batches.customer", receiverKey(receiver)).toString("hex");
  return `receiver-${hash.slice(0, CUSTOMER_HASH_LENGTH)}`;
}

const RANDOM_LENGTH = 16;

/** The same for the same row, however often it is tried. */
export function paymentIdOf(batchId: Id, line: number): string {
  return `hand-${batchId.slice(-RANDOM_LENGTH)}-${line}`;
}

/**
 * What the maker asks for. The hash of the body has the batch and the line in it: the same row tried again finds its own payment,
 * and every other request with this payment_id, also the same row of another batch, is a conflict and not a repeat.
 */
export function wishOfRow(
  keyring: Keyring,
  batch: Pick<PayoutBatch, "id" | "authorAddress">,
  row: BatchRow,
  receiver: PayoutReceiver,
): PaymentWish {
  const { line, paymentId, method, currency, amount, customerId, description } = row;
  const { product } = METHODS[method];
  const said = [batch.id, line, paymentId, method, currency, minorToJson(amount), description, customerId];
  const text = canonicalJson([...said, receiverToText(receiver)]);
  return {
    direction: "payout",
    product,
    paymentId,
    bodyHash: keyring.lookupHash("payments.body", `payout batch ${text}`),
    method,
    currency,
    amount,
    customerId,
    lifetimeS: undefined,
    bank: receiver.type === "card" ? undefined : receiver.bank,
    receiver,
    card: undefined,
    request: {
      description: description ?? undefined,
      customer: { id: customerId, ip_address: batch.authorAddress },
    },
  };
}
