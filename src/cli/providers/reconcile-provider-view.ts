import type { EntryDifference, EntryView, ProviderReconciliation } from "../../app/providers/reconcile-report.ts";
import { formatMoney, type Minor } from "../../core/money.ts";
import { DIFFERENCE_KINDS, type DifferenceKind } from "../../core/provider-books/compare-entry.ts";
import type { CurrencyTotals, SideTotals, Sum } from "../../core/provider-books/totals.ts";
import { countOf, printable, renderTable, showInstant } from "../kit/output.ts";

const KIND_WORDS: Readonly<Record<DifferenceKind, string>> = {
  missing_here: "missing here",
  missing_there: "missing there",
  other_status: "other status",
  other_amount: "other sum",
  other_currency: "other currency",
  other_fee: "other fee",
  doubled: "doubled",
};

const KIND_ADVICE: Readonly<Record<DifferenceKind, string>> = {
  missing_here: "the provider has it and we do not. Ask the provider who asked for it, and check your keys there.",
  missing_there:
    "we have it and the provider does not. Does the register cover these hours? Otherwise ask the provider for it.",
  other_status: "one side says that the money moved, or that it is over, and the other does not. See payment show.",
  other_amount: "both say that the money moved, but not how much. Ask the provider which sum is right.",
  other_currency: "the provider has another request under this reference. Ask the provider what it did.",
  other_fee: "the provider charges another fee than it said when the payment ended.",
  doubled: "the register has this payment more than once; the first line was compared.",
};

export function renderReconciliation(result: ProviderReconciliation, provider: string): string {
  const parts = [renderCounts(result, provider)];
  if (result.differences.length > 0) {
    parts.push(renderDifferences(result.differences));
    const all = [...result.counts.values()].reduce((sum, count) => sum + count, 0);
    if (all > result.differences.length) parts.push(`The first ${result.differences.length} of ${all} are listed.`);
    const found = DIFFERENCE_KINDS.filter((kind) => result.counts.has(kind));
    parts.push(found.map((kind) => `${KIND_WORDS[kind]}: ${KIND_ADVICE[kind]}`).join("\n"));
  }
  if (result.refusedCount > 0) {
    const lines = result.refused.map(({ line, reason }) => printable(`  line ${line}: ${reason}`));
    parts.push([`${countOf(result.refusedCount, "line")} could not be compared:`, ...lines].join("\n"));
  }
  if (result.unansweredCount > 0) {
    const lines = result.unanswered.map((reference) => `  ${reference}`);
    const words = `${countOf(result.unansweredCount, "payment")} not answered by the provider; nothing is known of them. Try again:`;
    parts.push([words, ...lines].join("\n"));
  }
  parts.push(...result.totals.map(renderTotals));
  return parts.join("\n\n");
}

function renderCounts(result: ProviderReconciliation, provider: string): string {
  const { period, attempts, lines, otherTime, counts, fault } = result;
  const times = `${showInstant(period.since)} to ${showInstant(period.until)}`;
  if (fault !== undefined) return `Nothing was compared with ${provider}.`;
  const ofFile = lines === 0 ? "" : `, ${countOf(lines, "line")} of the register`;
  const other = otherTime === 0 ? "" : `, ${otherTime} of them of another time by our clock`;
  const found = DIFFERENCE_KINDS.filter((kind) => counts.has(kind)).map(
    (kind) => `${counts.get(kind)} ${KIND_WORDS[kind]}`,
  );
  const verdict = found.length === 0 ? "All that was compared agrees." : `${found.join(", ")}.`;
  return `${countOf(attempts, "payment")} through ${provider} from ${times}${ofFile}${other}. ${verdict}`;
}

function renderDifferences(differences: readonly EntryDifference[]): string {
  const columns = [
    { title: "DIFFERENCE" },
    { title: "LINE", align: "right" },
    { title: "REFERENCE" },
    { title: "THEIRS" },
    { title: "OURS" },
  ] as const;
  const rows = differences.map(({ kind, line, reference, theirs, ours }) => [
    KIND_WORDS[kind],
    line === null ? "-" : String(line),
    reference,
    theirs === null ? "-" : `${showEntry(theirs)} (${theirs.word})`,
    ours === null ? "-" : showEntry(ours),
  ]);
  return renderTable(columns, rows);
}

function showEntry({ status, amount, currency, fee }: EntryView): string {
  return `${status} ${formatMoney(amount, currency)}${fee === null ? "" : `, fee ${formatMoney(fee, currency)}`}`;
}

function renderTotals({ currency, ours, theirs, undirected, difference }: CurrencyTotals): string {
  const money = (amount: Minor) => formatMoney(amount, currency);
  const row = (name: string, side: SideTotals) => [
    ...[name, String(side.payins.count), money(side.payins.amount)],
    ...[String(side.payouts.count), money(side.payouts.amount), money(side.fees), money(side.net)],
  ];
  const titles = [currency, "PAY-INS", "SUM", "PAYOUTS", "SUM", "FEES", "LEFT THERE"];
  const columns = titles.map((title, index) => (index === 0 ? { title } : ({ title, align: "right" } as const)));
  const lines = [renderTable(columns, [row("theirs", theirs), row("ours", ours)])];
  if (undirected.count > 0)
    lines.push(
      `${countOf(undirected.count, "success")} of theirs, ${money(undirected.amount)}, missing here, in neither line.`,
    );
  lines.push(difference === 0n ? "The sums agree." : `The sums differ by ${money(difference)}.`);
  return lines.join("\n");
}

export function reconciliationJson(result: ProviderReconciliation) {
  const { period, attempts, lines, otherTime, refused, refusedCount, counts, differences, totals, fault } = result;
  return {
    period: { since: period.since.toISOString(), until: period.until.toISOString() },
    attempts,
    lines,
    other_time: otherTime,
    refused: { count: refusedCount, lines: refused },
    difference_counts: Object.fromEntries(DIFFERENCE_KINDS.map((kind) => [kind, counts.get(kind) ?? 0])),
    differences: differences.map(({ kind, line, reference, theirs, ours }) => ({
      ...{ kind, line, reference },
      theirs: theirs === null ? null : { ...viewJson(theirs), word: theirs.word },
      ours: ours === null ? null : viewJson(ours),
    })),
    unanswered: { count: result.unansweredCount, references: result.unanswered },
    totals: totals.map(({ currency, ours, theirs, undirected, difference }) => ({
      currency,
      ours: sideJson(ours),
      theirs: sideJson(theirs),
      undirected: sumJson(undirected),
      difference: difference.toString(),
    })),
    fault: fault ?? null,
  };
}

function viewJson({ status, amount, currency, fee }: EntryView) {
  return { status, amount: amount.toString(), currency, fee: fee?.toString() ?? null };
}

function sideJson({ payins, payouts, fees, net }: SideTotals) {
  return { payins: sumJson(payins), payouts: sumJson(payouts), fees: fees.toString(), net: net.toString() };
}

function sumJson({ count, amount }: Sum) {
  return { count, amount: amount.toString() };
}
