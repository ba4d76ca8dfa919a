/** A bank that payers and receivers can name. */
export type Bank = {
  readonly name: string;
  /** What requests call it by; never changes and is never reused. */
  readonly symbol: string;
  readonly sbpCode: string;
  readonly isSbpBank: boolean;
  readonly countryCode: string;
};

/** The field is always twelve digits; these stand for a bank outside the fast payment system. */
export const NO_SBP_CODE = "000000000000";

const BANK_NAME_MAX = 64;
export const BANK_SYMBOL_MAX = 64;

/** What a person or a file says of a bank, before it has a symbol. */
export type BankFacts = { readonly name: string; readonly sbpCode: string; readonly countryCode: string };

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Everything that keeps these facts from becoming a bank; empty when nothing does. */
export function findBankFaults(facts: BankFacts): string[] {
  const faults = findNameFaults(facts.name);
  if (!/^[0-9]{12}$/.test(facts.sbpCode))
    faults.push(`the code must be twelve digits, it is "${facts.sbpCode.slice(0, 40)}"`);
  if (!/^[A-Z]{2}$/.test(facts.countryCode)) {
    faults.push(`the country must be two capital letters, it is "${facts.countryCode.slice(0, 40)}"`);
  }
  return faults;
}

export function findNameFaults(name: string): string[] {
  const faults: string[] = [];
  const length = [...name].length;
  if (length < 1 || length > BANK_NAME_MAX)
    faults.push(`the name must have 1 to ${BANK_NAME_MAX} characters, it has ${length}`);
  if (CONTROL.test(name)) faults.push("the name holds a control character");
  return faults;
}

/** Two sets of facts with the same key are about the same bank. */
export function bankKey(facts: BankFacts): string {
  return facts.sbpCode === NO_SBP_CODE ? `${facts.countryCode} ${facts.name.toLowerCase()}` : facts.sbpCode;
}

const LATIN_OF_CYRILLIC: Readonly<Record<string, string>> = {
  а: "a",
  б: "b",
  в: "v",
  г: "g",
  д: "d",
  е: "e",
  ё: "e",
  ж: "zh",
  з: "z",
  и: "i",
  й: "y",
  к: "k",
  л: "l",
  м: "m",
  н: "n",
  о: "o",
  п: "p",
  р: "r",
  с: "s",
  т: "t",
  у: "u",
  ф: "f",
  х: "kh",
  ц: "ts",
  ч: "ch",
  ш: "sh",
  щ: "shch",
  ъ: "",
  ы: "y",
  ь: "",
  э: "e",
  ю: "yu",
  я: "ya",
  ә: "a",
  ғ: "g",
  қ: "k",
  ң: "n",
  ө: "o",
  ұ: "u",
  ү: "u",
  һ: "h",
  і: "i",
  ў: "u",
  ҳ: "h",
  ҷ: "j",
  ӣ: "i",
  ӯ: "u",
};

/** A symbol made from the name by transliteration: lower-case words with dashes. Not yet checked for being free. */
export function transliterate(name: string): string {
  const latin = [...name.toLowerCase()].map((character) => LATIN_OF_CYRILLIC[character] ?? character).join("");
  const words = latin
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .replace(/[^a-z0-9]+/g, "-");
  return words.slice(0, BANK_SYMBOL_MAX).replace(/^-+|-+$/g, "");
}

/** A symbol that no other bank has: the plain one, else with the code (or the country) behind it, else with a number too. */
export function makeSymbol(facts: BankFacts, taken: ReadonlySet<string>): string {
  const suffix = facts.sbpCode === NO_SBP_CODE ? facts.countryCode.toLowerCase() : facts.sbpCode;
  const plain = transliterate(facts.name) || `bank-${suffix}`;
  if (!taken.has(plain)) return plain;
  for (let number = 1; ; number += 1) {
    const tail = number === 1 ? `-${suffix}` : `-${suffix}-${number}`;
    const symbol = plain.slice(0, BANK_SYMBOL_MAX - tail.length).replace(/-+$/, "") + tail;
    if (!taken.has(symbol)) return symbol;
  }
}
