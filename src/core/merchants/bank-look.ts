import { type BankFacts, findNameFaults } from "./bank.ts";

/** What the payment page shows of a bank besides its name, and what payers find it by. `bank/all` has none of it. */
export type BankLook = {
  /** By language; where a language has none, the page takes the nearest one: see `shownBank` in `app/page`. */
  readonly names: BankNames;
  /** What else payers call it: earlier names, short ones, the name of its app. */
  readonly aliases: readonly string[];
  /** Popular banks come first, in the order of this number. */
  readonly popularity: number | null;
  /** The colour of its mark; null: one that follows from its symbol. */
  readonly colour: string | null;
};

/** The languages of the payment page. */
export const BANK_LANGUAGES = ["en", "ru", "kk", "uz", "az", "ky", "tg", "es"] as const;
export type BankLanguage = (typeof BANK_LANGUAGES)[number];
export type BankNames = Readonly<Partial<Record<BankLanguage, string>>>;

const BANK_ALIASES_MAX = 12;
export const BANK_POPULARITY_MAX = 1000;

/** Everything that is wrong with the parts of a look that are given. */
export function findLookFaults({ names = {}, aliases = [], popularity = null, colour = null }: Partial<BankLook>) {
  const faults = Object.entries(names).flatMap(([language, name]) => [
    ...(isBankLanguage(language) ? [] : [`"${language.slice(0, 40)}" is no language of the payment page`]),
    ...findNameFaults(name).map((each) => `${each} (${language.slice(0, 40)})`),
  ]);
  if (aliases.length > BANK_ALIASES_MAX)
    faults.push(`at most ${BANK_ALIASES_MAX} aliases are possible, there are ${aliases.length}`);
  faults.push(...aliases.flatMap((alias) => findNameFaults(alias).map((each) => `${each} (alias)`)));
  if (popularity !== null && !(Number.isInteger(popularity) && popularity >= 1 && popularity <= BANK_POPULARITY_MAX))
    faults.push(`the popularity must be a whole number from 1 to ${BANK_POPULARITY_MAX}`);
  if (colour !== null && !/^#[0-9a-f]{6}$/.test(colour)) faults.push("the colour must be like #1a56db");
  return faults;
}

export function isBankLanguage(text: string): text is BankLanguage {
  return (BANK_LANGUAGES as readonly string[]).includes(text);
}

const CYRILLIC = /\p{Script=Cyrillic}/u;

/** A name that a list gives without saying its language, as the official list of members does. */
export function withListedName(names: BankNames, name: BankFacts["name"]): BankNames {
  return { ...names, [CYRILLIC.test(name) ? "ru" : "en"]: name };
}
