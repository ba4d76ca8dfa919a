import type {
  PayinRequest,
  PayinState,
  PayoutOutcome,
  PayoutReceiver,
  PayoutRequest,
  PayoutState,
  ReportedMoney,
  Requisites,
  RequisitesAnswer,
} from "../../core/connector.ts";
import type { Currency } from "../../core/currency.ts";
import { type Minor, minorToJson, ZERO } from "../../core/money.ts";
import { type CARD_LIFETIME_S, P2P_LIFETIME_S } from "../../core/payments/timers.ts";
import type { RequestCustomer } from "../../core/request-customer.ts";
import type { EgressMode } from "../../platform/http-out/target.ts";
import type { NotMade } from "./create.ts";
import { isRequisiteValue, toName } from "./foreign-text.ts";
import type { BankNames, UpstreamOptions } from "./options.ts";
import { lookUp, standingOf } from "./statuses.ts";
import type { WirePayment, WireRequisites } from "./wire.ts";

const UNKNOWN = { kind: "unknown" } as const;

/** The protocol demands an address on every call. This one, which belongs to no host, says that none is known. */
const NO_ADDRESS = "0.0.0.0";

/** The gateway does not know the bank: it has no account there, and can send nothing to it. */
const BANK_UNKNOWN: NotMade = { notMade: "bank_unknown" };

export type Situation = Pick<UpstreamOptions, "settings" | "callbackUrl" | "banks">;

/** Unless the caller says otherwise, addresses are judged as in production. */
const STRICT: EgressMode = "production";

/** Every repeat of a request must be the same body, so nothing in it depends on the time of the call. */
export function fromPayinRequest(situation: Situation, request: PayinRequest): object | NotMade {
  const { bank, lifetimeS } = request;
  const symbol = bank && situation.banks().toTheirs(bank.symbol);
  if (bank?.required === true && symbol === undefined) return BANK_UNKNOWN;
  return {
    general: fromReference(situation, request.reference),
    payment: { ...fromTerms(request), lifetime: within(P2P_LIFETIME_S, lifetimeS) },
    ...(symbol === undefined ? {} : { sender: { bank: symbol } }),
    customer: fromCustomer(request.customer),
  };
}

export function fromPayoutRequest(situation: Situation, request: PayoutRequest): object | NotMade {
  const receiver = fromReceiver(request.receiver, situation.banks());
  if (receiver === undefined) return BANK_UNKNOWN;
  return {
    general: fromReference(situation, request.reference),
    payment: fromTerms(request),
    receiver,
    customer: fromCustomer(request.customer),
  };
}

export function fromReference({ settings, callbackUrl }: Situation, reference: string): object {
  return { project_id: settings.projectId, payment_id: reference, merchant_callback_url: callbackUrl() };
}

export function fromTerms(request: Pick<PayinRequest, "method" | "amount" | "currency">): object {
  return { method: request.method, amount: minorToJson(request.amount), currency: request.currency };
}

/** A payment of ours may live longer than the protocol lets one live. */
export function within({ min, max }: typeof P2P_LIFETIME_S | typeof CARD_LIFETIME_S, lifetimeS: number): number {
  return Math.min(max, Math.max(min, lifetimeS));
}

export function fromCustomer(customer: RequestCustomer): object {
  return {
    id: customer.id,
    ip_address: customer.ipAddress ?? NO_ADDRESS,
    country: customer.country,
    language: customer.language,
    email: customer.email,
    phone: customer.phone,
    first_name: customer.firstName,
    last_name: customer.lastName,
  };
}

/** Undefined: the gateway does not know the bank. */
function fromReceiver(receiver: PayoutReceiver, banks: BankNames): object | undefined {
  if (receiver.type === "card") return { pan: receiver.pan, card_holder: receiver.holder };
  if (receiver.type === "phone" && receiver.bank === undefined) return { phone: receiver.phone };
  const bank = receiver.bank === undefined ? undefined : banks.toTheirs(receiver.bank);
  if (bank === undefined) return undefined;
  return receiver.type === "phone"
    ? { phone: receiver.phone, bank }
    : { account_number: receiver.accountNumber, bank, name: receiver.name };
}

export function toRequisitesAnswer(payment: WirePayment, banks: BankNames, mode = STRICT): RequisitesAnswer {
  const standing = standingOf(payment, "payin");
  if (standing === undefined) return UNKNOWN;
  // Issued and withdrawn: a state request learns that, and what arrived meanwhile.
  if (standing === "declined") return payment.requisites === undefined ? { kind: "none" } : UNKNOWN;
  if (payment.requisites === undefined) return { kind: "pending" };
  // Once the money is there they are masked; the next look finds the money.
  const requisites = toRequisites(payment.requisites, banks, mode);
  return requisites === undefined ? UNKNOWN : { kind: "issued", requisites };
}

export function toPayinState(payment: WirePayment, banks: BankNames, nowMs: number, mode = STRICT): PayinState {
  const standing = standingOf(payment, "payin");
  if (standing === undefined) return UNKNOWN;
  const money = { ...toMoney(payment, standing, nowMs), currency: payment.payment.currency as Currency };
  if (standing === "declined") return { kind: "declined", ...money };
  const requisites = payment.requisites && toRequisites(payment.requisites, banks, mode);
  return { kind: "open", requisites, ...money };
}

/**
 * What the gateway received for us, as a total. After `success` that is the sum which it credited: what came later is in its
 * suspense, and not ours. Its fee is certain then too.
 */
function toMoney(
  payment: WirePayment,
  standing: "open" | "received" | "credited" | "declined",
  nowMs: number,
): ReportedMoney {
  // Not nothing: while our balance there is full, money that came waits, and the gateway shows it as if it had not come yet.
  if (standing === "open") return { receipts: [] };
  const { amount, received_amount: received } = payment.payment;
  const sums = { declined: 0, received: received ?? 0, credited: amount };
  const total = { amount: toMinor(sums[standing]), receivedAt: toTime(payment, nowMs) };
  return { receipts: [], total, ...(standing === "credited" ? feeOf(payment) : {}) };
}

export function feeOf({ payment: { fee } }: WirePayment): { readonly fee?: Minor } {
  return fee === undefined ? {} : { fee: toMinor(fee) };
}

export function toMinor(sum: number): Minor {
  return sum === 0 ? ZERO : (BigInt(sum) as Minor);
}

/** No payment is open for so long. An earlier time is a mistake of the gateway, and may be one that no database keeps. */
const OPEN_MAX_MS = 366 * 86_400_000;

/** When the gateway last changed the payment; a gateway that does not tell it is asked now. */
function toTime({ updated_at: text }: WirePayment, nowMs: number): Date {
  const atMs = Date.parse(text ?? "");
  return new Date(atMs > nowMs - OPEN_MAX_MS && atMs < nowMs ? atMs : nowMs);
}

type WireValue = "pan" | "phone" | "account_number" | "url";

const VALUES: Readonly<Record<string, readonly [Requisites["type"], WireValue]>> = {
  card: ["card", "pan"],
  phone: ["phone", "phone"],
  account: ["account", "account_number"],
  link: ["link", "url"],
} satisfies Record<Requisites["type"], readonly [Requisites["type"], WireValue]>;

function toRequisites(wire: WireRequisites, banks: BankNames, mode: EgressMode): Requisites | undefined {
  const [type, member] = lookUp(VALUES, wire.type) ?? [];
  const value = member && wire[member];
  if (type === undefined || value === undefined || !isRequisiteValue(type, value, mode)) return undefined;
  const bank = wire.bank ?? undefined;
  return {
    type,
    value,
    holder: toName(wire.holder),
    // A symbol that only the gateway knows means nothing to our merchants; the bank's name does.
    bank: bank && banks.toOurs(bank),
    bankName: toName(wire.bank_name),
  };
}

type DeclineReason = Extract<PayoutOutcome, { kind: "declined" }>["reason"];

/** Why a payout was declined or refused does not change that it was: a code that is not listed is "other". */
const DECLINE_REASONS: Readonly<Record<string, DeclineReason>> = {
  insufficient_funds: "insufficient_funds",
  insufficient_balance: "insufficient_funds",
  card_expired: "receiver_wrong",
  card_invalid: "receiver_wrong",
  bank_unknown: "receiver_wrong",
  bank_not_sbp: "receiver_wrong",
};

export function toDeclined(code: string): Extract<PayoutOutcome, { kind: "declined" }> {
  return { kind: "declined", reason: lookUp(DECLINE_REASONS, code) ?? "other" };
}

export function toPayoutOutcome(payment: WirePayment): PayoutOutcome {
  const kind = standingOf(payment, "payout");
  if (kind === undefined) return UNKNOWN;
  if (kind === "declined") return toDeclined(payment.decline_code ?? "");
  if (kind !== "approved") return { kind };
  const { amount, requested_amount: requested = amount } = payment.payment;
  // Another sum left than was asked for: what that means, only an operator can say.
  return amount === requested ? { kind, ...feeOf(payment) } : { kind: "may_have_left" };
}

export function toPayoutState(payment: WirePayment): PayoutState {
  const { amount, requested_amount: requested = amount, currency } = payment.payment;
  return {
    ...toPayoutOutcome(payment),
    requested: { amount: toMinor(requested), currency: currency as Currency },
  };
}
