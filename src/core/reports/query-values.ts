import { type Currency, findCurrency } from "../currency.ts";
import type { FieldFault } from "../errors.ts";
import { findId, type Id } from "../ids.ts";
import { type Minor, toAmount } from "../money.ts";

/** The parameters of a report's address, each with its one value. */
export type ReportQuery = Readonly<Record<string, string | undefined>>;

const TEXT_LENGTH_MAX = 255;
const INTEGER = /^[0-9]{1,16}$/;
/** Control characters; PostgreSQL cannot even compare with NUL. */
const CONTROL = /[\p{Cc}\p{Cs}]/u;

/**
 * Reads the parameters of one report strictly: what is not known, empty or has a wrong form is a fault, and all faults are
 * told together. A parameter that is left out is undefined.
 */
export function openQuery(query: ReportQuery, known: readonly string[]) {
  const faults: FieldFault[] = Object.keys(query)
    .filter((name) => !known.includes(name))
    .map((field) => ({ field, code: "unknown_member", message: "is not a parameter of this report" }));

  function read<T>(name: string, parse: (text: string) => T | undefined, message: string): T | undefined {
    const text = Object.hasOwn(query, name) ? query[name] : undefined;
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) faults.push({ field: name, code: "bad_format", message });
    return value;
  }

  return {
    faults,
    read,
    refuse: (field: string, message: string) => faults.push({ field, code: "not_allowed", message }),
    require: (field: string) => faults.push({ field, code: "required", message: "is required" }),
    text: (name: string): string | undefined =>
      read(name, plainText, `must be a text of 1 to ${TEXT_LENGTH_MAX} characters without control characters`),
    id: (name: string): Id | undefined => read(name, findAnyId, "must be an id of 32 hexadecimal characters"),
    currency: (name: string): Currency | undefined => read(name, findCurrency, "must be a currency, such as RUB"),
    amount: (name: string): Minor | undefined =>
      read(name, readAmount, "must be an amount in minor units: an integer of at least 1"),
    oneOf: <T extends string>(name: string, values: readonly T[]): T | undefined =>
      read(name, (text) => values.find((value) => value === text), `must be one of ${values.join(", ")}`),
  };
}

export type OpenQuery = ReturnType<typeof openQuery>;

/** People copy ids with dashes from databases, and in capitals from spreadsheets. */
export function findAnyId(text: string): Id | undefined {
  return findId(text.trim().replaceAll("-", "").toLowerCase());
}

function plainText(text: string): string | undefined {
  const trimmed = text.trim();
  const length = [...trimmed].length;
  return length >= 1 && length <= TEXT_LENGTH_MAX && !CONTROL.test(trimmed) ? trimmed : undefined;
}

function readAmount(text: string): Minor | undefined {
  if (!INTEGER.test(text)) return undefined;
  const amount = toAmount(BigInt(text));
  return amount.ok ? amount.value : undefined;
}
