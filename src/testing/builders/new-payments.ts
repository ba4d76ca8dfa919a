import type { Id } from "../../core/ids.ts";
import { type FeeRates, feeOf } from "../../core/payments/fees.ts";
import { newId } from "../../platform/new-id.ts";
import type { NewPayin, NewPayout } from "../../store/payments/create-payments.ts";
import { minor, RUB } from "./projects.ts";

/** Payments as the service is about to create them: of 1000 RUB by `card-p2p` and without a fee, but for what is changed. */

export const PAYMENT_AMOUNT = 1000;
/** What `card-ecom` changes. */
export const BY_CARD = { product: "ecom", method: "card-ecom", lifetimeS: 600 } as const;
/** So that changes of the payment have callbacks. */
export const WITH_CALLBACKS = { request: { callbackUrl: "https://shop.example/cb" } } as const;

export function aNewPayin(projectId: Id, change: Partial<NewPayin> = {}): NewPayin {
  return { ...terms(projectId, change), lifetimeS: 900, ...change };
}

export function aNewPayout(projectId: Id, change: Partial<NewPayout> = {}): NewPayout {
  return { ...terms(projectId, change), transferId: newId(), receiver: Buffer.from("sealed"), ...change };
}

/** A fee of so many hundredths of a percent. */
export function ratesOf(basisPoints: number): { readonly rates: FeeRates } {
  return { rates: { basisPoints, fixed: minor(0) } };
}

/** The fee is what the rates make of the amount. */
function terms(projectId: Id, change: Partial<Pick<NewPayin, "amount" | "rates">>) {
  const { amount = minor(PAYMENT_AMOUNT), rates = ratesOf(0).rates } = change;
  return {
    projectId,
    requestId: newId(),
    product: "p2p" as const,
    paymentId: newId(),
    bodyHash: Buffer.from("body"),
    method: "card-p2p" as const,
    currency: RUB,
    amount,
    rates,
    fee: rates === null ? null : feeOf(amount, rates),
    customerId: "c1",
    request: {},
  };
}
