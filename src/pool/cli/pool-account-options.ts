import { CliFault, type CommandInput, type OptionSpec } from "../../cli/kit/command.ts";
import {
  optional,
  quote,
  readAmount,
  readInteger,
  readMinor,
  readPlainText,
  wrongUsage,
} from "../../cli/kit/option-values.ts";
import { AMOUNT_MAX, ZERO } from "../../core/money.ts";
import type { Result } from "../../core/result.ts";
import type { AccountFault } from "../app/receiving-accounts.ts";
import {
  COOL_DOWN_S_MAX,
  type Hours,
  OWNER_MAX,
  PRIORITY_MAX,
  QUARANTINE_S_MAX,
  QUARANTINE_S_MIN,
  readAccountCode,
  readAccountNumber,
  readCountry,
  readHours,
} from "../core/account-settings.ts";
import type { AccountSettings } from "../store/receiving-accounts.ts";

/** What `pool account add` and `pool account set` can say of an account. */

/** What clears a setting that can be empty. */
const NONE = "none";
const COUNT_MAX = 999_999_999;
const TIME_ZONE_MAX = 64;
const SYMBOL = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export const SETTING_OPTIONS = {
  bank: { type: "string", value: "SYMBOL", help: "its bank, as bank list shows it" },
  country: { type: "string", value: "CODE", help: "two capital letters, such as RU" },
  holder: { type: "string", value: "NAME", help: "the name that payers see; stored encrypted" },
  owner: { type: "string", value: "TEXT", help: "the operator responsible for it; none: no one" },
  number: {
    type: "string",
    value: "NUMBER",
    help: "the account number in the bank's statements; stored encrypted; none: no number",
  },
  "time-zone": {
    type: "string",
    value: "ZONE",
    help: "where its days and hours are counted, such as Europe/Moscow; else UTC",
  },
  min: { type: "string", value: "MINOR", help: "the smallest amount of one pay-in, in minor units" },
  max: { type: "string", value: "MINOR", help: "the largest amount of one pay-in" },
  "day-count": { type: "string", value: "N|none", help: "pay-ins in a day" },
  "day-sum": { type: "string", value: "MINOR|none", help: "the total of a day's pay-ins, in minor units" },
  parallel: { type: "string", value: "N|none", help: "pay-ins at the same time" },
  "cool-down": { type: "string", value: "SECONDS", help: "the pause after each lending" },
  hours: {
    type: "string",
    value: "HH:MM-HH:MM|always",
    help: "when it accepts payers; may cross midnight, such as 22:00-06:00",
  },
  quarantine: {
    type: "string",
    value: "SECONDS",
    help: "how long an amount stays reserved after its pay-in ended, 900 to 2592000; default 3600",
  },
  priority: { type: "string", value: "N", help: "the highest is used first, -1000 to 1000; default 0" },
  "opening-balance": {
    type: "string",
    value: "MINOR",
    help: "the balance before the first recorded transfer",
  },
} as const satisfies Record<string, OptionSpec>;

export const NEGATIVE_NOTE =
  "A number below zero is written with an equals sign: --priority=-5, --opening-balance=-20000.";

/** Only what was named. */
export function readSettings(input: CommandInput): Partial<AccountSettings> {
  const count = (text: string, name: string) => (text === NONE ? null : readInteger(text, name, 0, COUNT_MAX));
  const sum = (text: string, name: string) => (text === NONE ? null : readMinor(text, name, ZERO));
  const hours: Partial<Hours> = optional(input, "hours", checked(readHours)) ?? {};
  const read: { [K in keyof AccountSettings]?: AccountSettings[K] | undefined } = {
    bank: optional(input, "bank", readSymbol),
    country: optional(input, "country", checked(readCountry)),
    owner: optional(input, "owner", (text, name) => (text === NONE ? "" : readPlainText(text, name, OWNER_MAX))),
    timeZone: optional(input, "time-zone", (text, name) => readPlainText(text, name, TIME_ZONE_MAX)),
    priority: optional(input, "priority", (text, name) => Number(readSigned(text, name, BigInt(PRIORITY_MAX)))),
    minAmount: optional(input, "min", readAmount),
    maxAmount: optional(input, "max", readAmount),
    dayCountMax: optional(input, "day-count", count),
    daySumMax: optional(input, "day-sum", sum),
    parallelMax: optional(input, "parallel", count),
    coolDownS: optional(input, "cool-down", (text, name) => readInteger(text, name, 0, COOL_DOWN_S_MAX)),
    ...hours,
    quarantineS: optional(input, "quarantine", (text, name) =>
      readInteger(text, name, QUARANTINE_S_MIN, QUARANTINE_S_MAX),
    ),
    openingBalance: optional(input, "opening-balance", (text, name) => readSigned(text, name, AMOUNT_MAX)),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** The number is not repeated, so that a person who looks at the screen does not see it twice. */
export function readNumber(text: string, name: string): string | null {
  if (text === NONE) return null;
  const read = readAccountNumber(text);
  if (!read.ok) throw wrongUsage(`${name} ${read.error}.`);
  return read.value;
}

export function readCode(text: string, name: string): string {
  return checked(readAccountCode)(text, name);
}

export function readSymbol(text: string, name: string): string {
  if (!SYMBOL.test(text)) throw wrongUsage(`${name} must be like t-bank. It is ${quote(text)}.`);
  return text;
}

function checked<T>(read: (text: string) => Result<T, string>): (text: string, name: string) => T {
  return (text, name) => {
    const result = read(text);
    if (!result.ok) throw wrongUsage(`${name} ${result.error}. It is ${quote(text)}.`);
    return result.value;
  };
}

function readSigned(text: string, name: string, most: bigint): bigint {
  const value = /^-?[0-9]{1,14}$/.test(text) ? BigInt(text) : undefined;
  if (value === undefined || value < -most || value > most) {
    throw wrongUsage(`${name} must be a whole number from -${most} to ${most}. It is ${quote(text)}.`);
  }
  return value;
}

const REFUSALS = {
  account_unknown: "There is no such receiving account: see pool account list",
  code_taken: "There is a receiving account of this code already",
  bank_unknown: "There is no such bank: see bank list",
  time_zone_unknown: "There is no such time zone: it must be a name such as Europe/Moscow",
  number_taken: "Another receiving account has this number already",
  limits_crossed: "The smallest sum would be above the largest",
  hours_incomplete: "The hours must begin and end, at different times",
} as const satisfies Record<AccountFault, string>;

export function accountRefused(fault: AccountFault): CliFault {
  return new CliFault(`${REFUSALS[fault]}. Nothing was changed.`);
}

export function accountUnknown(code: string): CliFault {
  return new CliFault(`There is no receiving account ${code}: see pool account list.`);
}
