import type { FindByHand, PaymentTrail } from "../../app/payments/read-payments.ts";
import { formatMoney, minorToJson } from "../../core/money.ts";
import type { PageChoice } from "../../store/page/page-choices.ts";
import type { ShownPayment } from "../../store/payments/read-payments.ts";
import { renderPairs, renderTable, showInstant } from "../kit/output.ts";
import { moveJson } from "../ledger/suspense-view.ts";
import { instantJson, moneyOrNone, paymentJson } from "./payment-view.ts";
import { timersOf } from "./payment-words.ts";

/** What is known of a payout that a person was to make, and how it is shown. The pool hands this in. */
export type ByHandPart<ByHand> = {
  readonly find: FindByHand<ByHand>;
  readonly pairs: (payment: ShownPayment, byHand: ByHand) => (readonly [name: string, value: string])[];
  readonly json: (payment: ShownPayment, byHand: ByHand) => object;
};

/** Everything about one payment, for an operator who must find out what happened to it. */
export function renderTrail<ByHand>(trail: PaymentTrail<ByHand>, part: ByHandPart<ByHand>): string {
  const { attempts, receipts, transfers, moves, callbacks, history } = trail;
  const { currency } = trail.payment;
  const sections = [
    renderHead(trail, part),
    choicesSection(trail),
    section("Attempts", ["NUMBER", "PROVIDER", "REFERENCE", "OUTCOME", "SINCE", "DETAIL"], attempts, (attempt) => [
      String(attempt.number),
      attempt.provider,
      attempt.reference,
      attempt.outcome,
      showInstant(attempt.createdAt),
      attempt.detail ?? "",
    ]),
    section(
      "Why these providers",
      ["ATTEMPT", "PROVIDER", "REASON"],
      attempts.flatMap(({ number, reasons }) =>
        (reasons ?? []).map(([provider, reason]) => ({ number, provider, reason })),
      ),
      ({ number, provider, reason }) => [String(number), provider, reason],
    ),
    section("Money that arrived", ["AMOUNT", "PROVIDER", "REFERENCE", "RECEIVED"], receipts, (receipt) => [
      formatMoney(receipt.amount, currency),
      receipt.provider,
      receipt.receiptReference,
      showInstant(receipt.receivedAt),
    ]),
    section("Transfers", ["FROM", "TO", "AMOUNT", "KIND", "AT"], transfers, (transfer) => [
      transfer.from,
      transfer.to,
      formatMoney(transfer.amount, transfer.currency),
      transfer.kind,
      showInstant(transfer.createdAt),
    ]),
    section("Moved out of suspense", ["AMOUNT", "KIND", "REFERENCE", "BY", "AT", "REASON"], moves, (move) => [
      formatMoney(move.amount, move.currency),
      move.reversedAt === null ? move.kind : `${move.kind}, reversed`,
      move.reference,
      move.actor,
      showInstant(move.createdAt),
      move.reason,
    ]),
    section(
      "Callbacks",
      ["SEQUENCE", "STATE", "ATTEMPTS", "LAST ANSWER", "NEXT", "DELIVERED", "URL"],
      callbacks,
      (callback) => [
        String(callback.sequence),
        callback.state,
        String(callback.attemptCount),
        callback.lastAnswer ?? "",
        callback.dueAt === null ? "" : showInstant(callback.dueAt),
        callback.deliveredAt === null ? "" : showInstant(callback.deliveredAt),
        callback.url,
      ],
    ),
    section("History", ["NUMBER", "AT", "EVENT", "FROM", "TO", "BY", "DETAIL"], history, (entry) => [
      String(entry.number),
      showInstant(entry.createdAt),
      entry.event,
      entry.fromState ?? "",
      entry.toState,
      entry.actor,
      entry.detail ?? "",
    ]),
  ];
  return sections.filter((text) => text !== undefined).join("\n\n");
}

/** With the money that came for a choice after it was over: it stands in suspense. */
function choicesSection<ByHand>({ choices, payment }: PaymentTrail<ByHand>): string | undefined {
  const columns = ["NUMBER", "METHOD", "BANK", "CARD", "CHOSEN", "ENDED", "DECLINED", "LATE MONEY"];
  return section("Choices of the payer", columns, choices, (choice) => [
    String(choice.number),
    choice.method,
    choice.bank ?? "",
    choice.mask ?? "",
    showInstant(choice.chosenAt),
    choice.endedAt === null ? "" : showInstant(choice.endedAt),
    choice.declineCode ?? "",
    choice.receivedAmount === 0n ? "" : formatMoney(choice.receivedAmount, payment.currency),
  ]);
}

function section<T>(
  title: string,
  columns: readonly string[],
  items: readonly T[],
  cellsOf: (item: T) => readonly string[],
): string | undefined {
  if (items.length === 0) return undefined;
  const table = renderTable(
    columns.map((each) => ({ title: each })),
    items.map(cellsOf),
  );
  return `${title}\n${table}`;
}

function renderHead<ByHand>({ payment, suspense, byHand }: PaymentTrail<ByHand>, part: ByHandPart<ByHand>): string {
  const { currency } = payment;
  const decline = payment.declineCode === null ? "" : ` (${payment.declineCode})`;
  const optionalPairs: (readonly [string, string] | undefined)[] = [
    payment.statusDescription === null ? undefined : ["description", payment.statusDescription],
    payment.receivedAmount === 0n ? undefined : ["received", formatMoney(payment.receivedAmount, currency)],
    suspense === 0n ? undefined : ["in suspense", formatMoney(suspense, currency)],
  ];
  return renderPairs([
    ["request", payment.requestId],
    ["project", `${payment.projectId}, ${payment.book}`],
    ["payment id", payment.paymentId],
    ["type", `${payment.direction}, ${payment.product}${payment.method === null ? "" : `, ${payment.method}`}`],
    ["customer", payment.customerId],
    ["state", `${payment.state}${decline}`],
    ["amount", formatMoney(payment.amount, currency)],
    ["requested", formatMoney(payment.requestedAmount, currency)],
    ["fee", moneyOrNone(payment.fee, currency)],
    ...optionalPairs.filter((pair) => pair !== undefined),
    ["provider", payment.provider ?? "none yet"],
    ["reference", payment.reference ?? "none yet"],
    ...(byHand === undefined ? [] : part.pairs(payment, byHand)),
    ...timersOf(payment),
  ]);
}

export function trailJson<ByHand>(
  { payment, suspense, byHand, ...trail }: PaymentTrail<ByHand>,
  part: ByHandPart<ByHand>,
) {
  return {
    ...paymentJson(payment),
    in_suspense: minorToJson(suspense),
    by_hand: byHand === undefined ? null : part.json(payment, byHand),
    choices: trail.choices.map(choiceJson),
    attempts: trail.attempts.map(({ number, provider, reference, reasons, outcome, detail, createdAt, endedAt }) => ({
      number,
      provider,
      reference,
      outcome,
      detail,
      created_at: createdAt.toISOString(),
      ended_at: instantJson(endedAt),
      ...(reasons === null ? {} : { reasons: reasons.map(([code, reason]) => ({ provider: code, reason })) }),
    })),
    receipts: trail.receipts.map(({ provider, receiptReference, amount, receivedAt }) => ({
      provider,
      transfer_reference: receiptReference,
      amount: minorToJson(amount),
      received_at: receivedAt.toISOString(),
    })),
    transfers: trail.transfers.map(({ id, from, to, amount, kind, createdAt }) => ({
      transfer_id: id,
      from,
      to,
      amount: minorToJson(amount),
      kind,
      created_at: createdAt.toISOString(),
    })),
    suspense_moves: trail.moves.map((move) => ({
      ...moveJson(move),
      reversed_at: move.reversedAt?.toISOString() ?? null,
    })),
    callbacks: trail.callbacks.map(({ id, sequence, url, state, attemptCount, lastAnswer, dueAt, deliveredAt }) => ({
      callback_id: id,
      sequence,
      url,
      state,
      attempts: attemptCount,
      last_answer: lastAnswer,
      due_at: instantJson(dueAt),
      delivered_at: instantJson(deliveredAt),
    })),
    history: trail.history.map(({ number, event, fromState, toState, actor, detail, createdAt }) => ({
      number,
      event,
      from_state: fromState,
      to_state: toState,
      actor,
      detail,
      created_at: createdAt.toISOString(),
    })),
  };
}

function choiceJson({ number, method, bank, mask, brand, ...choice }: PageChoice) {
  return {
    number,
    method,
    bank,
    card: mask === null ? null : { pan: mask, brand },
    decline_code: choice.declineCode,
    late_money: minorToJson(choice.receivedAmount),
    chosen_at: choice.chosenAt.toISOString(),
    ended_at: instantJson(choice.endedAt),
  };
}
