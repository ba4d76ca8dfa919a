import type { OfferedBank } from "../page-state.ts";
import { inOtherLayout, soundOf } from "./sound.ts";
import { countErrors } from "./typing-errors.ts";

/** A bank with everything that it is called, as it sounds. */
export type KnownBank = { readonly bank: OfferedBank; readonly names: readonly Name[] };

type Name = { readonly words: readonly string[]; readonly joined: string };

export function knownBanks(banks: readonly OfferedBank[]): readonly KnownBank[] {
  return banks.map((bank) => {
    const texts = [bank.name, ...Object.values(bank.names ?? {}), ...(bank.aliases ?? []), bank.symbol];
    return { bank, names: texts.map(nameOf).flatMap((name) => [name, ...withoutBank(name)]) };
  });
}

/**
 * The banks that a payer may mean, best first; banks that fit equally well keep the order that they came in. What was typed counts
 * as it is. Only if no bank has such a name is it read in other ways: without the word “bank”, as typed in the other layout of the
 * keyboard, by one of its words, and last with typing errors.
 */
export function findBanks(known: readonly KnownBank[], typed: string): readonly OfferedBank[] {
  const plain = readingsOf(typed);
  // “Bank” alone says as much as nothing at all.
  const isTelling = plain.some(({ words }) => !words.every((word) => BANK.test(word)));
  if (typed.trim() === "" || (plain.length > 0 && !isTelling)) return known.map(({ bank }) => bank);
  const other = readingsOf(inOtherLayout(typed));
  const ways: readonly (readonly [readonly Name[], typeof fitOf])[] = [
    [plain, fitOf],
    [plain.flatMap(withoutBank), fitOf],
    [other, fitOf],
    [other.flatMap(withoutBank), fitOf],
    [plain.flatMap(wordByWord), fitOf],
    [[...plain, ...plain.flatMap(withoutBank)], errorsIn],
    [[...other, ...other.flatMap(withoutBank)], errorsIn],
  ];
  for (const [readings, judge] of ways) {
    const found = bestFirst(known, (name) => lowest(readings.map((reading) => judge(name, reading))));
    if (found.length > 0) return found;
  }
  return [];
}

/** An x is a “ks” in most names, and an “h” in Uzbek and Azerbaijani ones. */
function readingsOf(typed: string): readonly Name[] {
  const texts = /x/i.test(typed) ? [typed, typed.replace(/x/gi, "h")] : [typed];
  return texts.map(nameOf).filter(({ joined }) => joined !== "");
}

function nameOf(text: string): Name {
  const words = soundOf(text);
  return { words, joined: words.join("") };
}

/** “Bank” in the languages of the page: payers add it, leave it out, or put it at the other end. */
const BANK = /^(?:bank[aiou]?|bonki?)$/;

/** The name by its other words; nothing where there is no such word, or no other. */
function withoutBank({ words }: Name): Name[] {
  const telling = words.filter((word) => !BANK.test(word));
  const isShorter = telling.length > 0 && telling.length < words.length;
  return isShorter ? [{ words: telling, joined: telling.join("") }] : [];
}

/** Shorter words are found in too many names. */
const TELLING_LETTERS_MIN = 3;

/** Of «каспи голд» one word is the bank's name, and the other the name of a card. */
function wordByWord({ words }: Name): Name[] {
  const telling = words.filter((word) => word.length >= TELLING_LETTERS_MIN && !BANK.test(word));
  return words.length > 1 ? telling.map((word) => ({ words: [word], joined: word })) : [];
}

function bestFirst(known: readonly KnownBank[], fit: (name: Name) => number): readonly OfferedBank[] {
  return known
    .map(({ bank, names }) => ({ bank, fit: lowest(names.map(fit)) }))
    .filter((each) => each.fit < NONE)
    .sort((a, b) => a.fit - b.fit)
    .map(({ bank }) => bank);
}

const NONE = Number.POSITIVE_INFINITY;

/** 0: the whole name; 1: its beginning; 2: beginnings of its words; 3: a part of it. */
function fitOf(name: Name, typed: Name): number {
  if (name.joined === typed.joined) return 0;
  if (name.joined.startsWith(typed.joined)) return 1;
  if (typed.words.every((word) => name.words.some((each) => each.startsWith(word)))) return 2;
  return typed.joined.length > 1 && name.joined.includes(typed.joined) ? 3 : NONE;
}

function errorsIn(name: Name, typed: Name): number {
  const beginnings = typed.words.length === 1 ? [name.joined, ...name.words] : [name.joined];
  return lowest(beginnings.map((each) => countErrors(typed.joined, each) ?? NONE));
}

function lowest(numbers: readonly number[]): number {
  return Math.min(NONE, ...numbers);
}
