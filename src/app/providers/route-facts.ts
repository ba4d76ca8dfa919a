import { type BinTable, originOfCard } from "../../core/cards/card-bins.ts";
import type { PayoutReceiver } from "../../core/connector.ts";
import type { Direction, Method } from "../../core/merchants/methods.ts";
import { NOT_SAID, type RouteFacts, type RouteOrigin } from "../../core/merchants/routing.ts";
import { kindOf } from "../../core/payments/kinds.ts";
import type { PaymentRequest, StoredPayment } from "../../store/payments/payments.ts";

/** Where the money comes from or goes to, as far as it is known when a route is chosen. */
export type RouteSource =
  | { readonly kind: "card"; readonly pan: string }
  | { readonly kind: "bank"; readonly bank: unknown }
  | { readonly kind: "receiver"; readonly read: () => PayoutReceiver | undefined }
  /** The payer of a hosted page has not chosen yet. */
  | { readonly kind: "not_said" };

type Routed = Pick<StoredPayment, "direction" | "currency" | "amount"> & {
  readonly method: Method;
  readonly paymentId: string | undefined;
  readonly request: Pick<PaymentRequest, "paymentSystem">;
};

export function routeFacts(
  bins: BinTable,
  { direction, method, currency, amount, paymentId, request }: Routed,
  source: RouteSource,
): RouteFacts {
  const origin = () => originOf(bins, source);
  return { direction, method, currency, amount, named: request.paymentSystem, key: paymentId, origin };
}

/** Of a payment that is stored, or about to be. A card's number is stored nowhere, so it is not known here. */
export function sourceOf(
  payment: { readonly direction: Direction; readonly method: Method; readonly request: PaymentRequest },
  readReceiver: () => PayoutReceiver | undefined,
): RouteSource {
  if (payment.direction === "payout") return { kind: "receiver", read: readReceiver };
  return kindOf(payment) === "card" ? { kind: "not_said" } : { kind: "bank", bank: payment.request.sender?.bank };
}

function originOf(bins: BinTable, source: RouteSource): RouteOrigin {
  switch (source.kind) {
    case "card":
      return originOfCard(bins, source.pan);
    case "bank":
      return ofBank(source.bank);
    case "receiver": {
      const receiver = source.read();
      return receiver?.type === "card" ? originOfCard(bins, receiver.pan) : ofBank(receiver?.bank);
    }
    case "not_said":
      return NOT_SAID;
  }
}

function ofBank(bank: unknown): RouteOrigin {
  return { country: null, bank: typeof bank === "string" ? bank : null };
}
