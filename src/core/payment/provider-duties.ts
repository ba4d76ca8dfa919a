import type { Direction } from "../methods.ts";
import type { Minor } from "../money.ts";
import { isFinal, type PaymentState } from "./states.ts";

type Facts = {
  readonly direction: Direction;
  readonly state: PaymentState;
  readonly reference: string | null;
  readonly confirmedAt: Date | null;
  readonly confirmTold: boolean;
  readonly releasedAt: Date | null;
};

/** What a provider that has our order must still be told: that the payer confirmed, or that it is over. */
export function dutyOf(payment: Facts): "confirm" | "release" | undefined {
  if (payment.direction !== "payin" || payment.reference === null) return undefined;
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
