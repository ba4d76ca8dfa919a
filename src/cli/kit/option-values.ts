import { type Currency, findCurrency } from "../../core/currency.ts";
import { findId, type Id } from "../../core/ids.ts";
import { BOOKS, type Book } from "../../core/merchants/book.ts";
import { isAddressOrNetwork } from "../../core/merchants/network.ts";
import { AMOUNT_MAX, AMOUNT_MIN, type Minor } from "../../core/money.ts";
import { CliFault, type CommandInput, EXIT } from "./command.ts";

/** Turns the words of the command line into values, or ends the command with a sentence that says what is expected. */

export function wrongUsage(sentence: string): CliFault {
  return new CliFault(sentence, EXIT.usage);
}

export function requiredText(input: CommandInput, option: string): string {
  const text = input.text(option);
  if (text === undefined) throw wrongUsage(`--${option} is missing.`);
  return text;
}

/** Reads an option that may be left out. */
export function optional<T>(input: CommandInput, option: string, read: (text: string, name: string) => T) {
  const text = input.text(option);
  return text === undefined ? undefined : read(text, `--${option}`);
}

export function positional(input: CommandInput, index: number): string {
  return input.positionals[index] ?? "";
}

export function readId(text: string, name: string): Id {
  const id = findId(text);
  if (id === undefined) throw wrongUsage(`${name} must be an id: 32 characters of 0-9 and a-f. It is ${quote(text)}.`);
  return id;
}

const CONTROL_OR_OVERRIDE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** A text for people, without leading and trailing spaces. Characters that could disguise it on a screen are refused. */
export function readPlainText(text: string, name: string, charactersMax: number): string {
  const trimmed = text.trim();
  if (trimmed === "") throw wrongUsage(`${name} must not be empty.`);
  if ([...trimmed].length > charactersMax) throw wrongUsage(`${name} must have at most ${charactersMax} characters.`);
  if (CONTROL_OR_OVERRIDE.test(trimmed)) throw wrongUsage(`${name} must not hold control characters.`);
  return trimmed;
}

const PAYMENT_ID_MAX = 255;

/** The merchant's name for a payment, as it is: even a trailing space belongs to it. */
export function readPaymentId(text: string, name: string): string {
  const { length } = [...text];
  if (length === 0 || length > PAYMENT_ID_MAX) throw wrongUsage(`${name} must have 1 to ${PAYMENT_ID_MAX} characters.`);
  return text;
}

export function readChoice<T extends string>(text: string, name: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw wrongUsage(`${name} must be ${choices.join(" or ")}. It is ${quote(text)}.`);
  return found;
}

export function readBook(text: string, name: string): Book {
  return readChoice(text, name, BOOKS);
}

export function readAmount(text: string, name: string): Minor {
  return readMinor(text, name, AMOUNT_MIN);
}

/** Fourteen digits hold the largest sum; a bigint, because a double is no place for money. */
export function readMinor(text: string, name: string, min: bigint): Minor {
  const value = /^[0-9]{1,14}$/.test(text) ? BigInt(text) : undefined;
  if (value === undefined || value < min || value > AMOUNT_MAX) {
    const range = `from ${min} to ${AMOUNT_MAX}`;
    throw wrongUsage(`${name} must be a whole number of minor units (kopecks, cents) ${range}. It is ${quote(text)}.`);
  }
  return value as Minor;
}

export function readInteger(text: string, name: string, min: number, max: number): number {
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw wrongUsage(`${name} must be a whole number from ${min} to ${max}. It is ${quote(text)}.`);
  }
  return value;
}

export function readCurrency(text: string, name: string): Currency {
  const currency = findCurrency(text);
  if (currency === undefined) {
    throw wrongUsage(`${name} must be a currency of ISO 4217 in capitals, such as RUB. It is ${quote(text)}.`);
  }
  return currency;
}

export function readNetwork(text: string, name: string): string {
  if (!isAddressOrNetwork(text)) {
    throw wrongUsage(
      `${name} must be an address or a network, such as 192.0.2.7 or 192.0.2.0/24. It is ${quote(text)}.`,
    );
  }
  return text;
}

const DATE = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A date, which means its first moment in UTC, or a time with its zone: a time without one means something else elsewhere. */
export function readInstant(text: string, name: string): Date {
  const day = DATE.exec(text)?.[1];
  const instant = new Date(text);
  const exists = day !== undefined && !Number.isNaN(instant.getTime()) && isDay(day);
  if (!exists) {
    throw wrongUsage(`${name} must be a time such as 2026-01-31 or 2026-01-31T10:00:00Z. It is ${quote(text)}.`);
  }
  return instant;
}

/** The platform reads the 30th of February as the 2nd of March. */
function isDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

const QUOTED_MAX = 64;

export function quote(text: string): string {
  return JSON.stringify(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text);
}
