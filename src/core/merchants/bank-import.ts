import { parseCsv } from "../csv.ts";
import { fail, ok, type Result } from "../result.ts";
import { type BankFacts, bankKey, findBankFaults, NO_SBP_CODE } from "./bank.ts";

/** A bank as a file gives it, with the place in the file that it stands at. */
export type ImportedBank = BankFacts & { readonly place: string };

/** Reads the fast payment system's official member list, or CSV. Anything wrong refuses the whole file, line by line. */
export function readBankFile(text: string): Result<readonly ImportedBank[], readonly string[]> {
  const looksLikeJson = /^\uFEFF?\s*[{[]/.test(text);
  const read = looksLikeJson ? readMemberList(text.replace(/^\uFEFF/, "")) : readBankCsv(text);
  if (!read.ok) return read;
  const faults = [...read.value.flatMap(faultsAtPlace), ...doubledFaults(read.value)];
  if (read.value.length === 0) faults.push("the file lists no bank");
  return faults.length > 0 ? fail(faults) : read;
}

const MEMBER_LIST_COUNTRY = "RU";

function readMemberList(text: string): Result<ImportedBank[], readonly string[]> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return fail(["the file looks like JSON but cannot be read as JSON"]);
  }
  const dictionary = isRecord(parsed) ? parsed.dictionary : undefined;
  if (!Array.isArray(dictionary)) return fail(['the member list must be {"version": …, "dictionary": [ … ]}']);
  const banks: ImportedBank[] = [];
  const faults: string[] = [];
  for (const [index, entry] of dictionary.entries()) {
    const place = `dictionary[${index}]`;
    const name = isRecord(entry) ? entry.bankName : undefined;
    const schema = isRecord(entry) ? entry.schema : undefined;
    const code = typeof schema === "string" ? /^bank([0-9]{12})$/.exec(schema)?.[1] : undefined;
    if (typeof name !== "string") faults.push(`${place}: bankName must be a text`);
    else if (code === undefined || code === NO_SBP_CODE)
      faults.push(`${place}: schema must be "bank" and twelve digits`);
    else banks.push({ place, name: name.trim(), sbpCode: code, countryCode: MEMBER_LIST_COUNTRY });
  }
  return faults.length > 0 ? fail(faults) : ok(banks);
}

const CSV_COLUMNS = ["name", "sbp_code", "country_code"] as const;

function readBankCsv(text: string): Result<ImportedBank[], readonly string[]> {
  const csv = parseCsv(text);
  if (!csv.ok) return fail([`line ${csv.error.line}: ${csv.error.message}`]);
  const [header, ...records] = csv.value;
  const names = header?.fields.map((field) => field.trim().toLowerCase()) ?? [];
  if (names.length !== CSV_COLUMNS.length || !CSV_COLUMNS.every((column) => names.includes(column))) {
    return fail([`line 1: the header must name exactly these columns: ${CSV_COLUMNS.join(",")}`]);
  }
  const faults: string[] = [];
  const banks = records.map(({ line, fields }) => {
    const place = `line ${line}`;
    if (fields.length !== names.length)
      faults.push(`${place}: ${fields.length} fields where the header has ${names.length}`);
    const value = (column: string) => fields[names.indexOf(column)]?.trim() ?? "";
    return {
      place,
      name: value("name"),
      sbpCode: value("sbp_code") || NO_SBP_CODE,
      countryCode: value("country_code"),
    };
  });
  return faults.length > 0 ? fail(faults) : ok(banks);
}

function faultsAtPlace(bank: ImportedBank): string[] {
  return findBankFaults(bank).map((message) => `${bank.place}: ${message}`);
}

function doubledFaults(banks: readonly ImportedBank[]): string[] {
  const placeOfKey = new Map<string, string>();
  return banks.flatMap((bank) => {
    const key = bankKey(bank);
    const earlier = placeOfKey.get(key);
    placeOfKey.set(key, earlier ?? bank.place);
    return earlier === undefined ? [] : [`${bank.place}: the same bank as ${earlier}`];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
