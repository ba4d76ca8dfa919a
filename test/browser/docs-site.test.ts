import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { useTestBrowser } from "../../src/testing/browser/browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { longIt, shortIt, sizeOf } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { expectAccessible, expectAccessibleInBothThemes, expectAccessibleToo } from "./pay-shop.ts";

/** The pages of /docs in a browser: search, contents, anchors, copying, and reading without a script. */
const service = useTestService(useTestDatabase());
const browser = useTestBrowser();
const PHONE = { width: 390, height: 844 };

async function open(path: string, window = {}): Promise<{ page: Page; troubles: readonly string[] }> {
  const opened = await browser.open(window);
  await opened.page.goto(service.url() + path);
  return opened;
}

/** Nothing may be wider than the window: a reader would have to scroll to and fro. */
async function expectToFit(page: Page): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
}

describe.skipIf(browser.isMissing)("the documentation", () => {
  longIt("finds sections from the keyboard, and leads to them", async () => {
    const { page, troubles } = await open("/docs/quick-start");
    await page.getByRole("button", { name: "Search" }).waitFor();
    await page.keyboard.press("/");
    const field = page.getByLabel("Search the documentation");
    await field.fill("payment_id_conflict");
    await page.getByRole("dialog").getByText("What to do about each code").waitFor();
    await field.fill("confirm-3ds");
    await page.getByRole("dialog").locator("li").first().waitFor();
    await expectAccessible(page);
    await field.fill("cancel payin");
    await page.getByRole("dialog").getByText("POST /api/v1/payment/p2p/payin/cancel").waitFor();
    await field.fill("qqzzxx");
    await page.getByText("Nothing was found").waitFor();
    await field.fill("balances of a project");
    await page.getByRole("dialog").getByText("POST /api/v1/balance/info").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/docs#post-api-v1-balance-info$/);
    await page.keyboard.press("/");
    await page.getByLabel("Search the documentation").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    expect(troubles).toEqual([]);
  });

  it("marks where the reader is, and can be read in both themes", async () => {
    const { page, troubles } = await open("/docs#post-api-v1-payment-p2p-payout");
    await page.locator('nav a[aria-current="location"]', { hasText: "Create a payout" }).waitFor();
    // The reference has thousands of elements, each of which axe looks at: in the stress run.
    await expectAccessibleToo(page);
    await expectToFit(page);
    // An address of the page that this one replaced.
    await page.goto(`${service.url()}/docs#authentication`);
    await page.locator("li:has(:target) a", { hasText: "Signing" }).click();
    await page.waitForURL(/\/docs\/signing$/);
    await page.getByRole("heading", { name: "How a request is signed" }).waitFor();
    await expectAccessibleInBothThemes(page);
    expect(troubles).toEqual([]);
  });

  shortIt("copies code", async () => {
    const { page } = await open("/docs/quick-start");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const block = page.locator(".code", { hasText: "npm start" }).first();
    await block.hover();
    await block.getByRole("button", { name: "Copy" }).click();
    await block.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("npm start");
  });

  it.each(
    sizeOf({
      short: [["/docs/states", expectAccessible]],
      long: [
        ["/docs", expectAccessible],
        ["/docs/quick-start", expectAccessible],
        ["/docs/errors", expectAccessible],
        ["/docs/cards", expectAccessible],
        ["/docs/check-signature", expectAccessible],
      ],
    }),
  )("%s fits a phone and is accessible there, with its contents", async (path, judge) => {
    const { page, troubles } = await open(path, PHONE);
    await page.getByRole("button", { name: "Contents" }).click();
    await page.getByRole("navigation", { name: "Contents" }).getByText("Going live").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("navigation", { name: "Contents" }).isVisible()).toBe(false);
    await expectToFit(page);
    await judge(page);
    expect(troubles).toEqual([]);
  });

  shortIt("can be read and walked through without a script", async () => {
    const { page, troubles } = await open("/docs", { ...PHONE, javaScript: false });
    await page.getByRole("link", { name: "Contents" }).click();
    await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Errors" }).first().click();
    await page.waitForURL(/\/docs\/errors$/);
    await page.getByText("Compare your request with").waitFor();
    expect(troubles).toEqual([]);
  });
});
