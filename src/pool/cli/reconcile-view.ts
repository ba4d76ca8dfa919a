import { countOf, renderTable } from "../../cli/kit/output.ts";
import type { Currency } from "../../core/currency.ts";
import { formatMoney, type Minor } from "../../core/money.ts";
import type { Reconciliation } from "../app/reconcile.ts";
import type { Difference, DifferenceKind } from "../store/statement-lines.ts";

const KIND_WORDS: Readonly<Record<DifferenceKind, string>> = {
  missing_here: "missing here",
  missing_there: "missing there",
  amount_differs: "amount differs",
  doubled: "doubled",
  other_day: "other day",
};

const DIFFERENCE_KINDS = Object.keys(KIND_WORDS) as readonly DifferenceKind[];

const KIND_ADVICE: Readonly<Record<DifferenceKind, string>> = {
  missing_here: "the bank has it and we do not. Import this statement, then compare again.",
  missing_there: "we have it and this statement does not. Is it the whole of these days? Else ask the bank for it.",
  amount_differs: "another sum, or another direction, was recorded under this reference. Ask the bank which is right.",
  doubled:
    "the file has this reference more than once; it was counted once. Ask the bank whether the money moved twice.",
  other_day: "nothing is lost; the bank's day is not ours.",
};

export function renderReconciliation(result: Reconciliation, currency: Currency): string {
  const parts = [renderCounts(result)];
  if (result.differences.length > 0) {
    parts.push(renderDifferences(result.differences, currency));
    const found = DIFFERENCE_KINDS.filter((kind) => result.differences.some((difference) => difference.kind === kind));
    parts.push(found.map((kind) => `${KIND_WORDS[kind]}: ${KIND_ADVICE[kind]}`).join("\n"));
  }
  if (result.refusedCount > 0) {
    const lines = result.refused.map(({ line, reason }) => `  line ${line}: ${reason}`);
    parts.push([`${countOf(result.refusedCount, "line")} could not be compared:`, ...lines].join("\n"));
  }
  const { closing } = result;
  if (closing !== undefined) parts.push(renderClosing(closing, currency));
  return parts.join("\n\n");
}

function renderCounts({ period, lines, foreign, differences }: Reconciliation): string {
  const others = foreign === 0 ? "" : `, ${foreign} about other accounts left out`;
  const found = DIFFERENCE_KINDS.map(
    (kind) => [kind, differences.filter((difference) => difference.kind === kind).length] as const,
  )
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${KIND_WORDS[kind]}`);
  if (period === undefined)
    return `The file has no line and no balance of this account${others}, so nothing was compared: name its days with --from and --to.`;
  const days = period.from === period.to ? period.from : `${period.from} to ${period.to}`;
  const verdict = found.length === 0 ? "Every line agrees." : `${found.join(", ")}.`;
  return `${countOf(lines, "line")} of ${days}${others}. ${verdict}`;
}

function renderDifferences(differences: readonly Difference[], currency: Currency): string {
  const columns = [
    { title: "DIFFERENCE" },
    { title: "LINE", align: "right" },
    { title: "REFERENCE" },
    { title: "THEIRS", align: "right" },
    { title: "OURS", align: "right" },
    { title: "THEIR DAY" },
    { title: "OUR DAY" },
  ] as const;
  const money = (amount: bigint | null) => (amount === null ? "-" : formatMoney(amount as Minor, currency));
  const rows = differences.map(({ kind, line, reference, theirs, ours, theirDay, ourDay }) => [
    KIND_WORDS[kind],
    line === null ? "-" : String(line),
    reference,
    money(theirs),
    money(ours),
    theirDay ?? "-",
    ourDay ?? "-",
  ]);
  return renderTable(columns, rows);
}

function renderClosing(closing: NonNullable<Reconciliation["closing"]>, currency: Currency): string {
  const ours = formatMoney(closing.ours as Minor, currency);
  if (closing.theirs === undefined)
    return `At the end of ${closing.day} there should be ${ours}. The statement does not say what there is: see --closing-balance.`;
  const theirs = formatMoney(closing.theirs as Minor, currency);
  if (closing.theirs === closing.ours) return `At the end of ${closing.day} there are ${ours}, as there should be.`;
  const off = formatMoney((closing.theirs - closing.ours) as Minor, currency);
  return `At the end of ${closing.day} there are ${theirs} by the bank and ${ours} by the ledger: ${off} differ.`;
}

export function reconciliationJson(result: Reconciliation) {
  const { period, lines, foreign, refused, refusedCount, differences, closing, fault } = result;
  return {
    period: period ?? null,
    lines,
    foreign,
    refused: { count: refusedCount, lines: refused },
    differences: differences.map(({ kind, line, reference, theirs, ours, theirDay, ourDay }) => ({
      ...{ kind, line, reference, theirs: theirs?.toString() ?? null, ours: ours?.toString() ?? null },
      their_day: theirDay,
      our_day: ourDay,
    })),
    closing:
      closing === undefined
        ? null
        : { day: closing.day, theirs: closing.theirs?.toString() ?? null, ours: closing.ours.toString() },
    fault: fault ?? null,
  };
}
