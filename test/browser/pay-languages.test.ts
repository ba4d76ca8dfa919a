import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { PAGE_LANGUAGES, type PageLanguage } from "../../src/app/page/page-language.ts";
import { scrollsSideways, useTestBrowser } from "../../src/testing/browser/browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { growing, shortIt, sizeOf } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { LANGUAGE_NAMES } from "../../web/widget/words/page-language.ts";
import { atStep, chooseMethod, fillCard, speak, usePayShop } from "./pay-shop.ts";
import { cutTexts, type ShownStep, showStep } from "./shown-steps.ts";

const database = useTestDatabase();
const service = useTestService(database);
const shop = usePayShop(database, service);
const browser = useTestBrowser();

const CHALLENGED = "4000000000003220";
/** The longest words first. */
const LANGUAGES = growing<PageLanguage>(["tg", "es"], ["en", "ru", "kk", "uz", "az", "ky"]);
const STEPS = growing<ShownStep>(
  ["choose", "card", "transfer"],
  ["bank", "link", "prepare", "overdue", "challenge", "check", "attention", "success", "decline"],
);
const HEADINGS: Readonly<Record<PageLanguage, string>> = {
  en: "How would you like to pay?",
  ru: "Как вы хотите заплатить?",
  kk: "Қалай төлегіңіз келеді?",
  uz: "Qanday toʻlamoqchisiz?",
  az: "Necə ödəmək istəyirsiniz?",
  ky: "Кантип төлөгүңүз келет?",
  tg: "Чӣ тавр пардохт кардан мехоҳед?",
  es: "¿Cómo desea pagar?",
};

/** Which languages' words the page has loaded. */
function watchWords(page: Page): readonly string[] {
  const loaded: string[] = [];
  page.on("response", (response) => {
    const [, language] = /\/pay-assets\/([a-z]{2})-[\w-]+\.js$/.exec(new URL(response.url()).pathname) ?? [];
    if (language !== undefined) loaded.push(language);
  });
  return loaded;
}

describe.skipIf(browser.isMissing)("the payment page", () => {
  shortIt(
    "speaks the browser's language, loads no other, and switches by its menu without losing what was typed",
    async () => {
      const made = await shop.create({ customer: { country: "RU" } });
      const { page, troubles } = await browser.open({ width: 320 });
      const loaded = watchWords(page);
      await page.setExtraHTTPHeaders({ "accept-language": "de-DE, kk;q=0.8, en;q=0.5" });
      await page.goto(made.url);
      await atStep(page, HEADINGS.kk);
      expect(await page.locator("html").getAttribute("lang")).toBe("kk");
      expect(loaded).toEqual(["kk"]);
      const menu = page.getByRole("combobox", { name: "Тіл" });
      expect(await menu.locator("option").allInnerTexts()).toEqual(Object.values(LANGUAGE_NAMES));
      await page.getByRole("radio", { name: /Банк картасы/ }).check();
      await page.getByRole("button", { name: "Жалғастыру" }).click();
      await page.getByLabel("Карта нөмірі").fill("4242424242424242");
      await speak(page, "uz");
      await atStep(page, "Karta bilan toʻlash");
      expect(await page.getByLabel("Karta raqami").inputValue()).toBe("4242 4242 4242 4242");
      expect(loaded).toEqual(["kk", "uz"]);
      expect(await page.locator("html").getAttribute("lang")).toBe("uz");
      await expect.poll(() => page.title()).toContain(HEADINGS.uz);
      await page.reload();
      await atStep(page, "Karta bilan toʻlash");
      expect(new URL(page.url()).search).toBe("?lang=uz");
      expect(troubles).toEqual([]);
    },
  );

  shortIt("stays as it is, and says why, when another language cannot be loaded", async () => {
    const made = await shop.create({ customer: { language: "en" } });
    const { page } = await browser.open();
    await page.route(/\/pay-assets\/az-/, (route) => route.abort());
    await page.goto(`${made.url}?lang=es`);
    await atStep(page, HEADINGS.es);
    await speak(page, "az");
    await page.getByRole("alert").getByText("No hay conexión.").waitFor();
    await atStep(page, HEADINGS.es);
    expect(await page.locator("select.language").inputValue()).toBe("es");
    await speak(page, "ky");
    await atStep(page, HEADINGS.ky);
  });

  shortIt("without its script links to the other languages", async () => {
    const made = await shop.create({ customer: { language: "tg" } });
    const { page } = await browser.open({ width: 320, javaScript: false });
    await page.goto(made.url);
    await atStep(page, HEADINGS.tg);
    expect(await page.getByRole("navigation").getByRole("link").count()).toBe(PAGE_LANGUAGES.length - 1);
    await page.getByRole("link", { name: "Қазақша" }).click();
    await atStep(page, HEADINGS.kk);
    expect(await page.locator("html").getAttribute("lang")).toBe("kk");
    expect(await scrollsSideways(page)).toBe(false);
  });

  it("fits a phone of 320 pixels at every step, in every language", { timeout: 240_000 }, async () => {
    const made = await shop.create({ payment: { description: "Two tickets" } });
    const { page } = await browser.open({ width: 320, height: 640 });
    for (const step of STEPS) {
      await showStep(page, made.url, step);
      for (const language of LANGUAGES) {
        await speak(page, language);
        await page.locator(`html[lang="${language}"]`).waitFor();
        // `2026 M11 16` is how a browser writes a date in a language that it has no data of.
        const dates = (await page.locator("main").innerText()).match(/\bM\d\d\b/g);
        const seen = { sideways: await scrollsSideways(page), cut: await cutTexts(page), dates };
        expect([step, language, seen]).toEqual([step, language, { sideways: false, cut: [], dates: null }]);
      }
      await page.unrouteAll();
    }
  });
});

describe.skipIf(browser.isMissing)("the issuer's page of the sandbox", () => {
  it("speaks the browser's language, and fits a phone", async () => {
    const made = await shop.create();
    const { page } = await browser.open({ width: 320, height: 640 });
    await page.goto(made.url);
    await chooseMethod(page, /Bank card/);
    await fillCard(page, CHALLENGED);
    await page.getByRole("button", { name: /^Pay/ }).click();
    await shop.untilState(made, "processing:awaiting_3ds_result");
    const { challenge_url } = (await (await fetch(`${made.url}/state`)).json()) as { challenge_url: string };
    const titles = { en: "Confirm your payment", kk: "Төлемді растаңыз", es: "Confirme su pago" } as const;
    for (const language of sizeOf({ short: ["kk"], long: ["kk", "en", "es"] } as const)) {
      await page.setExtraHTTPHeaders({ "accept-language": language });
      await page.goto(challenge_url);
      await atStep(page, titles[language]);
      expect(await page.locator("html").getAttribute("lang")).toBe(language);
      expect(await scrollsSideways(page)).toBe(false);
    }
  });
});
