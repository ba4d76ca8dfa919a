import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LANGUAGE_NAMES as NAMES_ON_SERVER } from "../../src/api/payer/language-names.ts";
import { PAYER_WORDS } from "../../src/api/payer/words/words.ts";
import { PAGE_LANGUAGES } from "../../src/app/page/page-language.ts";
import { SANDBOX_LANGUAGES, speechOf } from "../../src/sandbox/words/words.ts";
import { wordsOf } from "../../web/embed/words.ts";
import { LANGUAGE_NAMES, type PageLanguage } from "../../web/widget/words/page-language.ts";

type Table = Readonly<Record<PageLanguage, unknown>>;

const tableOf = (find: (language: PageLanguage) => unknown): Table =>
  Object.fromEntries(PAGE_LANGUAGES.map((language) => [language, find(language)])) as Table;

/** Every table of words that payers read, by its name. Topics are found in their folder. */
const TOPICS = new URL("../../web/widget/words/topics/", import.meta.url);
const files = readdirSync(new URL("..", TOPICS)).includes("topics") ? readdirSync(TOPICS) : [];
const topics = await Promise.all(
  files.map(async (file) => Object.entries(await import(`../../web/widget/words/topics/${file.slice(0, -3)}.ts`))),
);
const pages = Object.fromEntries(
  await Promise.all(
    PAGE_LANGUAGES.map(async (language) => [
      language,
      (await import(`../../web/widget/words/${language}.ts`))[language],
    ]),
  ),
) as Table;
const TABLES: readonly (readonly [string, Table])[] = [
  ["the payment page", pages],
  ...(topics.flat().filter(([, topic]) => isTable(topic)) as [string, Table][]),
  ["the page without its script", PAYER_WORDS],
  ["the sandbox's bank", tableOf((language) => speechOf({ headers: { "accept-language": language } }).words)],
  ["the modal", tableOf((language) => ({ ...wordsOf(language), language: undefined }))],
];

function isTable(value: unknown): boolean {
  return typeof value === "object" && value !== null && "en" in value;
}

/** What is called to say something gets numbers that plurals differ for, and a text that must come back. */
const MARK = "⟦5⟧";
const SAMPLES: readonly (readonly unknown[])[] = [
  ...[0, 1, 2, 3, 4, 5, 11, 21].map((count) => [count]),
  [MARK],
  ...["card", "phone", "account", "link"].map((kind) => [kind, MARK]),
  [MARK, MARK],
  [2, MARK],
];
const BROKEN = /undefined|null|NaN|\[object|\$\{|\{\{|TODO|XXX|^\s|\s$|^$|[^ ] {2}/;

type Leaf = { readonly at: string; readonly text: string };

/** Every text, those that functions make included; a function says where each sample leads. */
function leavesOf(value: unknown, at = ""): readonly Leaf[] {
  if (typeof value === "string") return [{ at, text: value }];
  if (typeof value === "function") {
    return SAMPLES.filter(({ length }) => length === value.length).flatMap((sample) =>
      leavesOf(tried(value as (...sample: readonly unknown[]) => unknown, sample), `${at}(${sample.join(", ")})`),
    );
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, `${at}.${name}`));
}

/** A sample of the wrong kind says nothing. */
function tried(call: (...sample: readonly unknown[]) => unknown, sample: readonly unknown[]): unknown {
  try {
    return call(...sample);
  } catch {
    return undefined;
  }
}

const CYRILLIC = /\p{Script=Cyrillic}/u;
const LATIN_WORD = /\p{Script=Latin}{2,}/u;
const IN_CYRILLIC: ReadonlySet<string> = new Set(["ru", "kk", "ky", "tg"]);
/** Names and short words that are the same in several languages. */
const SHARED = new Set(["Bank", "TEST"]);
/** Names of things that have one name everywhere. */
const NAMES = /\b(QR|SBP|CVV|CVC|CVV\/CVC|PIN|JavaScript|PDF|SMS|Visa|Mastercard|e-?mail|3-D Secure|IBAN|MM|YY)\b/gi;
const bare = (text: string): string => text.replace(NAMES, "").replaceAll(MARK, "");
const isSaid = (text: string): boolean => /\p{L}{2,}/u.test(bare(text));

describe.each(TABLES)("%s", (_name, table) => {
  const english = leavesOf(table.en).filter(({ text }) => !BROKEN.test(text));
  const wholeEnglish = leavesOf(table.en);

  it("says in English every sentence whole", () => {
    expect(english.length).toBeGreaterThan(0);
    // A function of the wrong sample may say "undefined"; for each function at least one sample is right.
    const functions = new Set(wholeEnglish.map(({ at }) => at.replace(/\(.*$/, "")));
    const whole = new Set(english.map(({ at }) => at.replace(/\(.*$/, "")));
    expect([...functions].filter((at) => !whole.has(at))).toEqual([]);
  });

  it.each(PAGE_LANGUAGES.filter((language) => language !== "en"))("says all of it in %s too", (language) => {
    const said = new Map(leavesOf(table[language]).map(({ at, text }) => [at, text]));
    const wanted = english.map(({ at }) => at);
    expect(wanted.filter((at) => !said.has(at))).toEqual([]);
    const others = [...said.keys()].filter((at) => !wholeEnglish.some((each) => each.at === at));
    expect(others).toEqual([]);
    const faults = english.flatMap(({ at, text }) =>
      faultsOf(language, said.get(at) ?? "", text).map((why) => [at, why]),
    );
    expect(faults).toEqual([]);
  });
});

function faultsOf(language: PageLanguage, text: string, english: string): readonly string[] {
  const why = (isFault: boolean, reason: string) => (isFault ? [`${reason}: ${text}`] : []);
  // Such as what stands between thousands.
  if (!isSaid(english)) return [];
  const isCyrillic = IN_CYRILLIC.has(language);
  return [
    ...why(BROKEN.test(text), "broken"),
    ...why(text === english && !SHARED.has(text), "is English"),
    ...why(english.includes(MARK) !== text.includes(MARK), "lost what it was given"),
    ...why(isCyrillic && !CYRILLIC.test(text), "has no letter of its script"),
    ...why(isCyrillic && LATIN_WORD.test(bare(text)), "has Latin words"),
    ...why(!isCyrillic && CYRILLIC.test(text), "has Cyrillic letters"),
  ];
}

/** Short ones are the same in languages that are related, such as "2 банк табылды". */
it("no language repeats another's sentence", () => {
  const repeated = TABLES.flatMap(([name, table]) =>
    PAGE_LANGUAGES.flatMap((language, index) =>
      PAGE_LANGUAGES.slice(index + 1).flatMap((other) => {
        const texts = new Map(leavesOf(table[other]).map(({ at, text }) => [at, text]));
        const same = leavesOf(table[language]).filter(({ at, text }) => texts.get(at) === text);
        return same
          .filter(({ text }) => (bare(text).match(/\p{L}+/gu) ?? []).length > 3)
          .map(({ at, text }) => [name, language, other, at, text]);
      }),
    ),
  );
  expect(repeated).toEqual([]);
});

it("every side has the same languages, by the names that their readers give them", () => {
  expect(LANGUAGE_NAMES).toEqual(NAMES_ON_SERVER);
  expect(SANDBOX_LANGUAGES).toEqual(PAGE_LANGUAGES);
  expect(PAGE_LANGUAGES.map((language) => wordsOf(`${language.toUpperCase()}-XX`).language)).toEqual(PAGE_LANGUAGES);
  expect(wordsOf("de").language).toBe("en");
  expect(new Set(Object.values(LANGUAGE_NAMES)).size).toBe(PAGE_LANGUAGES.length);
});

it("Russian, English and Spanish nouns agree with their number", () => {
  const page = pages as unknown as Record<string, { bank: { found: (count: number) => string } }>;
  const found = (language: string) => [0, 1, 2, 5, 11, 21].map((count) => page[language]?.bank.found(count));
  expect(found("en")).toEqual(["0 banks", "1 bank", "2 banks", "5 banks", "11 banks", "21 banks"]);
  expect(found("es")).toEqual(["0 bancos", "1 banco", "2 bancos", "5 bancos", "11 bancos", "21 bancos"]);
  expect(found("ru")).toEqual([
    "Найдено 0 банков",
    "Найден 1 банк",
    "Найдено 2 банка",
    "Найдено 5 банков",
    "Найдено 11 банков",
    "Найден 21 банк",
  ]);
});
