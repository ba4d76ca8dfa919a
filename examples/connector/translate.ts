import type {
  NotificationSubject,
  PayinRequest,
  PayinState,
  PayoutOutcome,
  PayoutRequest,
  PayoutState,
  Requisites,
  RequisitesAnswer,
} from "../../src/core/connector.ts";
import type { Currency } from "../../src/core/currency.ts";
import { type Minor, minorToJson } from "../../src/core/money.ts";
import type { WireDeposit, WireEvent, WireWithdrawal } from "./wire.ts";

/** The one place where Acme Pay's words become ours. A word that is not in a table is "unknown". */
const UNKNOWN = { kind: "unknown" } as const;

/** `closed` is open to us: we closed it, Acme Pay declined nothing, and money may still come. */
const DEPOSIT_STATES: Readonly<Record<string, "open" | "declined">> = {
  waiting: "open",
  closed: "open",
  no_card: "declined",
  withdrawn: "declined",
};

const WITHDRAWAL_STATES: Readonly<
  Record<string, "pending" | "approved" | "declined" | "may_have_left" | "receiver_wrong">
> = {
  queued: "pending",
  paid: "approved",
  refused: "declined",
  failed: "may_have_left",
  wrong_card: "receiver_wrong",
};

const OBJECTS: Readonly<Record<string, NotificationSubject["direction"]>> = { deposit: "payin", withdrawal: "payout" };

export function toRequisitesAnswer(deposit: WireDeposit): RequisitesAnswer {
  if (deposit.state === "no_card") return { kind: "none" };
  const requisites = toRequisites(deposit);
  if (lookUp(DEPOSIT_STATES, deposit.state) !== "open" || requisites === undefined) return UNKNOWN;
  return { kind: "issued", requisites };
}

export function toPayinState(deposit: WireDeposit): PayinState {
  const kind = lookUp(DEPOSIT_STATES, deposit.state);
  const receipts = deposit.credits.map(({ id, amount, credited_at }) => ({
    receiptReference: id,
    amount: BigInt(amount) as Minor,
    receivedAt: new Date(credited_at * 1000),
  }));
  if (kind === undefined) return UNKNOWN;
  return kind === "open" ? { kind, requisites: toRequisites(deposit), receipts } : { kind, receipts };
}

function toRequisites({ pay_to: payTo }: WireDeposit): Requisites | undefined {
  if (payTo === undefined) return undefined;
  const { card_number: value, card_holder: holder } = payTo;
  return { type: "card", value, holder, bank: undefined, bankName: undefined };
}

export function toPayoutOutcome({ state, reason, fee }: WireWithdrawal): PayoutOutcome {
  const kind = lookUp(WITHDRAWAL_STATES, state);
  if (kind === undefined) return UNKNOWN;
  if (kind === "declined") return { kind, reason: reason === "no_funds" ? "insufficient_funds" : "other" };
  return kind === "approved" && fee !== undefined ? { kind, fee: BigInt(fee) as Minor } : { kind };
}

export function toPayoutState(withdrawal: WireWithdrawal): PayoutState {
  const { amount, currency } = withdrawal;
  const requested = { amount: BigInt(amount) as Minor, currency: currency as Currency };
  return { ...toPayoutOutcome(withdrawal), requested };
}

export function toSubject({ object, reference }: WireEvent): NotificationSubject | undefined {
  const direction = lookUp(OBJECTS, object);
  return direction === undefined ? undefined : { direction, reference };
}

/** The same for a reference however often it is sent: nothing in it may depend on the time of the call. */
export function fromPayin({ reference, amount, currency, lifetimeS }: PayinRequest): object {
  return { reference, amount: minorToJson(amount), currency, lifetime_s: lifetimeS };
}

export function fromPayout({ reference, amount, currency, receiver }: PayoutRequest): object | undefined {
  if (receiver.type !== "card") return undefined;
  return { reference, amount: minorToJson(amount), currency, card_number: receiver.pan };
}

/** A provider's word may be `constructor`: only the table's own members count. */
function lookUp<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
