import { type Column, renderTable, showInstant } from "../../cli/kit/output.ts";
import { formatMoney, minorToJson } from "../../core/money.ts";
import type { BankLineOutcome } from "../store/bank-lines.ts";
import type { ShownLine } from "../store/read-bank-lines.ts";
import { OUTCOME_WORDS } from "./import-view.ts";
import type { ShownPayers } from "./transfer-payers.ts";

export const OUTCOMES = Object.keys(OUTCOME_WORDS) as readonly BankLineOutcome[];

export function renderBankLines(lines: readonly ShownLine[], payers?: ShownPayers): string {
  const columns: Column[] = [
    { title: "BOOKED" },
    { title: "ACCOUNT" },
    { title: "AMOUNT", align: "right" },
    { title: "REFERENCE" },
    { title: "OUTCOME" },
    { title: "REQUEST" },
    ...(payers === undefined ? [] : [{ title: "OTHER SIDE" }]),
  ];
  const rows = lines.map(({ bookedFrom, bookedTo, bookedDay, account, ...line }) => [
    bookedFrom.getTime() === bookedTo.getTime() ? showInstant(bookedTo) : bookedDay,
    account,
    `${line.direction === "debit" ? "-" : ""}${formatMoney(line.amount, line.currency)}`,
    line.reference,
    line.reversedAt === null ? line.outcome : `${line.outcome}, reversed`,
    line.requestId ?? "-",
    ...(payers === undefined ? [] : [payers.get(line.id)?.text ?? "-"]),
  ]);
  return renderTable(columns, rows);
}

export function bankLineJson(line: ShownLine) {
  return {
    id: line.id,
    account: line.account,
    reference: line.reference,
    direction: line.direction,
    amount: minorToJson(line.amount),
    currency: line.currency,
    booked_from: line.bookedFrom.toISOString(),
    booked_to: line.bookedTo.toISOString(),
    booked_day: line.bookedDay,
    outcome: line.outcome,
    project_id: line.projectId,
    request_id: line.requestId,
    actor: line.actor,
    recorded_at: line.recordedAt.toISOString(),
    reversed_at: line.reversedAt?.toISOString() ?? null,
  };
}
