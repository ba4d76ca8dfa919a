import { type Column, renderTable, showInstant } from "../../cli/kit/output.ts";
import { formatMoney, minorToJson } from "../../core/money.ts";
import type { TransferOutcome } from "../store/bank-lines.ts";
import type { ShownTransfer } from "../store/read-bank-lines.ts";
import { OUTCOME_WORDS } from "./import-view.ts";
import type { ShownPayers } from "./transfer-payers.ts";

export const OUTCOMES = Object.keys(OUTCOME_WORDS) as readonly TransferOutcome[];

export function renderTransfers(transfers: readonly ShownTransfer[], payers?: ShownPayers): string {
  const columns: Column[] = [
    { title: "BOOKED" },
    { title: "ACCOUNT" },
    { title: "AMOUNT", align: "right" },
    { title: "REFERENCE" },
    { title: "OUTCOME" },
    { title: "REQUEST" },
    ...(payers === undefined ? [] : [{ title: "OTHER SIDE" }]),
  ];
  const rows = transfers.map(({ bookedFrom, bookedTo, bookedDay, account, ...transfer }) => [
    bookedFrom.getTime() === bookedTo.getTime() ? showInstant(bookedTo) : bookedDay,
    account,
    `${transfer.direction === "debit" ? "-" : ""}${formatMoney(transfer.amount, transfer.currency)}`,
    transfer.reference,
    transfer.reversedAt === null ? transfer.outcome : `${transfer.outcome}, reversed`,
    transfer.requestId ?? "-",
    ...(payers === undefined ? [] : [payers.get(transfer.id)?.text ?? "-"]),
  ]);
  return renderTable(columns, rows);
}

export function transferJson(transfer: ShownTransfer) {
  return {
    id: transfer.id,
    account: transfer.account,
    reference: transfer.reference,
    direction: transfer.direction,
    amount: minorToJson(transfer.amount),
    currency: transfer.currency,
    booked_from: transfer.bookedFrom.toISOString(),
    booked_to: transfer.bookedTo.toISOString(),
    booked_day: transfer.bookedDay,
    outcome: transfer.outcome,
    project_id: transfer.projectId,
    request_id: transfer.requestId,
    actor: transfer.actor,
    recorded_at: transfer.recordedAt.toISOString(),
    reversed_at: transfer.reversedAt?.toISOString() ?? null,
  };
}
