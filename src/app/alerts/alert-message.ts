import { type Finding, nameOfEntry } from "../attention/findings.ts";
import { RUNBOOKS, runbookOf } from "./alert-runbooks.ts";
import type { News } from "./compare-findings.ts";

/** One message for all that changed. It has ids and figures, and nothing that a person wrote or that names one. */
export type AlertMessage = {
  /** The same when it is sent again because its delivery was not certain. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
  /** What a program reads; chat tools show its `text`. */
  readonly body: Readonly<Record<string, unknown>>;
};

/** More than this are counted only: a mail server and a chat tool refuse what is too long. */
const LINES_MAX = 50;

type Telling = { readonly id: string; readonly serviceUrl: string; readonly now: Date };

export function alertMessage(news: News, { id, serviceUrl, now }: Telling): AlertMessage {
  const { appeared, lasting, gone } = news;
  const subject = `Tillgate ${hostOf(serviceUrl)}: ${countsOf(news)}`;
  const parts = [
    ...part(
      `New (${appeared.length}):`,
      appeared.map((finding) => lineOf(finding, now)),
    ),
    ...part(
      `Still there (${lasting.length}):`,
      lasting.map((finding) => lineOf(finding, now)),
    ),
    ...part(
      `Gone (${gone.length}):`,
      gone.map((finding) => `- ${finding}`),
    ),
    "Run `tillgate attention` for the commands that help.",
  ];
  const text = [subject, ...parts].join("\n\n");
  return {
    ...{ id, subject, text },
    body: {
      text,
      event: { id, type: "attention", created_at: now.toISOString() },
      service: serviceUrl,
      new: appeared.slice(0, LINES_MAX).map(findingJson),
      still_there: lasting.slice(0, LINES_MAX).map(findingJson),
      gone: gone.slice(0, LINES_MAX),
    },
  };
}

export function testMessage({ id, serviceUrl, now }: Telling): AlertMessage {
  const subject = `Tillgate ${hostOf(serviceUrl)}: test message`;
  const text = `${subject}\n\nAn operator ran \`tillgate alert test\`. Messages about \`attention\` arrive here.`;
  const event = { id, type: "test", created_at: now.toISOString() };
  return { id, subject, text, body: { text, event, service: serviceUrl } };
}

function countsOf({ appeared, lasting, gone }: News): string {
  const counts = [
    ...(appeared.length > 0 ? [`${appeared.length} new`] : []),
    ...(lasting.length > 0 ? [`${lasting.length} still there`] : []),
    ...(gone.length > 0 ? [`${gone.length} gone`] : []),
  ];
  return counts.join(", ");
}

function part(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > LINES_MAX ? [`- and ${lines.length - LINES_MAX} more`] : [];
  return [[title, ...lines.slice(0, LINES_MAX), ...more].join("\n")];
}

/** `- 3 payments in dispute (live, dispute:payout_timeout RUB), the oldest since 2026-01-31 10:00 UTC: docs/…`. */
function lineOf({ entry, subject, book, count, oldestS }: Finding, now: Date): string {
  const about = book === null ? subject : `${book}, ${subject}`;
  const oldest = oldestS === null ? "" : `, the oldest since ${minuteOf(new Date(now.getTime() - oldestS * 1_000))}`;
  return `- ${count} ${RUNBOOKS[entry].title} (${about})${oldest}: ${runbookOf(entry)}`;
}

function findingJson({ entry, subject, book, count, oldestS }: Finding) {
  return {
    ...{ entry: nameOfEntry(entry), book, subject, count, oldest_s: oldestS === null ? null : Math.floor(oldestS) },
    runbook: runbookOf(entry),
  };
}

function minuteOf(moment: Date): string {
  return `${moment.toISOString().slice(0, "2026-01-31T10:00".length).replace("T", " ")} UTC`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
