import type { LimitChange } from "../../app/merchants/project-rules.ts";
import type { Currency } from "../../core/currency.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import { ZERO } from "../../core/money.ts";
import type { DailyLimits } from "../../store/payments/create-payments.ts";
import type { CommandInput, OptionSpec } from "../kit/command.ts";
import { optional, quote, readCurrency, readInteger, readMinor, wrongUsage } from "../kit/option-values.ts";

/** The part of `project set` that is about limits of a day. */

const NONE = "none";
const COUNT_MAX = 999_999_999;
const DIRECTIONS: readonly Direction[] = ["payin", "payout"];

export const LIMIT_OPTIONS = {
  limit: {
    type: "string",
    multiple: true,
    value: "DIRECTION:CURRENCY",
    help: "which limits of a day the options below are for",
  },
  "daily-count": { type: "string", value: "N|none", help: "payments that may be started in a day (UTC)" },
  "daily-sum": { type: "string", value: "MINOR|none", help: "their total, in minor units" },
  "customer-daily-count": { type: "string", value: "N|none", help: "the same for each customer" },
  "customer-daily-sum": { type: "string", value: "MINOR|none", help: "the same for each customer" },
} as const satisfies Record<string, OptionSpec>;

export function readLimitChange(input: CommandInput): LimitChange | undefined {
  const places = input.texts("limit");
  const changes = readChanges(input);
  const changed = Object.keys(changes).length > 0;
  if (places === undefined) {
    if (changed) throw wrongUsage("--limit is missing: it says which limits to change, such as payin:RUB.");
    return undefined;
  }
  if (!changed) {
    throw wrongUsage(
      "--limit needs what to change: --daily-count, --daily-sum, --customer-daily-count or --customer-daily-sum.",
    );
  }
  return { places: [...new Set(places)].map(readPlace), changes };
}

function readPlace(text: string): { direction: Direction; currency: Currency } {
  const [first, code, ...rest] = text.split(":");
  const direction = DIRECTIONS.find((each) => each === first);
  if (direction === undefined || code === undefined || rest.length > 0) {
    throw wrongUsage(`--limit must be like payin:RUB or payout:KZT. It is ${quote(text)}.`);
  }
  return { direction, currency: readCurrency(code, "The currency of --limit") };
}

function readChanges(input: CommandInput): Partial<DailyLimits> {
  const count = (text: string, name: string) => (text === NONE ? null : readInteger(text, name, 0, COUNT_MAX));
  const sum = (text: string, name: string) => (text === NONE ? null : readMinor(text, name, ZERO));
  const read: { [K in keyof DailyLimits]: DailyLimits[K] | undefined } = {
    countMax: optional(input, "daily-count", count),
    sumMax: optional(input, "daily-sum", sum),
    customerCountMax: optional(input, "customer-daily-count", count),
    customerSumMax: optional(input, "customer-daily-sum", sum),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}
