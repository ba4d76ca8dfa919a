import type { Currency } from "../currency.ts";
import { fail, ok, type Result } from "../result.ts";
import { ENTRY_STATUSES, type EntryStatus } from "./compare-entry.ts";

/** What a provider's register may say of a payment. `payment_id` is the reference under which we asked for it. */
export const REGISTER_COLUMNS = ["payment_id", "status", "amount", "currency", "fee", "type"] as const;
export type RegisterColumn = (typeof REGISTER_COLUMNS)[number];

/** How one provider's register is to be read. */
export type RegisterMapping = {
  /** What the file calls our columns; those that are not named have our names. */
  readonly columns: ReadonlyMap<RegisterColumn, string>;
  /** By the word in lower case. */
  readonly statuses: ReadonlyMap<string, EntryStatus>;
  /** `decimal`: 1500.50; `minor`: 150050. */
  readonly amounts: "decimal" | "minor";
  /** For files without a column that says it. */
  readonly currency: Currency | undefined;
};

/** As the protocol says it, and as the files of the account do. */
export const PROTOCOL_STATUSES: ReadonlyMap<string, EntryStatus> = new Map([
  ["success", "success"],
  ["decline", "decline"],
  ["processing", "open"],
  ["dispute", "open"],
]);

const NAME_CHARS_MAX = 100;

/** `payment_id=ID,amount=SUM`. The error is the end of a sentence about the option. */
export function readRegisterColumns(text: string): Result<ReadonlyMap<RegisterColumn, string>, string> {
  const columns = new Map<RegisterColumn, string>();
  for (const part of text.split(",")) {
    const [name, value] = splitPair(part);
    const column = REGISTER_COLUMNS.find((each) => each === name);
    if (column === undefined || value === undefined) {
      return fail(`must be such as payment_id=ID,amount=SUM, with ${REGISTER_COLUMNS.join(", ")}`);
    }
    if (columns.has(column)) return fail(`names ${column} twice`);
    columns.set(column, value);
  }
  const names = [...columns.values()].map((name) => name.toLowerCase());
  return new Set(names).size < names.length ? fail("names one column of the file twice") : ok(columns);
}

/** `success=PAID|SETTLED,decline=FAILED`. Words that it does not have are then not known. */
export function readRegisterStatuses(text: string): Result<ReadonlyMap<string, EntryStatus>, string> {
  const statuses = new Map<string, EntryStatus>();
  for (const part of text.split(",")) {
    const [name, value] = splitPair(part);
    const status = ENTRY_STATUSES.find((each) => each === name);
    if (status === undefined || value === undefined) {
      return fail(`must be such as success=PAID|SETTLED,decline=FAILED, with ${ENTRY_STATUSES.join(", ")}`);
    }
    for (const word of value.split("|").map((each) => each.trim().toLowerCase())) {
      if (word === "") return fail("has an empty word");
      if (statuses.has(word)) return fail(`has the word ${JSON.stringify(word)} twice`);
      statuses.set(word, status);
    }
  }
  return ok(statuses);
}

function splitPair(part: string): [name: string, value: string | undefined] {
  const at = part.indexOf("=");
  const value = part.slice(at + 1).trim();
  const isPair = at > 0 && value !== "" && value.length <= NAME_CHARS_MAX;
  return [part.slice(0, Math.max(at, 0)).trim(), isPair ? value : undefined];
}
