import { type Currency, findCurrency } from "../../../core/currency.ts";
import { toAmount } from "../../../core/money.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { readIsoTime } from "./booked-time.ts";
import { type CamtDetail, readReversal } from "./camt-detail.ts";
import { cleanPayer, findReference, readReference } from "./line-texts.ts";
import { readPlainAmount } from "./statement-amount.ts";
import type { BookedTime, StatementItem, StatementLine } from "./statement-item.ts";
import { findPart, findText, type XmlPart } from "./xml-part.ts";

/** An entry with its transactions, which were made small while they were read. */
export type CamtEntry = {
  readonly number: number;
  readonly account: string | undefined;
  readonly part: XmlPart;
  /** Undefined when there were more of them than can be held. */
  readonly details: readonly CamtDetail[] | undefined;
};

export type CamtSum = { readonly direction: "credit" | "debit"; readonly amount: bigint; readonly currency: Currency };

/** The lines that an entry stands for: itself, or each transaction of a batch. */
export function readCamtEntry(entry: CamtEntry): StatementItem[] {
  const lines = readLines(entry);
  if (!lines.ok) return [{ kind: "refused", value: { line: entry.number, reason: lines.error } }];
  return lines.value.map((value) => ({ kind: "line", value }));
}

function readLines(entry: CamtEntry): Result<readonly StatementLine[], string> {
  const { part } = entry;
  const status = findText(part, "Sts", "Cd") ?? findText(part, "Sts");
  if (status !== "BOOK") return fail(status === undefined ? "the entry has no status" : "not booked yet");
  const sum = readCamtSum(part);
  if (!sum.ok) return sum;
  if (sum.value.amount === 0n) return fail("the amount is zero");
  const booked = readBookingDate(part);
  if (!booked.ok) return booked;
  return splitBatch(entry, sum.value, booked.value) ?? wholeEntry(entry, sum.value, booked.value);
}

/** Amount, currency and direction of an entry or a balance. */
export function readCamtSum(part: XmlPart): Result<CamtSum, string> {
  const amountPart = findPart(part, "Amt");
  const currency = findCurrency(amountPart?.currency ?? "");
  if (amountPart === undefined) return fail("the amount is missing");
  if (currency === undefined) return fail("the currency is not an ISO 4217 code");
  const amount = readPlainAmount(amountPart.text.trim(), currency);
  if (!amount.ok) return amount;
  const indicator = findText(part, "CdtDbtInd");
  if (indicator !== "CRDT" && indicator !== "DBIT") return fail("the entry says neither credit nor debit");
  return ok({ direction: indicator === "CRDT" ? "credit" : "debit", amount: amount.value, currency });
}

function readBookingDate(part: XmlPart): Result<BookedTime, string> {
  const text = findText(part, "BookgDt", "DtTm") ?? findText(part, "BookgDt", "Dt");
  return text === undefined ? fail("the booking date is missing") : readIsoTime(text);
}

function wholeEntry(entry: CamtEntry, sum: CamtSum, booked: BookedTime): Result<readonly StatementLine[], string> {
  const [only, second] = entry.details ?? [];
  const single = second === undefined ? only : undefined;
  const written = entryReference(entry.part) ?? single?.bankReference ?? single?.otherReference;
  const reference = readReference(written ?? "");
  if (!reference.ok) return reference;
  const payer = single?.payer ?? cleanPayer(findText(entry.part, "AddtlNtryInf") ?? "");
  const line = toLine(entry, sum, booked, { reference: reference.value, payer });
  return line.ok ? ok([line.value]) : line;
}

/**
 * One line for each transaction, when each has an amount and a reference of its own and together they are the entry.
 * A payer may use the same reference for every payment, so one that is not the bank's counts within its entry only.
 */
function splitBatch(
  entry: CamtEntry,
  sum: CamtSum,
  booked: BookedTime,
): Result<readonly StatementLine[], string> | undefined {
  const { details } = entry;
  if (details === undefined || details.length < 2) return undefined;
  const prefix = entryReference(entry.part);
  const lines: StatementLine[] = [];
  const references = new Set<string>();
  let total = 0n;
  for (const detail of details) {
    const own = detail.bankReference === prefix ? undefined : detail.bankReference;
    const other = detail.otherReference;
    const reference = readReference(own ?? (other && prefix ? `${prefix}/${other}` : (other ?? "")));
    if (!reference.ok || detail.amount === undefined || detail.currency !== sum.currency) return undefined;
    const direction = detail.direction ?? sum.direction;
    total += direction === sum.direction ? detail.amount : -detail.amount;
    references.add(reference.value);
    const part = { ...sum, direction, amount: detail.amount };
    const line = toLine(entry, part, booked, { reference: reference.value, payer: detail.payer });
    if (!line.ok) return undefined;
    lines.push(line.value);
  }
  return total === sum.amount && references.size === details.length ? ok(lines) : undefined;
}

function toLine(
  entry: CamtEntry,
  { direction, amount, currency }: CamtSum,
  booked: BookedTime,
  texts: Pick<StatementLine, "reference" | "payer">,
): Result<StatementLine, string> {
  const checked = toAmount(amount);
  if (!checked.ok) return fail(amount === 0n ? "the amount is zero" : "the amount is too large");
  const { number: line, account } = entry;
  const isReversal = readReversal(entry.part);
  return ok({ line, account, direction, isReversal, amount: checked.value, currency, ...texts, booked });
}

function entryReference(part: XmlPart): string | undefined {
  return findReference(findText(part, "AcctSvcrRef")) ?? findReference(findText(part, "NtryRef"));
}
