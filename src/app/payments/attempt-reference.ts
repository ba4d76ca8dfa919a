import { createHash } from "node:crypto";
import type { Direction } from "../../core/merchants/methods.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";

/** 128 bits: two requests never share one, and any provider takes 32 characters. */
const REFERENCE_LENGTH = 32;

/**
 * The reference that a provider knows an attempt by. It depends only on what the merchant repeats, never on ids of our own:
 * where an older backup was restored, and the merchant repeats a payment that the database has forgotten, the provider
 * sees the request that it has, and answers with what it did. A digest, so that it does not reveal the merchant's payment_id.
 */
export function attemptReference(
  { projectId, direction, paymentId }: Pick<StoredPayment, "projectId" | "paymentId"> & { direction: Direction },
  attemptNumber: number,
): string {
  // The first word is part of every reference that was ever sent: it never changes, though the code says attempt.
  const named = JSON.stringify(["order", projectId, direction, paymentId, attemptNumber]);
  return createHash("sha256").update(named).digest("hex").slice(0, REFERENCE_LENGTH);
}
