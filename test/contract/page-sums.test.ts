import { expect, it } from "vitest";
import { moneyText, timeText } from "../../src/api/payer/money-text.ts";
import { PAGE_LANGUAGES } from "../../src/app/page/page-language.ts";
import { decimalsOf } from "../../web/kit/currencies.ts";
import { formatMoment, formatTime } from "../../web/kit/dates.ts";
import { formatMoney } from "../../web/kit/money.ts";

const CURRENCIES = ["RUB", "KZT", "UZS", "AZN", "KGS", "TJS", "USD", "EUR", "JPY", "KWD"] as const;
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

it.each(PAGE_LANGUAGES)("in %s the page writes a sum without its script as its script does", (language) => {
  for (const currency of CURRENCIES) {
    for (const amount of [1, 99_900, 250_000]) {
      const sum = { amount, currency, decimals: decimalsOf(currency) };
      expect(moneyText({ ...sum, language })).toBe(formatMoney(sum, language));
    }
  }
});

it.each([
  ["en", "RUB", "₽2,500.00"],
  ["ru", "RUB", "2 500,00 ₽"],
  ["kk", "KZT", "2 500,00 ₸"],
  ["uz", "UZS", "2 500,00 soʻm"],
  ["az", "AZN", "2.500,00 AZN"],
  ["ky", "KGS", "2 500,00 сом"],
  ["tg", "TJS", "2 500,00 сомонӣ"],
  ["es", "EUR", "2500,00 €"],
  ["ru", "KGS", "2 500,00 сом"],
  ["en", "KGS", "KGS 2,500.00"],
  ["ky", "RUB", "2 500,00 ₽"],
])("in %s a sum of %s is %s", (language, currency, text) => {
  expect(plain(formatMoney({ amount: 250_000, currency, decimals: 2 }, language))).toBe(text);
});

it("the server's decimals win over the browser's", () => {
  expect(plain(formatMoney({ amount: 250_000, currency: "UZS", decimals: 2 }, "uz"))).toBe("2 500,00 soʻm");
  expect(plain(formatMoney({ amount: 2_500, currency: "JPY", decimals: 0 }, "kk"))).toBe("2 500 ¥");
});

it.each([...PAGE_LANGUAGES])("in %s times and dates have no month in another language", (language) => {
  const at = "2026-02-03T14:05:09Z";
  expect(timeText(at, language)).toMatch(/^(14:05|2:05\sPM) UTC$/u);
  expect(formatTime(at, language)).toMatch(/\d{1,2}:05/);
  const isByNumbers = !["en", "ru", "es"].includes(language);
  if (isByNumbers) expect(formatMoment(at, language)).toMatch(/^0[34]\.02\.2026, \d{2}:\d{2}:09$/);
});
