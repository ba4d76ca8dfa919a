import type { Direction, Method } from "../merchants/methods.ts";
import type { Minor } from "../money.ts";
import { kindOf } from "./kinds.ts";
import { isFinal, type PaymentState } from "./states.ts";

type Facts = {
  readonly direction: Direction;
  readonly state: PaymentState;
  readonly reference: string | null;
  readonly confirmedAt: Date | null;
  readonly confirmTold: boolean;
  readonly releasedAt: Date | null;
  readonly method: Method | null;
  readonly receivedAmount: Minor;
};

/**
 * What a provider that has our request must still be told: that the payer confirmed, that it is over, or that a charge
 * which came after the end is to be given back.
 */
export function dutyOf(payment: Facts): "confirm" | "release" | "reverse" | undefined {
  const kind = kindOf(payment);
  if (kind === "payout" || payment.reference === null) return undefined;
  if (kind === "card") {
    const isOwed = payment.state === "decline" && payment.receivedAmount > 0n && payment.releasedAt === null;
    return isOwed ? "reverse" : undefined;
  }
  if (isFinal(payment.state)) return payment.releasedAt === null ? "release" : undefined;
  return payment.confirmedAt !== null && !payment.confirmTold ? "confirm" : undefined;
}

/** All of it arrived, and only the merchant's balance is too full for it. */
export function waitsForRoom(payment: {
  readonly direction: Direction;
  readonly state: PaymentState;
  readonly receivedAmount: Minor;
  readonly requestedAmount: Minor;
}): boolean {
  return (
    payment.direction === "payin" &&
    payment.state === "processing:paid" &&
    payment.receivedAmount === payment.requestedAmount
  );
}
