import { type CsvItem, openCsv } from "../../../core/csv.ts";
import { findCurrency } from "../../../core/currency.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { readCsvHeader } from "./csv-header.ts";
import { type CsvLineRules, fieldReader, readCsvLine } from "./csv-line.ts";
import { findDateFormat } from "./date-format.ts";
import { type RunningBalances, trackBalances } from "./running-balance.ts";
import { readAmount } from "./statement-amount.ts";
import type { StatementItem, StatementLine, StatementReader } from "./statement-item.ts";
import { csvOptionsOf, type StatementMapping } from "./statement-mapping.ts";

/** What banks write into a column of the direction, unless the mapping has other words. */
const CREDIT_WORDS = [
  "credit",
  "cr",
  "c",
  "crdt",
  "in",
  "incoming",
  "+",
  "кредит",
  "приход",
  "поступление",
  "зачисление",
];
const DEBIT_WORDS = ["debit", "dr", "d", "dbit", "out", "outgoing", "-", "дебет", "расход", "списание"];

/** Reads a statement in CSV. The mapping must have passed checkStatementMapping. */
export function openCsvStatement(mapping?: StatementMapping): StatementReader {
  const csv = openCsv(csvOptionsOf(mapping));
  const balances = trackBalances();
  let rules: CsvLineRules | undefined;
  let failure: string | undefined;

  function take(records: readonly CsvItem[]): Result<StatementItem[], string> {
    const items: StatementItem[] = [];
    for (const record of records) {
      if (failure !== undefined) break;
      if (rules === undefined) {
        const read = readRules(record, mapping);
        if (read.ok) rules = read.value;
        else failure = read.error;
      } else items.push(toItem(record, rules, balances));
    }
    return failure === undefined ? ok(items) : fail(failure);
  }

  return {
    push: (chunk) => (failure === undefined ? take(csv.push(chunk)) : fail(failure)),
    end: () => {
      const last = failure === undefined ? take(csv.end()) : fail(failure);
      if (!last.ok) return last;
      if (rules === undefined) return fail("The file has no header: it is empty, or all of its lines are skipped.");
      return ok([...last.value, ...balances.list()]);
    },
  };
}

function readRules(first: CsvItem, mapping: StatementMapping | undefined): Result<CsvLineRules, string> {
  if (first.kind === "fault")
    return fail(`The header in line ${first.value.line} cannot be read: ${first.value.message}.`);
  const header = readCsvHeader(first.value.fields, mapping);
  if (!header.ok) return header;
  return ok({
    header: header.value,
    currency: mapping?.currency === undefined ? undefined : findCurrency(mapping.currency),
    dateFormat: mapping?.dateFormat === undefined ? undefined : findDateFormat(mapping.dateFormat),
    decimal: mapping?.decimal,
    creditWords: wordSet(mapping?.creditWords, CREDIT_WORDS, mapping?.debitWords),
    debitWords: wordSet(mapping?.debitWords, DEBIT_WORDS, mapping?.creditWords),
  });
}

/** The words that were given, or the usual ones without those that were given another meaning. */
function wordSet(
  given: readonly string[] | undefined,
  usual: readonly string[],
  givenElsewhere: readonly string[] = [],
): ReadonlySet<string> {
  const taken = givenElsewhere.map(normalise);
  return new Set(given === undefined ? usual.filter((word) => !taken.includes(word)) : given.map(normalise));
}

function normalise(word: string): string {
  return word.trim().toLowerCase();
}

function toItem(record: CsvItem, rules: CsvLineRules, balances: RunningBalances): StatementItem {
  const { line } = record.value;
  const fields = record.kind === "record" ? record.value.fields : [];
  const read = record.kind === "record" ? readCsvLine(line, fields, rules) : fail(record.value.message);
  if (!read.ok) {
    balances.interrupt();
    return { kind: "refused", value: { line, reason: read.error } };
  }
  noteBalance(read.value, fields, rules, balances);
  return { kind: "line", value: read.value };
}

function noteBalance(
  line: StatementLine,
  fields: readonly string[],
  rules: CsvLineRules,
  balances: RunningBalances,
): void {
  const text = fieldReader(fields, rules.header)("balance");
  if (text === undefined) return;
  const balance = readAmount(text, line.currency, rules.decimal);
  if (balance.ok) balances.note(line, balance.value);
  else balances.interrupt();
}
