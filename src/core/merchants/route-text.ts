import { type Currency, findCurrency } from "../currency.ts";
import { AMOUNT_MAX, AMOUNT_MIN, type Minor } from "../money.ts";
import { isProviderCode } from "../providers.ts";
import { quote } from "../quote.ts";
import { fail, ok, type Result } from "../result.ts";
import { ROUTE_ENTRIES_MAX, ROUTE_WEIGHT_MAX, type RouteCondition, type RouteEntry } from "./route-entry.ts";

/**
 * A route as people write it and as it is stored: `acme*70[amount<=100000 currency=RUB]+zenit*30,backup`. A comma puts a
 * provider behind those before it; a plus makes providers share a rank; an asterisk gives the weight; brackets hold conditions.
 */

/** `at` counts characters from 1. */
export type RouteTextFault = { readonly at: number; readonly message: string };

type Piece = { readonly text: string; readonly at: number };

export function parseRoute(text: string): Result<readonly RouteEntry[], RouteTextFault> {
  const ranks = splitOutside({ text, at: 1 }, ",").map((rank) => splitOutside(rank, "+"));
  const entries: RouteEntry[] = [];
  for (const [index, pieces] of ranks.entries()) {
    for (const piece of pieces) {
      const entry = parseEntry(piece, index + 1, pieces.length > 1);
      if (!entry.ok) return entry;
      const fault = findDouble(entries, entry.value);
      if (fault !== undefined) return refuse(piece, fault);
      entries.push(entry.value);
    }
  }
  return entries.length > ROUTE_ENTRIES_MAX
    ? refuse({ text, at: 1 }, `it has more than ${ROUTE_ENTRIES_MAX} entries`)
    : ok(entries);
}

export function renderRoute(entries: readonly RouteEntry[]): string {
  let text = "";
  for (const [index, entry] of entries.entries()) {
    const before = entries[index - 1];
    text += before === undefined ? "" : before.rank === entry.rank ? "+" : ",";
    text += entry.provider;
    if (entry.weight !== 1) text += `*${entry.weight}`;
    if (entry.when !== undefined) text += `[${renderCondition(entry.when)}]`;
  }
  return text;
}

function renderCondition({ minAmount, maxAmount, currencies, countries, banks }: RouteCondition): string {
  return [
    minAmount === undefined ? undefined : `amount>=${minAmount}`,
    maxAmount === undefined ? undefined : `amount<=${maxAmount}`,
    currencies && `currency=${currencies.join("|")}`,
    countries && `country=${countries.join("|")}`,
    banks && `bank=${banks.join("|")}`,
  ]
    .filter((each) => each !== undefined)
    .join(" ");
}

function refuse(piece: Piece, message: string): Result<never, RouteTextFault> {
  return fail({ at: piece.at, message });
}

/** Splits at a separator that is not inside brackets; pieces lose the spaces around them. */
function splitOutside({ text, at }: Piece, separator: string): Piece[] {
  const pieces: Piece[] = [];
  let isInside = false;
  let start = 0;
  for (let index = 0; index <= text.length; index += 1) {
    const letter = text[index];
    if (letter === "[") isInside = true;
    if (letter === "]") isInside = false;
    if (letter !== undefined && (letter !== separator || isInside)) continue;
    pieces.push(trim({ text: text.slice(start, index), at: at + start }));
    start = index + 1;
  }
  return pieces;
}

function trim({ text, at }: Piece): Piece {
  return { text: text.trim(), at: at + (text.length - text.trimStart().length) };
}

const ENTRY = /^([^*[\]]*)(\*[^[\]]*)?(\[[^[\]]*\])?$/;

function parseEntry(piece: Piece, rank: number, isShared: boolean): Result<RouteEntry, RouteTextFault> {
  const [, code, star, brackets] = ENTRY.exec(piece.text) ?? [];
  if (code === undefined) return refuse(piece, "it must be like acme, acme*70 or acme*70[amount<=100000 currency=RUB]");
  const provider = code.trim();
  if (!isProviderCode(provider)) return refuse(piece, `${quote(provider)} is not a provider's code`);
  const weight = parseWeight({ text: star ?? "", at: piece.at + code.length }, isShared);
  if (!weight.ok) return weight;
  if (brackets === undefined) return ok({ provider, rank, weight: weight.value, when: undefined });
  const inside = { text: brackets.slice(1, -1), at: piece.at + piece.text.length - brackets.length + 1 };
  const when = parseCondition(inside);
  return when.ok ? ok({ provider, rank, weight: weight.value, when: when.value }) : when;
}

function parseWeight(piece: Piece, isShared: boolean): Result<number, RouteTextFault> {
  if (piece.text === "") return ok(1);
  const digits = /^\*([0-9]{1,4})$/.exec(piece.text.trim())?.[1];
  const weight = Number(digits ?? 0);
  if (weight < 1 || weight > ROUTE_WEIGHT_MAX) {
    return refuse(piece, `a weight must be a whole number from 1 to ${ROUTE_WEIGHT_MAX}`);
  }
  return isShared ? ok(weight) : refuse(piece, "a weight is for providers that share a place: put + between them");
}

type Draft = { -readonly [K in keyof RouteCondition]: RouteCondition[K] };

const CONDITION = /^(amount)(>=|<=)(.*)$|^(currency|country|bank)(=)(.*)$/;

function parseCondition(inside: Piece): Result<RouteCondition, RouteTextFault> {
  const when: Draft = {};
  const words = [...inside.text.matchAll(/[^ ]+/g)].map(({ 0: text, index }) => ({ text, at: inside.at + index }));
  if (words.length === 0) return refuse(inside, "the brackets hold no condition");
  for (const word of words) {
    const parts = CONDITION.exec(word.text)
      ?.slice(1)
      .filter((part) => part !== undefined);
    if (parts === undefined) {
      return refuse(
        word,
        "a condition must be like amount>=100, amount<=100, currency=RUB, country=RU|KZ or bank=sberbank",
      );
    }
    const [name = "", sign = "", value = ""] = parts;
    const fault = name === "amount" ? addAmount(when, sign, value) : addList(when, name, value.split("|"));
    if (fault !== undefined) return refuse(word, fault);
  }
  const { minAmount = AMOUNT_MIN, maxAmount = AMOUNT_MAX } = when;
  return minAmount > maxAmount ? refuse(inside, "the smallest amount is above the largest") : ok(when);
}

function addAmount(when: Draft, sign: string, value: string): string | undefined {
  const amount = /^[0-9]{1,14}$/.test(value) ? BigInt(value) : 0n;
  if (amount < AMOUNT_MIN || amount > AMOUNT_MAX) {
    return `an amount must be a whole number of minor units from ${AMOUNT_MIN} to ${AMOUNT_MAX}`;
  }
  const name = sign === ">=" ? "minAmount" : "maxAmount";
  if (when[name] !== undefined) return `amount${sign} comes twice`;
  when[name] = amount as Minor;
  return undefined;
}

const LISTS = {
  currency: { member: "currencies", isOne: (text: string) => findCurrency(text) !== undefined, like: "RUB" },
  country: { member: "countries", isOne: (text: string) => /^[A-Z]{2}$/.test(text), like: "RU" },
  bank: { member: "banks", isOne: (text: string) => /^[a-z0-9][a-z0-9-]{0,63}$/.test(text), like: "sberbank" },
} as const;

function addList(when: Draft, name: string, values: readonly string[]): string | undefined {
  const { member, isOne, like } = LISTS[name as keyof typeof LISTS];
  const wrong = values.find((value) => !isOne(value));
  if (wrong !== undefined) return `${quote(wrong)} is no ${name}: write it like ${like}`;
  if (when[member] !== undefined) return `${name} comes twice`;
  when[member] = values as readonly Currency[];
  return undefined;
}

/** A provider comes twice only where a condition tells the places apart. */
function findDouble(earlier: readonly RouteEntry[], { provider, when }: RouteEntry): string | undefined {
  const isDouble = earlier.some((other) => {
    const sameCondition = renderCondition(other.when ?? {}) === renderCondition(when ?? {});
    return other.provider === provider && (other.when === undefined || sameCondition);
  });
  return isDouble ? `${provider} comes before, for every payment that it would take here` : undefined;
}
