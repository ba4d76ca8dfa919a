import { findCurrency } from "../../core/currency.ts";
import { formatMoney, type Minor } from "../../core/money.ts";
import { isObject, type JsonObject } from "../../platform/strict-json.ts";
import { showDistance } from "../kit/durations.ts";
import { showForeignText, showMerchantText } from "../kit/foreign-text.ts";
import { renderPairs, showInstant } from "../kit/output.ts";

/** A payment as the service answered it. Members are read by name, since version 1 of the contract only grows. */
export type PaymentAnswer = {
  readonly whole: JsonObject;
  /** `processing / new`; `success`; `decline (expired)`. */
  readonly state: string;
  readonly status: string;
  readonly subStatus: string | undefined;
  readonly declineCode: string | undefined;
};

const TEXT_MAX = 300;

export function readPaymentAnswer(whole: JsonObject): PaymentAnswer {
  const text = (name: string) => (typeof whole[name] === "string" ? showForeignText(whole[name], TEXT_MAX) : undefined);
  const status = text("status") ?? "?";
  const subStatus = text("sub_status");
  const declineCode = text("decline_code");
  const state = [status, ...(subStatus === undefined ? [] : [`/ ${subStatus}`])].join(" ");
  return {
    whole,
    state: declineCode === undefined ? state : `${state} (${declineCode})`,
    status,
    subStatus,
    declineCode,
  };
}

export function isFinalAnswer({ status }: PaymentAnswer): boolean {
  return status === "success" || status === "decline";
}

/** Where the payment stands: its state and sums, and the service's sentence on a decline or dispute. */
export function standingText(payment: PaymentAnswer): string {
  const { status_description } = payment.whole;
  const standing = `${payment.state}: ${sumsText(payment)}`;
  return typeof status_description === "string"
    ? `${standing}\n${showForeignText(status_description, TEXT_MAX)}`
    : standing;
}

/** `2500.00 RUB, fee 62.50 RUB, net 2437.50 RUB`; what arrived, where that is known. */
function sumsText({ whole }: PaymentAnswer): string {
  const { payment } = whole;
  if (!isObject(payment)) return "";
  const sums = [
    [moneyOf(payment, "amount"), ""],
    [moneyOf(payment, "received_amount"), "received "],
    [moneyOf(payment, "fee"), "fee "],
    [moneyOf(payment, "net"), "net "],
  ] as const;
  return sums.flatMap(([money, name]) => (money === undefined ? [] : [`${name}${money}`])).join(", ");
}

/** Which member of the requisites is what, in the order that a payer needs them. */
const REQUISITE_MEMBERS = ["pan", "phone", "account_number", "url", "holder", "bank_name"] as const;
const REQUISITE_NAMES: Partial<Record<(typeof REQUISITE_MEMBERS)[number], string>> = {
  pan: "card",
  account_number: "account",
  url: "link",
  bank_name: "bank",
};

/** What the payer needs to send the money, with its digits; undefined while there are none. */
export function requisitesText({ whole }: PaymentAnswer, now: Date): string | undefined {
  const { requisites, expires_at } = whole;
  if (!isObject(requisites)) return undefined;
  const expiresAt = typeof expires_at === "string" ? new Date(expires_at) : undefined;
  const members = REQUISITE_MEMBERS.flatMap((member): [string, string][] => {
    const value = requisites[member];
    return typeof value === "string" ? [[REQUISITE_NAMES[member] ?? member, showMerchantText(value, TEXT_MAX)]] : [];
  });
  return renderPairs([
    ["amount", moneyOf(requisites, "amount") ?? "?"],
    ...members,
    ...(expiresAt === undefined || Number.isNaN(expiresAt.getTime())
      ? []
      : [["until", `${showInstant(expiresAt)}, ${showDistance(expiresAt, now)}`] as const]),
  ]);
}

/** Where the payer's browser goes: the hosted page, or the issuer. */
export function payerUrl({ whole }: PaymentAnswer): string | undefined {
  const { integration } = whole;
  if (!isObject(integration)) return undefined;
  const url = integration.form_url ?? integration.redirect_url;
  return typeof url === "string" ? showMerchantText(url, TEXT_MAX) : undefined;
}

function moneyOf(holder: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const currency = typeof holder.currency === "string" ? findCurrency(holder.currency) : undefined;
  const value = holder[name];
  if (currency === undefined || typeof value !== "number" || !Number.isSafeInteger(value)) return undefined;
  return formatMoney(BigInt(value) as Minor, currency);
}
