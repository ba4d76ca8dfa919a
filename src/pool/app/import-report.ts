import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import type { RefusedLine, StatementLine } from "../core/statement/statement-item.ts";
import type { BankLineDirection, BankLineOutcome } from "../store/bank-lines.ts";
import type { Recorded } from "./record-lines.ts";
import type { ReportedLine } from "./reported-lines.ts";

/** The results of a statement's lines. It stays small however long the statement is. */
export type ImportReport = {
  /** Lines that were recorded, were known, or contradict what is known. */
  lines: number;
  known: number;
  /** By outcome: how many, and how much in each currency. */
  readonly recorded: Map<BankLineOutcome, { count: number; readonly sums: Map<Currency, bigint> }>;
  refusedCount: number;
  contradictingCount: number;
  /** The first of each that a person must look at. */
  readonly refused: RefusedLine[];
  readonly contradicting: NotedLine[];
  readonly noted: NotedLine[];
};

export type NotedLine = {
  readonly line: number;
  readonly account: string;
  readonly reference: string;
  readonly direction: BankLineDirection;
  readonly amount: Minor;
  readonly currency: Currency;
  readonly outcome: BankLineOutcome | "contradicts";
  readonly requestId: Id | null;
};

const LISTED_MAX = 200;
/** Lines with an expected outcome are not listed. */
const UNREMARKABLE: ReadonlySet<BankLineOutcome> = new Set(["exact", "payout", "return", "funds"]);

export function newReport(): ImportReport {
  return {
    lines: 0,
    known: 0,
    recorded: new Map(),
    refusedCount: 0,
    contradictingCount: 0,
    refused: [],
    contradicting: [],
    noted: [],
  };
}

export function noteRefused(report: ImportReport, refused: RefusedLine): void {
  report.refusedCount += 1;
  if (report.refused.length < LISTED_MAX) report.refused.push(refused);
}

const AHEAD = "it is booked at a time that is still to come: are the account's time zone and the date format right?";

export function noteRecorded(
  report: ImportReport,
  line: StatementLine,
  { account, reference, direction, amount, currency }: ReportedLine,
  result: Recorded,
): void {
  if (result.kind === "reference_used") throw new Error("a statement's line needs no operator's reference");
  if (result.kind === "ahead") {
    noteRefused(report, {
      line: line.line,
      reason: AHEAD,
    });
    return;
  }
  report.lines += 1;
  const noted = { line: line.line, account: account.code, reference, direction, amount, currency };
  if (result.kind === "known") {
    report.known += 1;
  } else if (result.kind === "contradicts") {
    report.contradictingCount += 1;
    const { requestId } = result.line;
    if (report.contradicting.length < LISTED_MAX)
      report.contradicting.push({ ...noted, outcome: "contradicts", requestId });
  } else {
    const { outcome, requestId } = result;
    const row = report.recorded.get(outcome) ?? { count: 0, sums: new Map() };
    report.recorded.set(outcome, row);
    row.count += 1;
    row.sums.set(currency, (row.sums.get(currency) ?? 0n) + amount);
    if (!UNREMARKABLE.has(outcome) && report.noted.length < LISTED_MAX)
      report.noted.push({ ...noted, outcome, requestId });
  }
}
