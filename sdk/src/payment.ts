import { shaped } from "./answer.ts";
import { TillgateResponseError } from "./errors.ts";
import { findIntegrationMisfit, INTEGRATION_SHAPE, type Integration } from "./integration.ts";
import { findRequisitesMisfit, REQUISITES_SHAPE, type Requisites } from "./requisites.ts";

/** The words of this version. Later versions add to them, so any other text is possible too. */
type Open<Known extends string> = Known | (string & {});

/** `success` and `decline` are final. Treat a word that you do not know as not final; `isFinal` does. */
export type PaymentStatus = Open<"processing" | "dispute" | "decline" | "success">;

/** Says more of `processing` and `dispute`; null at the end. */
export type SubStatus = Open<
  | "new"
  | "requisites"
  | "awaiting_confirm"
  | "awaiting_3ds_result"
  | "awaiting_redirect_result"
  | "paid"
  | "payout_process"
  | "no_payment"
  | "different_amount"
  | "confirm_timeout"
  | "incorrect_requisites"
  | "payout_failed"
  | "payout_timeout"
>;

/** Why a payment was declined. */
export type DeclineCode = Open<
  | "expired"
  | "cancelled"
  | "no_requisites"
  | "insufficient_funds"
  | "card_expired"
  | "three_ds_failed"
  | "provider_declined"
  | "operator"
>;

export type PaymentType = Open<"payin" | "payout">;

export type StatusFields = {
  readonly status: PaymentStatus;
  readonly sub_status: SubStatus | null;
  /** For people; its wording may change. */
  readonly status_description: string | null;
  readonly decline_code: DeclineCode | null;
};

/** Every sum is in whole minor units of `currency`. */
export type PaymentSums = {
  /** Absent on a hosted page until the payer has chosen. */
  readonly method?: string;
  /** What the payment is worth: the requested sum, or the sum it was settled for. */
  readonly amount: number;
  /** What the request asked for. It never changes. */
  readonly requested_amount: number;
  /** What has arrived, once something has. */
  readonly received_amount?: number;
  readonly currency: string;
  readonly fee?: number;
  /** What a pay-in brings to the balance: `fee + net = amount`. A payout has none; it costs `amount + fee`. */
  readonly net?: number;
};

export type CardBrand = Open<"visa" | "mastercard" | "mir" | "unionpay" | "amex" | "maestro" | "humo" | "uzcard">;

/** The card that a payment was made with, masked. */
export type PaymentCard = {
  /** Masked: `220220******0010`. */
  readonly pan: string;
  readonly brand: CardBrand;
};

/** What every payment call answers, as it came over the wire. Times are RFC 3339, in UTC. */
export type Payment = StatusFields & {
  readonly project_id: string;
  /** Yours. */
  readonly payment_id: string;
  /** The service's own. */
  readonly request_id: string;
  readonly type: PaymentType;
  readonly payment: PaymentSums;
  /** Where the payer is to send the money: shortly after the create, in full until the end, then masked. */
  readonly requisites?: Requisites;
  /** Of a payment by card. */
  readonly card?: PaymentCard;
  /** Where the payer's browser is to go; only while it is awaited there. */
  readonly integration?: Integration;
  readonly created_at: string;
  readonly updated_at: string;
  readonly expires_at?: string;
  readonly finished_at: string | null;
};

/**
 * True when the payment will never change again. Takes a payment, or the `status` of a callback. A status of a later
 * version counts as not final.
 */
export function isFinal({ status }: { readonly status: PaymentStatus }): boolean {
  return status === "success" || status === "decline";
}

export const STATUS_SHAPE = {
  status: "string",
  sub_status: "string|null",
  status_description: "string|null",
  decline_code: "string|null",
} as const;

export const SUMS_SHAPE = {
  "method?": "string",
  amount: "integer",
  requested_amount: "integer",
  "received_amount?": "integer",
  currency: "string",
  "fee?": "integer",
  "net?": "integer",
} as const;

const PAYMENT_SHAPE = {
  project_id: "string",
  payment_id: "string",
  request_id: "string",
  type: "string",
  ...STATUS_SHAPE,
  payment: SUMS_SHAPE,
  "requisites?": REQUISITES_SHAPE,
  "card?": { pan: "string", brand: "string" },
  "integration?": INTEGRATION_SHAPE,
  created_at: "string",
  updated_at: "string",
  "expires_at?": "string",
  finished_at: "string|null",
} as const;

export function asPayment(answer: unknown): Payment {
  const payment = shaped<Payment>(answer, PAYMENT_SHAPE, "a payment");
  const misfit = findRequisitesMisfit(payment) ?? findIntegrationMisfit(payment);
  if (misfit === undefined) return payment;
  throw new TillgateResponseError(`the answer is not a payment: ${misfit} is missing or wrong`);
}
