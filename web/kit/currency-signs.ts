type Sign = { readonly currencyDisplay: "symbol" | "narrowSymbol"; readonly word?: string };

/** Signs that fonts have and that mean one currency. Those of the manat (₼) and the som (⃀) are in few, and `$` is many currencies'. */
const SIGNED: ReadonlySet<string> = new Set(["RUB", "KZT"]);

/** What people write where there is no sign; browsers know few of these words. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  UZS: { ru: "сум", uz: "soʻm" },
  KGS: { ru: "сом", ky: "сом" },
  TJS: { ru: "сомони", tg: "сомонӣ" },
};

/** The server says the same in src/api/payer/money-text.ts, for the page without its script. */
export function signOf(currency: string, language: string): Sign {
  const word = WORDS[currency]?.[language];
  const currencyDisplay = SIGNED.has(currency) ? "narrowSymbol" : "symbol";
  return word === undefined ? { currencyDisplay } : { currencyDisplay, word };
}
