import { formatMoney, minorToJson } from "../../core/money.ts";
import { isFinal } from "../../core/payments/states.ts";
import type { SuspenseEntry } from "../../store/ledger/suspense.ts";
import type { SuspenseMove } from "../../store/ledger/suspense-moves.ts";
import { showDuration } from "../kit/durations.ts";
import { renderTable } from "../kit/output.ts";
import { shortPaymentId } from "../payments/payment-view.ts";
import { adviseOnSuspense } from "../payments/payment-words.ts";

/** How money in suspense is shown, and where it was moved. */
export function renderSuspense(entries: readonly SuspenseEntry[]): string {
  const columns = [
    { title: "REQUEST" },
    { title: "AMOUNT", align: "right" },
    { title: "AGE", align: "right" },
    { title: "STATE" },
    { title: "WHAT CAN BE DONE" },
    { title: "BOOK" },
    { title: "PROJECT" },
    { title: "PAYMENT ID" },
  ] as const;
  const rows = entries.map((entry) => [
    entry.requestId,
    formatMoney(entry.amount, entry.currency),
    showDuration(entry.ageS),
    entry.state,
    isFinal(entry.state) ? "assign or return" : adviseOnSuspense(entry.state),
    entry.book,
    entry.projectId,
    shortPaymentId(entry.paymentId),
  ]);
  return renderTable(columns, rows);
}

export function suspenseJson(entry: SuspenseEntry) {
  return {
    request_id: entry.requestId,
    project_id: entry.projectId,
    payment_id: entry.paymentId,
    type: entry.direction,
    book: entry.book,
    state: entry.state,
    amount: minorToJson(entry.amount),
    currency: entry.currency,
    age_s: Math.floor(entry.ageS),
  };
}

export function moveJson(move: SuspenseMove) {
  return {
    move_id: move.id,
    project_id: move.projectId,
    request_id: move.requestId,
    kind: move.kind,
    amount: minorToJson(move.amount),
    currency: move.currency,
    target_project_id: move.targetProjectId,
    target_request_id: move.targetRequestId,
    through: move.through,
    reference: move.reference,
    reason: move.reason,
    actor: move.actor,
  };
}

/** `10.00 RUB went from … to …`. */
export function describeMove(move: SuspenseMove): string {
  const sum = formatMoney(move.amount, move.currency);
  const from = `out of suspense of payment ${move.requestId}`;
  if (move.kind === "return") return `${sum} ${from} returned through ${move.through}, reference ${move.reference}.`;
  const to =
    move.kind === "to_payment" ? `payment ${move.targetRequestId}` : `the balance of project ${move.targetProjectId}`;
  return `${sum} ${from} assigned to ${to}, reference ${move.reference}.`;
}
