import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { PAGE_LANGUAGES } from "../../src/app/page/page-language.ts";

type Manifest = Readonly<
  Record<string, { readonly file: string; readonly css?: readonly string[]; readonly imports?: [] }>
>;

/** Of all that is loaded; the document takes the rest of 100 kB, and test/browser/pay-page.test.ts weighs it with them. */
const FILES_WEIGHT_MAX = 80_000;
const BUILT = new URL("../../dist/web/", import.meta.url);
const manifest: Manifest = JSON.parse(readFileSync(new URL("manifest.json", BUILT), "utf8"));
const weightOf = (file: string): number => gzipSync(readFileSync(new URL(file, BUILT)), { level: 9 }).length;
const page = manifest["widget/main.tsx"];

it.each(PAGE_LANGUAGES)("what the payment page loads in %s weighs less than 80 kB compressed", (language) => {
  const words = manifest[`widget/words/${language}.ts`];
  const files = [page?.file, ...(page?.css ?? []), words?.file].map(String);
  expect(files).toHaveLength(3);
  const weight = files.reduce((sum, file) => sum + weightOf(file), 0);
  expect(weight).toBeGreaterThan(10_000);
  expect(weight).toBeLessThan(FILES_WEIGHT_MAX);
});

it("a payer loads one language: no file has the words of another, and none needs a third file", () => {
  const texts = PAGE_LANGUAGES.map((language) => {
    const { file = "", imports } = manifest[`widget/words/${language}.ts`] ?? {};
    expect([language, imports]).toEqual([language, undefined]);
    return { language, text: readFileSync(new URL(file, BUILT), "utf8") };
  });
  const footers = {
    en: "Secure payment page",
    ru: "Защищённая страница оплаты",
    kk: "Қорғалған төлем беті",
    uz: "Himoyalangan toʻlov sahifasi",
    az: "Təhlükəsiz ödəniş səhifəsi",
    ky: "Корголгон төлөм барагы",
    tg: "Саҳифаи бехатари пардохт",
    es: "Página de pago segura",
  };
  const script = readFileSync(new URL(String(page?.file), BUILT), "utf8");
  for (const [spoken, footer] of Object.entries(footers)) {
    expect(texts.filter(({ text }) => text.includes(footer)).map(({ language }) => language)).toEqual([spoken]);
    expect(script.includes(footer)).toBe(false);
  }
});
