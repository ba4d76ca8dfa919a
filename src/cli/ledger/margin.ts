import { readMargin } from "../../app/ledger/read-house.ts";
import { type Minor, minorToJson } from "../../core/money.ts";
import { DAY_MS, type Period, startOfDay } from "../../core/reports/period.ts";
import type { MarginLine } from "../../store/ledger/margin.ts";
import { type Command, type CommandInput, EXIT } from "../kit/command.ts";
import { optional, quote, readInstant, wrongUsage } from "../kit/option-values.ts";
import { printJson, renderTable } from "../kit/output.ts";

const STANDARD_DAYS = 30;

export const ledgerMargin: Command = {
  name: "ledger margin",
  summary: "Show what payments earned: by day, provider, method and currency, our fees less what providers kept.",
  arguments: [],
  options: {
    from: {
      type: "string",
      value: "DAY",
      help: `the first day, in UTC: 2026-01-31; ${STANDARD_DAYS} days ago if left out`,
    },
    to: { type: "string", value: "DAY", help: "the last day; today if left out" },
    provider: { type: "string", value: "NAME", help: "only what went through this provider" },
    json: { type: "boolean", help: "print the lines as JSON" },
  },
  notes: [
    "Amounts are in minor units. A payment counts on the day on which its money was posted.",
    "Without --provider the margins of a currency add up to what the ledger's account fees gained in these days.",
    "A line without a method is what banks charged for receiving accounts.",
    "Example: {program} ledger margin --from 2026-01-01 --to 2026-01-31 --provider acme",
  ],
  run: (context, input) => {
    const period = readPeriod(input, Date.now());
    const provider = input.text("provider");
    return context.withDatabase(async (db) => {
      const lines = (await readMargin(db, period)).filter(
        (line) => provider === undefined || line.provider === provider,
      );
      if (input.flag("json")) printJson(context, lines.map(marginJson));
      else context.print(lines.length === 0 ? "Nothing was earned in these days." : renderMargin(lines));
      return EXIT.done;
    });
  },
};

function readPeriod(input: CommandInput, nowMs: number): Period {
  const today = startOfDay(new Date(nowMs));
  const from = optional(input, "from", readDay) ?? new Date(today.getTime() - STANDARD_DAYS * DAY_MS);
  const last = optional(input, "to", readDay) ?? today;
  if (last < from) throw wrongUsage("--to must not be earlier than --from.");
  return { from, to: new Date(last.getTime() + DAY_MS) };
}

function readDay(text: string, name: string): Date {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return readInstant(text, name);
  throw wrongUsage(`${name} must be a day such as 2026-01-31. It is ${quote(text)}.`);
}

function marginOf({ ourFees, theirFees }: MarginLine): Minor {
  return (ourFees - theirFees) as Minor;
}

function renderMargin(lines: readonly MarginLine[]): string {
  const columns = [
    { title: "DAY" },
    { title: "PROVIDER" },
    { title: "METHOD" },
    { title: "CURRENCY" },
    { title: "PAYMENTS", align: "right" },
    { title: "TURNOVER", align: "right" },
    { title: "OUR FEES", align: "right" },
    { title: "THEIR FEES", align: "right" },
    { title: "MARGIN", align: "right" },
    { title: "BOOK" },
  ] as const;
  const rows = lines.map((line) => [
    line.day,
    line.provider,
    line.method === null ? "-" : `${line.direction}:${line.method}`,
    line.currency,
    ...[line.payments, line.turnover, line.ourFees, line.theirFees, marginOf(line)].map(String),
    line.book,
  ]);
  return renderTable(columns, rows);
}

function marginJson(line: MarginLine) {
  return {
    day: line.day,
    book: line.book,
    provider: line.provider,
    type: line.direction,
    method: line.method,
    currency: line.currency,
    payments: line.payments,
    turnover: minorToJson(line.turnover),
    our_fees: minorToJson(line.ourFees),
    their_fees: minorToJson(line.theirFees),
    margin: minorToJson(marginOf(line)),
  };
}
