import { TillgateError } from "./errors.ts";

const AMOUNT_MAX = 10_000_000_000_000;
const PAYMENT_ID_MAX = 255;

/**
 * What goes wrong most, told before anything is sent: a sum in roubles where kopecks belong, and an id that is missing.
 * The rest is the service's to say, which knows the rules of its own version.
 */
export function requireCreatable(request: {
  readonly general: { readonly payment_id: string };
  readonly payment: { readonly amount: number };
}): void {
  requirePaymentId(request.general?.payment_id);
  requireAmount(request.payment?.amount);
}

export function requirePaymentId(paymentId: unknown): void {
  const length = typeof paymentId === "string" ? [...paymentId].length : 0;
  if (length >= 1 && length <= PAYMENT_ID_MAX) return;
  throw new TillgateError(`payment_id must be a text of 1 to ${PAYMENT_ID_MAX} characters; nothing was sent`);
}

function requireAmount(amount: unknown): void {
  if (Number.isSafeInteger(amount) && Number(amount) >= 1 && Number(amount) <= AMOUNT_MAX) return;
  const given = typeof amount === "number" ? String(amount) : `of type ${typeof amount}`;
  throw new TillgateError(
    `payment.amount must be a number of whole minor units (kopecks, cents) from 1 to ${AMOUNT_MAX}; it is ${given}, ` +
      "and nothing was sent",
  );
}
