import type { NotificationSubject, ProviderBooks } from "../../core/connector.ts";
import { kindOf } from "../../core/payments/kinds.ts";
import { compareEntry, type OurEntry, ourEntryOf, type TheirEntry } from "../../core/provider-books/compare-entry.ts";
import type { RegisterItem, RegisterLine } from "../../core/provider-books/register-file.ts";
import type { Result } from "../../core/result.ts";
import type { Database } from "../../store/db.ts";
import {
  type AttemptMoney,
  type EntryCursor,
  type EntryPeriod,
  findAttemptMoney,
  listAttemptMoney,
} from "../../store/providers/our-entries.ts";
import { openReport, type ProviderReconciliation, type Report } from "./reconcile-report.ts";

/** A provider's books beside ours, entry by entry. It changes nothing. */
export type ReconcileProvider = {
  readonly provider: string;
  readonly period: EntryPeriod;
  readonly source: RegisterSource | AnswerSource;
  readonly onProgress?: (compared: number) => void;
};

/** Its register, as a file. */
type RegisterSource = {
  readonly kind: "register";
  readonly portions: AsyncIterable<Result<readonly RegisterItem[], string>>;
};

/** Its answer to a question about each attempt. */
export type AnswerSource = {
  readonly kind: "answers";
  readonly readEntry: ProviderBooks["readEntry"];
  /** Answers of an earlier run that was interrupted, which are not asked for again. */
  readonly known: ReadonlyMap<string, TheirEntry>;
  readonly onAnswer: (reference: string, entry: TheirEntry) => void;
};

const PORTION = 500;
/** Questions to the provider at the same time. Payments have its attention first. */
const ASKED_AT_ONCE = 8;

export async function reconcileProvider(db: Database, command: ReconcileProvider): Promise<ProviderReconciliation> {
  const report = openReport(command.period);
  const { source } = command;
  if (source.kind === "answers") await compareWithAnswers(db, command, source, report);
  else {
    const lines = await readRegister(source, report);
    if (lines !== undefined) await compareWithRegister(db, command, lines, report);
  }
  return report.read();
}

/** The whole register, by reference; undefined: it cannot be read. */
async function readRegister(
  { portions }: RegisterSource,
  report: Report,
): Promise<Map<string, RegisterLine> | undefined> {
  const lines = new Map<string, RegisterLine>();
  for await (const portion of portions) {
    if (!portion.ok) {
      report.fail(portion.error);
      return undefined;
    }
    for (const item of portion.value) {
      if (item.kind === "refused") report.refuse(item.value);
      else if (lines.has(item.value.reference)) report.differ("doubled", undefined, item.value);
      else lines.set(item.value.reference, item.value);
    }
  }
  report.counted.lines = lines.size;
  return lines;
}

async function compareWithRegister(
  db: Database,
  command: ReconcileProvider,
  lines: Map<string, RegisterLine>,
  report: Report,
): Promise<void> {
  for await (const portion of portionsOf(db, command)) {
    for (const { reference, ours } of portion.map(asEntry)) {
      report.compare(ours, lines.get(reference));
      lines.delete(reference);
    }
    command.onProgress?.(report.counted.attempts);
  }
  // What is left was made at another time by our clock, or is not ours.
  const rest = [...lines.keys()];
  for (let from = 0; from < rest.length; from += PORTION) {
    const references = rest.slice(from, from + PORTION);
    for (const { reference, ours } of (await findAttemptMoney(db, command.provider, references)).map(asEntry)) {
      report.counted.otherTime += 1;
      report.compare(ours, lines.get(reference));
      lines.delete(reference);
    }
  }
  for (const line of lines.values()) report.missingHere(line);
}

async function compareWithAnswers(
  db: Database,
  command: ReconcileProvider,
  source: AnswerSource,
  report: Report,
): Promise<void> {
  for await (const portion of portionsOf(db, command)) {
    const asked = await inParallel(portion, (attempt) => askFor(source, attempt));
    const inDoubt: Answered[] = [];
    for (const answered of asked) {
      const { ours, answer } = answered;
      if (answer === "unknown") report.unanswered(ours.reference);
      else if (agree(ours, answer)) report.compare(ours, answer);
      else inDoubt.push(answered);
    }
    await compareAgain(db, command.provider, inDoubt, report);
    command.onProgress?.(report.counted.attempts);
  }
}

/** Our side may have gone on while the provider was asked: what differs is read again. */
async function compareAgain(
  db: Database,
  provider: string,
  inDoubt: readonly Answered[],
  report: Report,
): Promise<void> {
  if (inDoubt.length === 0) return;
  const answers = new Map(inDoubt.map(({ ours, answer }) => [ours.reference, answer]));
  for (const { reference, ours } of (await findAttemptMoney(db, provider, [...answers.keys()])).map(asEntry)) {
    const answer = answers.get(reference);
    report.compare(ours, answer === "unknown" ? undefined : answer);
  }
}

/** Undefined: the provider has never seen it. */
type Answer = TheirEntry | undefined | "unknown";
type Answered = { readonly ours: OurEntry; readonly answer: Answer };

function agree(ours: OurEntry, theirs: TheirEntry | undefined): boolean {
  return theirs === undefined ? ours.mayBeAbsent : compareEntry(ours, theirs).length === 0;
}

async function askFor(source: AnswerSource, attempt: AttemptMoney): Promise<Answered> {
  const { reference } = attempt;
  const { ours } = asEntry(attempt);
  const known = source.known.get(reference);
  if (known !== undefined) return { ours, answer: known };
  const answer = await source.readEntry(subjectOf(attempt)).catch(() => ({ kind: "unknown" }) as const);
  if (answer.kind === "unknown") return { ours, answer: "unknown" };
  if (answer.kind === "never_seen") return { ours, answer: undefined };
  const { status, word, amount, currency, fee } = answer;
  const entry = { status, word, amount, currency, fee };
  source.onAnswer(reference, entry);
  return { ours, answer: entry };
}

function subjectOf({ reference, direction, method }: AttemptMoney): NotificationSubject {
  return { reference, direction: kindOf({ direction, method }) === "card" ? "charge" : direction };
}

function asEntry(attempt: AttemptMoney): { readonly reference: string; readonly ours: OurEntry } {
  return { reference: attempt.reference, ours: ourEntryOf(attempt) };
}

async function* portionsOf(
  db: Database,
  { provider, period }: ReconcileProvider,
): AsyncGenerator<AttemptMoney[], void, void> {
  let after: EntryCursor | undefined;
  for (;;) {
    const portion = await listAttemptMoney(db, provider, period, after, PORTION);
    if (portion.length > 0) yield portion;
    if (portion.length < PORTION) return;
    after = portion.at(-1)?.cursor;
  }
}

/** In the order of the items, so many at a time. */
async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const hand = async () => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as T);
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, hand));
  return results;
}
