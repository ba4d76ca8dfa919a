import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { scrollsSideways, useTestBrowser } from "../../src/testing/browser/browser.ts";
import { aPng } from "../../src/testing/builders/pictures.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { shortIt } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { atStep, expectAccessibleInBothThemes, type PayOrder, usePayShop } from "./pay-shop.ts";
import { runCommand } from "./run-command.ts";

const database = useTestDatabase();
const service = useTestService(database);
const shop = usePayShop(database, service);
const browser = useTestBrowser();

const PHONE = { width: 390, height: 844 };
const SBP = { payment: { widget_method: "payin-p2p-sbp" } };
const RUSSIAN = { ...SBP, customer: { language: "ru" } };

async function openBanks(page: Page, order: PayOrder): Promise<void> {
  await page.goto((await shop.create(order)).url);
  await page.locator("button.primary").click();
  await page.locator("#bank-search").waitFor();
}

function namesOf(page: Page): Promise<string[]> {
  return page.locator(".banks .choice-text").allInnerTexts();
}

/** What a payer needs to go on is in the window. */
async function expectInWindow(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  expect(box).not.toBeNull();
  expect(box === null ? 0 : box.y + box.height).toBeLessThanOrEqual(height);
}

/** Makes the browser one with a finger for a pointer. */
async function touch(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Emulation.setTouchEmulationEnabled", { enabled: true });
}

describe.skipIf(browser.isMissing)("the payer's bank", () => {
  it("is found on a phone in Russian, by whatever the payer types, and is on top the next time", async () => {
    const { page, troubles } = await browser.open(PHONE);
    await openBanks(page, RUSSIAN);
    expect((await namesOf(page)).slice(0, 4)).toEqual(["Сбербанк", "Т-Банк", "ВТБ", "Альфа-Банк"]);
    expect(await page.locator(".bank-group").allInnerTexts()).toEqual(["Популярные", "Другие банки"]);
    expect(await page.locator(".banks .bank-mark").count()).toBe(35);
    expect(await page.locator(".banks .bank-mark").first().textContent()).toBe("С");
    await expectInWindow(page, "button.primary");
    expect(await scrollsSideways(page)).toBe(false);
    await expectAccessibleInBothThemes(page);
    for (const [typed, name] of [
      ["сбер", "Сбербанк"],
      ["sber", "Сбербанк"],
      ["c,th", "Сбербанк"],
      ["сбребанк", "Сбербанк"],
      ["тинькоф", "Т-Банк"],
      ["мкб", "Московский кредитный банк"],
    ] as const) {
      await page.locator("#bank-search").fill(typed);
      await expect.poll(() => namesOf(page)).toEqual([name]);
    }
    // The only one that is left is chosen, so Enter goes on.
    await page.locator("#bank-search").press("Enter");
    await atStep(page, "Сделайте перевод");
    expect(await page.evaluate("JSON.stringify({ ...localStorage })")).toBe(
      '{"tillgate.bank":"credit-bank-of-moscow"}',
    );

    await openBanks(page, RUSSIAN);
    expect((await namesOf(page)).slice(0, 2)).toEqual(["Московский кредитный банк", "Сбербанк"]);
    expect((await page.locator(".bank-group").allInnerTexts())[0]).toBe("Ваш прошлый выбор");
    expect(troubles).toEqual([]);
  });

  it("is chosen with the keyboard alone, and wears the picture that the operator gave it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tillgate-banks-"));
    writeFileSync(join(folder, "vtb.png"), aPng(64));
    const looks = [{ symbol: "vtb", names: { en: "VTB of the operator" }, image: "vtb.png" }];
    writeFileSync(join(folder, "looks.json"), JSON.stringify({ banks: looks }));
    await runCommand(database, "bank", "import", join(folder, "looks.json"));
    await service.settled();
    const { page, troubles } = await browser.open();
    const fetched = page.waitForResponse((response) => response.url().includes("/pay/banks/vtb"));
    await openBanks(page, SBP);
    const image = await fetched;
    expect([image.status(), await image.headerValue("content-type")]).toEqual([200, "image/png"]);
    expect(await image.headerValue("cache-control")).toContain("immutable");
    await page.waitForFunction("document.querySelector('img.bank-mark')?.naturalWidth === 64");
    await expectInWindow(page, "button.primary");
    await expectAccessibleInBothThemes(page);
    await page.locator("#bank-search").focus();
    await page.keyboard.type("VTB of");
    await expect.poll(() => namesOf(page)).toEqual(["VTB of the operator"]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await atStep(page, "Make the transfer");
    const { origin } = new URL(page.url());
    for (const path of ["sberbank", "no-such-bank", "%00", "..%2fx", "state"])
      expect([path, (await fetch(`${origin}/pay/banks/${path}`)).status]).toEqual([path, 404]);
    expect(troubles).toEqual([]);
  });

  shortIt("is chosen where the browser stores nothing", async () => {
    const { page, troubles } = await browser.open();
    await page.addInitScript(
      `Object.defineProperty(window, "localStorage", { get() { throw new DOMException("blocked", "SecurityError"); } })`,
    );
    await openBanks(page, SBP);
    await page.getByRole("radio", { name: "Alfa-Bank" }).check();
    await page.locator("button.primary").click();
    await atStep(page, "Make the transfer");
    expect(troubles).toEqual([]);
  });

  it("opens its app from a phone where the payment has a link, and says where to paste a number", async () => {
    const { page } = await browser.open(PHONE);
    await touch(page);
    await openBanks(page, RUSSIAN);
    await page.locator("#bank-search").fill("сбер");
    await page.locator("button.primary").click();
    await atStep(page, "Сделайте перевод");
    await page.getByText("Вставьте номер в приложении: Сбербанк").waitFor();
    // No provider gives links of the fast payment system today: the page is told of one.
    await page.route("**/state", async (route) => {
      const answer = await route.fetch();
      const view = await answer.json();
      const { bank_name: _name, phone: _phone, ...rest } = view.requisites;
      const requisites = { ...rest, type: "link", url: "https://qr.nspk.ru/AD10006M8KH234K782OQM0L13JI31LQD?type=02" };
      await route.fulfill({ json: { ...view, requisites } });
    });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    const link = page.getByRole("link", { name: "Открыть «Сбербанк»" });
    await link.waitFor();
    expect(await link.getAttribute("href")).toBe(
      "bank100000000111://qr.nspk.ru/AD10006M8KH234K782OQM0L13JI31LQD?type=02",
    );
    await expectAccessibleInBothThemes(page);
    await page.unrouteAll({ behavior: "wait" });
  });
});
