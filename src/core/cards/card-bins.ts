import { parseCsv } from "../csv.ts";
import type { RouteOrigin } from "../merchants/routing.ts";
import { quote } from "../quote.ts";
import { fail, ok, type Result } from "../result.ts";

/** What the first digits of a card's number say of its issuer. */
export type CardBin = {
  /** Six to eight digits. */
  readonly prefix: string;
  readonly country: string;
  /** A symbol of ours; null: not one that we know. */
  readonly bank: string | null;
};

export type IssuerFacts = Omit<CardBin, "prefix">;

/** By prefix. */
export type BinTable = ReadonlyMap<string, IssuerFacts>;

export const BIN_DIGITS_MAX = 8;
const BIN_DIGITS_MIN = 6;

/** The longest prefix counts. Only the first eight digits of the number are looked at. */
export function findIssuer(bins: BinTable, pan: string): IssuerFacts | undefined {
  for (let digits = BIN_DIGITS_MAX; digits >= BIN_DIGITS_MIN; digits -= 1) {
    const found = bins.get(pan.slice(0, digits));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Of a card that the table does not know, nothing is known. */
export function originOfCard(bins: BinTable, pan: string): RouteOrigin {
  const issuer = findIssuer(bins, pan);
  return { country: issuer?.country ?? null, bank: issuer?.bank ?? null };
}

const COLUMNS = ["prefix", "country", "bank"] as const;
const FAULTS_SHOWN = 20;

/** Reads CSV with the columns prefix,country,bank. Anything wrong refuses the whole file, line by line. */
export function readBinFile(
  text: string,
  isBank: (symbol: string) => boolean,
): Result<readonly CardBin[], readonly string[]> {
  const csv = parseCsv(text);
  if (!csv.ok) return fail([`line ${csv.error.line}: ${csv.error.message}`]);
  const [header, ...records] = csv.value;
  const names = header?.fields.map((field) => field.trim().toLowerCase()) ?? [];
  if (names.join() !== COLUMNS.join()) {
    return fail([`line 1: the header must name exactly these columns: ${COLUMNS.join(",")}`]);
  }
  const faults: string[] = [];
  const lineOf = new Map<string, number>();
  const bins = records.map(({ line, fields }) => {
    const [prefix = "", country = "", bank = ""] = fields.map((field) => field.trim());
    const earlier = lineOf.get(prefix);
    const fault =
      findBinFault(fields.length, { prefix, country, bank }, isBank) ??
      (earlier === undefined ? undefined : `the same prefix as line ${earlier}`);
    if (fault !== undefined) faults.push(`line ${line}: ${fault}`);
    lineOf.set(prefix, earlier ?? line);
    return { prefix, country, bank: bank === "" ? null : bank };
  });
  if (records.length === 0) faults.push("the file lists no prefix");
  const more = faults.length - FAULTS_SHOWN;
  if (faults.length === 0) return ok(bins);
  return fail(more > 0 ? [...faults.slice(0, FAULTS_SHOWN), `and ${more} more`] : faults);
}

/** A number that is too long is not repeated: it may be a card's. */
function findBinFault(
  fieldCount: number,
  { prefix, country, bank }: Record<"prefix" | "country" | "bank", string>,
  isBank: (symbol: string) => boolean,
): string | undefined {
  if (fieldCount !== COLUMNS.length) return `${fieldCount} fields where the header has ${COLUMNS.length}`;
  if (!/^[0-9]{6,8}$/.test(prefix)) return `prefix must be ${BIN_DIGITS_MIN} to ${BIN_DIGITS_MAX} digits`;
  if (!/^[A-Z]{2}$/.test(country)) return "country must be two capital letters, such as RU";
  if (bank !== "" && !isBank(bank)) return `there is no bank ${quote(bank)}: see bank list`;
  return undefined;
}
