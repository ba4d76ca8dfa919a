import { countOf, renderTable } from "../../cli/kit/output.ts";
import type { Currency } from "../../core/currency.ts";
import { formatMoney, type Minor } from "../../core/money.ts";
import type { ImportReport, NotedLine } from "../app/import-report.ts";
import type { BankLineOutcome } from "../store/bank-lines.ts";

/** What an operator reads after an import: where the money went, and what the operator must look at. */

export const OUTCOME_WORDS: Readonly<Record<BankLineOutcome, string>> = {
  exact: "to the pay-in that waited for exactly this amount",
  other_amount: "to a pay-in that waited for another amount: settle or decline it",
  ended: "in suspense under a pay-in that had ended",
  unclaimed: "in suspense: no pay-in matches",
  payout: "debit of a payout",
  return: "returned from suspense",
  cost: "bank charge, paid from our fees",
  funds: "funds moved to or from a provider",
  unexplained: "debit not matched to a payout",
};

const NOTED_COLUMNS = [
  { title: "LINE", align: "right" },
  { title: "ACCOUNT" },
  { title: "AMOUNT", align: "right" },
  { title: "REFERENCE" },
  { title: "RESULT" },
  { title: "REQUEST" },
] as const;

const CONTRADICTING_ADVICE =
  "See what was recorded: transfer list --reference REFERENCE. If it was recorded by mistake, reverse it with transfer reverse and import the file again. If the bank means another transfer, record it with transfer record under a reference of your own.";
const REFUSED_ADVICE =
  "Correct these lines in the file and import it again, which changes nothing for the other lines; or record them with transfer record.";

export function renderImport(report: ImportReport): string {
  const parts = [renderTotals(report)];
  if (report.noted.length > 0) parts.push(renderNoted(report.noted));
  if (report.contradictingCount > 0) {
    const title = `${countOf(report.contradictingCount, "line")} changed nothing: under the same reference another sum, direction or day was recorded.`;
    parts.push(`${title}\n${renderNoted(report.contradicting)}\n${CONTRADICTING_ADVICE}`);
  }
  if (report.refusedCount > 0) {
    const lines = report.refused.map(({ line, reason }) => `  line ${line}: ${reason}`);
    parts.push([`${countOf(report.refusedCount, "line")} refused:`, ...lines, REFUSED_ADVICE].join("\n"));
  }
  return parts.join("\n\n");
}

function renderTotals(report: ImportReport): string {
  const recorded = [...report.recorded.entries()].flatMap(([outcome, { count, sums }]) =>
    [...sums.entries()].map(([currency, sum], index) => [
      index === 0 ? String(count) : "",
      formatMoney(sum as Minor, currency as Currency),
      OUTCOME_WORDS[outcome],
    ]),
  );
  if (report.known > 0) recorded.push([String(report.known), "", "already recorded: nothing was changed"]);
  if (recorded.length === 0) return "No transfer was imported.";
  return renderTable(
    [{ title: "LINES", align: "right" }, { title: "SUM", align: "right" }, { title: "WHERE" }],
    recorded,
  );
}

function renderNoted(noted: readonly NotedLine[]): string {
  const rows = noted.map(({ line, account, direction, amount, currency, reference, outcome, requestId }) => [
    String(line),
    account,
    `${direction === "debit" ? "-" : ""}${formatMoney(amount, currency)}`,
    reference,
    outcome === "contradicts" ? "contradicts what was recorded" : OUTCOME_WORDS[outcome],
    requestId ?? "-",
  ]);
  return renderTable(NOTED_COLUMNS, rows);
}

export function importJson(report: ImportReport, fault: string | undefined) {
  return {
    recorded: [...report.recorded.entries()].map(([outcome, { count, sums }]) => ({
      outcome,
      count,
      sums: Object.fromEntries([...sums.entries()].map(([currency, sum]) => [currency, sum.toString()])),
    })),
    known: report.known,
    refused: { count: report.refusedCount, lines: report.refused },
    contradicting: { count: report.contradictingCount, lines: report.contradicting.map(notedJson) },
    noted: report.noted.map(notedJson),
    fault: fault ?? null,
  };
}

function notedJson({ requestId, amount, ...noted }: NotedLine) {
  return { ...noted, amount: amount.toString(), request_id: requestId };
}
