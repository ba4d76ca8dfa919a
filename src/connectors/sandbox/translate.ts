import type {
  NotificationSubject,
  PayinRequest,
  PayinState,
  PayoutOutcome,
  PayoutReceiver,
  PayoutRequest,
  PayoutState,
  ReportedReceipt,
  Requisites,
  RequisitesAnswer,
} from "../../core/connector.ts";
import type { Currency } from "../../core/currency.ts";
import { type Minor, minorToJson } from "../../core/money.ts";
import type { WireNotification, WirePayin, WirePayout, WireReceipt, WireRequisites } from "./wire.ts";

/** The one map between the sandbox's words and ours. A word that is not in it is "unknown". */
const UNKNOWN = { kind: "unknown" } as const;

type PayinWord = "active" | "no_requisites" | "cancelled" | "closed";

/** `closed` is open to us: we closed it, the provider declined nothing, and money may still come. */
const PAYIN_STATES: Readonly<Record<string, "open" | "declined">> = {
  active: "open",
  closed: "open",
  no_requisites: "declined",
  cancelled: "declined",
} satisfies Record<PayinWord, "open" | "declined">;

const PAYOUT_OUTCOMES: Readonly<Record<string, Exclude<PayoutOutcome["kind"], "unknown">>> = {
  accepted: "pending",
  paid: "approved",
  rejected: "declined",
  failed: "may_have_left",
  wrong_details: "receiver_wrong",
  returned: "returned",
};

type DeclineReason = Extract<PayoutOutcome, { kind: "declined" }>["reason"];

/** Why a payout was refused does not change that it was: a reason not listed is "other". */
const DECLINE_REASONS: Readonly<Record<string, DeclineReason>> = {
  insufficient_funds: "insufficient_funds",
  receiver_wrong: "receiver_wrong",
};

const REQUISITE_TYPES: Readonly<Record<string, Requisites["type"]>> = {
  card: "card",
  phone: "phone",
  account: "account",
  link: "link",
};

type SubjectWord = NotificationSubject["direction"];

const SUBJECTS: Readonly<Record<string, SubjectWord>> = {
  payin: "payin",
  payout: "payout",
  charge: "charge",
} satisfies Record<SubjectWord, SubjectWord>;

export function toRequisitesAnswer(payin: WirePayin): RequisitesAnswer {
  if (payin.status === "no_requisites") return { kind: "none" };
  const requisites = toRequisites(payin.requisites);
  // Issued and withdrawn: a state request learns that, and what arrived meanwhile.
  if (lookUp(PAYIN_STATES, payin.status) !== "open" || requisites === undefined) return UNKNOWN;
  return { kind: "issued", requisites };
}

export function toPayinState(payin: WirePayin): PayinState {
  const kind = lookUp(PAYIN_STATES, payin.status);
  const receipts = payin.transfers.map(toReceipt);
  if (kind === undefined || receipts.some(({ receivedAt }) => Number.isNaN(receivedAt.getTime()))) return UNKNOWN;
  return kind === "open" ? { kind, requisites: toRequisites(payin.requisites), receipts } : { kind, receipts };
}

export function toPayoutOutcome(payout: WirePayout): PayoutOutcome {
  const kind = lookUp(PAYOUT_OUTCOMES, payout.status);
  if (kind === undefined) return UNKNOWN;
  return kind === "declined" ? { kind, reason: lookUp(DECLINE_REASONS, payout.reason ?? "") ?? "other" } : { kind };
}

export function toPayoutState(payout: WirePayout): PayoutState {
  const { amount, currency } = payout;
  const isTold = amount !== undefined && currency !== undefined;
  const requested = isTold ? { requested: { amount: BigInt(amount) as Minor, currency: currency as Currency } } : {};
  return { ...toPayoutOutcome(payout), ...requested };
}

/** Undefined where one of them is about something that we do not know. */
export function toSubjects(notifications: readonly WireNotification[]): readonly NotificationSubject[] | undefined {
  const subjects = notifications.flatMap(({ direction: word, reference }) => {
    const direction = lookUp(SUBJECTS, word);
    return direction === undefined ? [] : [{ direction, reference }];
  });
  return subjects.length === notifications.length ? subjects : undefined;
}

function toRequisites(requisites: WireRequisites | undefined): Requisites | undefined {
  const type = requisites && lookUp(REQUISITE_TYPES, requisites.type);
  if (requisites === undefined || type === undefined) return undefined;
  const { value, holder, bank, bank_name: bankName } = requisites;
  return { type, value, holder, bank, bankName };
}

function toReceipt(receipt: WireReceipt): ReportedReceipt {
  return {
    receiptReference: receipt.id,
    amount: BigInt(receipt.amount) as Minor,
    receivedAt: new Date(receipt.received_at),
    ...(receipt.reversed ? { reversed: true } : {}),
  };
}

export function fromPayinRequest(request: PayinRequest): Record<string, unknown> {
  return { ...fromRequest(request), bank: request.bank, expires_at: request.expiresAt.toISOString() };
}

export function fromPayoutRequest(request: PayoutRequest): Record<string, unknown> {
  return { ...fromRequest(request), receiver: fromReceiver(request.receiver) };
}

function fromRequest(request: PayinRequest | PayoutRequest): Record<string, unknown> {
  return {
    reference: request.reference,
    project_id: request.projectId,
    method: request.method,
    amount: minorToJson(request.amount),
    currency: request.currency,
  };
}

function fromReceiver(receiver: PayoutReceiver): Record<string, unknown> {
  switch (receiver.type) {
    case "card":
      return { pan: receiver.pan, holder: receiver.holder };
    case "phone":
      return { phone: receiver.phone, bank: receiver.bank };
    case "account":
      return { account_number: receiver.accountNumber, bank: receiver.bank, name: receiver.name };
  }
}

/** A provider's word may be `constructor`: only the table's own members count. */
export function lookUp<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
