import type { PayinState, ReportedMoney } from "../../core/connector.ts";
import type { Minor } from "../../core/money.ts";
import type { ProviderWord } from "../../core/payments/after-end.ts";
import { dutyOf, waitsForRoom } from "../../core/payments/provider-duties.ts";
import { isFinal, type PaymentState } from "../../core/payments/states.ts";
import { waitsForPerson } from "../../core/payments/waits-for-person.ts";
import { wayOf } from "../../core/providers.ts";
import { moneyOf } from "../../core/reported-total.ts";
import { listReceipts } from "../../store/payments/payment-trail.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import { alertContradicted, followEnd } from "./follow-end.ts";
import type { JobDeps, Look } from "./look.ts";
import { beginPayin } from "./looks/begin-payin.ts";
import {
  askState,
  believed,
  connectorOf,
  countedOf,
  happen,
  isOverdue,
  receive,
  TIMERS_WAIT_FOR_ANSWER_MS,
} from "./looks/payin-steps.ts";

/** A final decision waits longer: a payer who paid in time is not declined because the provider is down for hours. */
const DECLINE_WAITS_FOR_ANSWER_MS = 86_400_000;

/** One look at a pay-in: whatever its state calls for now. */
export function workOnPayin(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  const begins = payment.state === "processing:new" || payment.state === "processing:requisites";
  return begins ? beginPayin(deps, payment) : watch(deps, payment);
}

/** Requisites are out, or it is over: the provider is told what it must know, and asked what arrived. */
async function watch(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  if (payment.reference === null) return { payment: await afterAnswer(deps, payment, "known") };
  const { state: toldState, ...told } = await tellProvider(deps, payment);
  const state = toldState ?? (await askState(deps, payment));
  const isKnown = state.kind === "open" || state.kind === "declined";
  const received = isKnown ? await receive(deps, payment, state) : payment;
  const declined = state.kind === "declined" && DECLINABLE.has(received.state) && !waitsForRoom(received);
  const judged = declined ? await happen(deps, received, { kind: "provider_declined" }) : received;
  const after = await afterAnswer(deps, judged, isKnown ? "known" : "unknown");
  const toldEnd = isFinal(payment.state) ? {} : await tellEnd(deps, after);
  await freePlace(deps, after);
  const seen = isKnown ? await noticeTakenBack(deps, after, state, payment.receivedAmount) : after;
  const unknown = isKnown ? {} : { unknown: true as const };
  return isFinal(seen.state) && seen.unprovenEnd !== null
    ? { ...told, ...toldEnd, ...unknown, ...(await proveEnd(deps, seen, state)) }
    : { payment: seen, ...told, ...toldEnd, ...unknown };
}

/** An operator ended it without the provider's word. Money that the provider reports now was received before. */
function proveEnd(deps: JobDeps, payment: StoredPayment, state: PayinState): Promise<Look> {
  return followEnd(deps, payment, wordOf(state), {
    post: async () => payment,
    contradict: (detail) => happen(deps, payment, { kind: "contradicted" }, { actor: "provider", detail }),
  });
}

function wordOf(state: PayinState): ProviderWord {
  if (state.kind === "unknown" || state.kind === "never_seen") return state.kind;
  if (moneyOf(state) > 0n) return "moved";
  return state.kind === "declined" ? "not_moved" : "pending";
}

/**
 * The provider took back money that was counted: the payment stays as it is, and an operator must look. `receivedBefore` is what had
 * been counted when the provider was asked.
 */
async function noticeTakenBack(
  deps: JobDeps,
  payment: StoredPayment,
  reported: ReportedMoney,
  receivedBefore: Minor,
): Promise<StoredPayment> {
  if (payment.contradictedAt !== null) return payment;
  const detail = (await findReversed(deps, payment, reported)) ?? (await findFallen(deps, payment, reported));
  if (detail === undefined) return payment;
  const extra = { actor: "provider", detail, ...(reported.total === undefined ? {} : { ofReceived: receivedBefore }) };
  const after = await happen(deps, payment, { kind: "contradicted" }, extra);
  if (after.contradictedAt !== null) alertContradicted(deps, payment, "reversed");
  return after;
}

async function findReversed(
  deps: JobDeps,
  payment: StoredPayment,
  { receipts: reported }: ReportedMoney,
): Promise<string | undefined> {
  const reversed = reported.filter((receipt) => receipt.reversed !== undefined);
  if (reversed.length === 0) return undefined;
  const receipts = await listReceipts(deps.db, payment);
  const counted = reversed.find((each) =>
    receipts.some(
      (receipt) =>
        receipt.provider === wayOf(payment.provider ?? "", each.account) &&
        receipt.receiptReference === each.receiptReference,
    ),
  );
  return counted && `the provider took back transfer ${counted.receiptReference}`;
}

/** A total that is less than what was counted. */
async function findFallen(
  deps: JobDeps,
  payment: StoredPayment,
  { total }: ReportedMoney,
): Promise<string | undefined> {
  if (total === undefined || total.amount >= payment.receivedAmount) return undefined;
  const counted = await countedOf(deps, payment);
  return total.amount < counted
    ? `the provider says that ${total.amount} arrived, and ${counted} were counted`
    : undefined;
}

/** Where a provider's decline means something; elsewhere it is no news. */
const DECLINABLE: ReadonlySet<PaymentState> = new Set([
  "processing:awaiting_confirm",
  "processing:paid",
  "dispute:no_payment",
]);

type Told = Pick<Look, "confirmTold" | "released"> & {
  /** The order's state, where the provider's answer held it. */
  readonly state?: PayinState;
};

async function tellProvider(deps: JobDeps, payment: StoredPayment): Promise<Told> {
  const connector = connectorOf(deps, payment);
  if (connector === undefined || payment.reference === null || dutyOf(payment) !== "confirm")
    return tellEnd(deps, payment);
  const answer = await connector.reportConfirm(payment.reference);
  if (answer.kind !== "done") return {};
  return answer.state === undefined
    ? { confirmTold: true }
    : { confirmTold: true, state: believed(deps, payment, answer.state) };
}

/** A payment that is over, if only since this look, is no longer waited for by its provider. */
async function tellEnd(deps: JobDeps, payment: StoredPayment): Promise<Pick<Look, "released">> {
  const connector = connectorOf(deps, payment);
  if (connector === undefined || payment.reference === null || dutyOf(payment) !== "release") return {};
  return (await connector.releaseRequisites(payment.reference)).kind === "done" ? { released: true } : {};
}

/** Asked at every look, since it changes nothing the second time; what was not answered is asked at the next. */
async function freePlace(deps: JobDeps, payment: StoredPayment): Promise<void> {
  if (payment.reference === null || !waitsForPerson(payment, deps.clock.nowMs())) return;
  await connectorOf(deps, payment)?.freePlace?.(payment.reference);
}

/** What follows from the clock, or from room in the merchant's balance. */
async function afterAnswer(deps: JobDeps, payment: StoredPayment, answer: "known" | "unknown"): Promise<StoredPayment> {
  if (waitsForRoom(payment)) return happen(deps, payment, { kind: "room_found" });
  const event = TIMER_EVENTS[payment.state];
  const silenceMs = event === "grace_over" ? DECLINE_WAITS_FOR_ANSWER_MS : TIMERS_WAIT_FOR_ANSWER_MS;
  const patienceMs = answer === "known" ? 0 : silenceMs;
  if (isFinal(payment.state) || event === undefined || !isOverdue(deps, payment, patienceMs)) return payment;
  return happen(deps, payment, { kind: event });
}

const TIMER_EVENTS: Partial<Record<PaymentState, "expired" | "confirm_timed_out" | "grace_over">> = {
  "processing:awaiting_confirm": "expired",
  "processing:paid": "confirm_timed_out",
  "dispute:no_payment": "grace_over",
};
