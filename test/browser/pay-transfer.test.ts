import { describe, expect, it } from "vitest";
import { scrollsSideways, useTestBrowser } from "../../src/testing/browser.ts";
import { useTestDatabase } from "../../src/testing/test-database.ts";
import { useTestService } from "../../src/testing/test-service.ts";
import { atStep, chooseMethod, expectAccessible, sayPaid, usePayShop } from "./pay-shop.ts";

const database = useTestDatabase();
const service = useTestService(database);
const shop = usePayShop(database, service);
const browser = useTestBrowser();

describe.skipIf(browser.isMissing)("a transfer on the payment page", () => {
  it.each([320, 1440])("is paid, at %i pixels, through reloads, and nothing is wrong at any step", async (width) => {
    const made = await shop.create({ payment: { description: "Two tickets" } });
    const { page, troubles } = await browser.open({ width });
    await page.emulateMedia({ colorScheme: width === 320 ? "dark" : "light" });
    const look = async (heading: string) => {
      await atStep(page, heading);
      await page.reload();
      await atStep(page, heading);
      expect([heading, await scrollsSideways(page)]).toEqual([heading, false]);
      await expectAccessible(page);
    };
    await page.goto(made.url);
    await look("How would you like to pay?");
    await chooseMethod(page, /Card transfer/);
    await look("Make the transfer");
    await page.getByText("Two tickets").waitFor();
    await page.getByRole("button", { name: "I have paid" }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Yes, it is sent" }).click();
    await look("Payment received");
    await shop.untilState(made, "success");
    expect(await page.getByRole("link", { name: "Back to the shop" }).getAttribute("href")).toContain(made.paymentId);
    expect(troubles).toEqual([]);
  });

  it("gives digits alone to the clipboard, and the plus of a phone", async () => {
    const made = await shop.create({ amount: 250_050 });
    const { page } = await browser.open();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(made.url);
    await chooseMethod(page, /Fast payments system/);
    await page.getByLabel("Search for your bank").fill("sber");
    await page.getByRole("radio", { name: "Sberbank" }).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await atStep(page, "Make the transfer");
    const copied = async (label: string) => {
      await page.getByRole("button", { name: `Copy: ${label}` }).click();
      await page.getByRole("status").getByText("Copied").first().waitFor();
      return page.evaluate("navigator.clipboard.readText()");
    };
    expect(await copied("Exactly this amount")).toBe("2500.50");
    expect(await copied("Phone number")).toMatch(/^\+[0-9]{11}$/);
    await page.getByText("Sberbank").waitFor();
  });

  it("lists banks of the fast payments system alone for it", async () => {
    const made = await shop.create({ currency: "KZT", amount: 100_000 });
    const { page } = await browser.open();
    await page.goto(made.url);
    await chooseMethod(page, /Mobile transfer/);
    await atStep(page, "Which bank do you pay from?");
    expect(await page.getByRole("radio").allInnerTexts()).toHaveLength(2);
    await page.goBack();
    await atStep(page, "How would you like to pay?");
  });

  it("shows a code for a link, and its parts can be read by a machine", async () => {
    const made = await shop.create({ currency: "KGS", amount: 100_000 });
    const { page } = await browser.open({ width: 320 });
    await page.goto(made.url);
    await chooseMethod(page, /QR code/);
    await page.getByRole("img", { name: "QR code of the payment link" }).waitFor();
    expect(await page.getByRole("link", { name: "Open the link" }).getAttribute("href")).toMatch(/^https:/);
    expect(await scrollsSideways(page)).toBe(false);
    await expectAccessible(page);
  });

  it("is cancelled before and after the choice", async () => {
    for (const choose of [false, true]) {
      const made = await shop.create();
      const { page } = await browser.open();
      await page.goto(made.url);
      if (choose) await chooseMethod(page, /Card transfer/);
      if (choose) await atStep(page, "Make the transfer");
      await page.getByRole("button", { name: "Cancel the payment" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Keep it" }).click();
      await page.getByRole("button", { name: "Cancel the payment" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Yes, cancel it" }).click();
      await atStep(page, "The payment was not made");
      await page.getByText("The payment was cancelled.").waitFor();
      await expectAccessible(page);
      await shop.untilState(made, "decline:cancelled");
    }
  });

  it("that expired says what to do, and one that was paid late is found", async () => {
    const made = await shop.create();
    const { page } = await browser.open();
    await page.goto(made.url);
    await chooseMethod(page, /Card transfer/);
    await atStep(page, "Make the transfer");
    await shop.moveClock(901);
    await atStep(page, "The time is over");
    await page.reload();
    await page.getByText("do not send it any more").waitFor();
    await expectAccessible(page);
    await sayPaid(page);
    await atStep(page, "Payment received");
    await shop.untilState(made, "success");
  });

  it("that nobody sent ends by itself", async () => {
    const made = await shop.create({ amount: 250_002 });
    const { page } = await browser.open();
    await page.goto(made.url);
    await chooseMethod(page, /Card transfer/);
    await atStep(page, "Make the transfer");
    await shop.moveClock(901);
    await atStep(page, "The time is over");
    await shop.moveClock(901);
    await atStep(page, "The payment was not made");
    await page.getByText("The time for this payment is over.", { exact: true }).waitFor();
  });

  it("of another amount is for a person to look at", async () => {
    const made = await shop.create({ amount: 250_003 });
    const { page } = await browser.open({ width: 320 });
    await page.goto(made.url);
    await chooseMethod(page, /Card transfer/);
    await sayPaid(page);
    await atStep(page, "Your payment needs a closer look");
    await page.getByText("is not the one that was asked for").waitFor();
    await expectAccessible(page);
    await shop.untilState(made, "dispute:different_amount");
  });

  it("that nobody can take is declined with its reason", async () => {
    const made = await shop.create({ amount: 250_005 });
    const { page } = await browser.open();
    await page.goto(made.url);
    await chooseMethod(page, /Card transfer/);
    await page.getByText("Nobody can take a transfer right now").waitFor();
  });

  it("counts by the server's time when the browser's clock is an hour wrong", async () => {
    const made = await shop.create();
    const { page } = await browser.open();
    await page.clock.install({ time: Date.now() + 3_600_000 });
    await page.goto(made.url);
    const left = await page.getByRole("timer").innerText();
    expect(left).toMatch(/^(10:00|9:[0-5][0-9])$/);
  });

  it("confirmed in two tabs is confirmed once, and both show it", async () => {
    const made = await shop.create();
    const [first, second] = [(await browser.open()).page, (await browser.open()).page];
    await first.goto(made.url);
    await second.goto(made.url);
    await chooseMethod(first, /Card transfer/);
    await atStep(second, "Make the transfer");
    for (const page of [first, second]) await page.getByRole("button", { name: "I have paid" }).click();
    // At once, so that neither hears of the other before it sends.
    await Promise.all(
      [first, second].map((page) => page.evaluate("document.querySelector('dialog .primary').click()")),
    );
    await Promise.all([atStep(first, "Payment received"), atStep(second, "Payment received")]);
    await shop.untilState(made, "success");
  });

  it("chosen in two tabs is chosen once", async () => {
    const made = await shop.create();
    const [first, second] = [(await browser.open()).page, (await browser.open()).page];
    await first.goto(made.url);
    await second.goto(made.url);
    await first.getByRole("radio", { name: /Card transfer/ }).check();
    await second.getByRole("radio", { name: /International/ }).check();
    // At once, so that neither hears of the other before it sends.
    await Promise.all([first, second].map((page) => page.evaluate("document.querySelector('form').requestSubmit()")));
    await Promise.all([atStep(first, "Make the transfer"), atStep(second, "Make the transfer")]);
    const number = (page: typeof first) => page.locator(".value").last().innerText();
    expect(await number(first)).toBe(await number(second));
  });

  it("goes on by asking where events do not come through", async () => {
    const made = await shop.create();
    const { page } = await browser.open();
    await page.route("**/events", (route) => route.abort());
    await page.goto(made.url);
    await chooseMethod(page, /Card transfer/);
    await atStep(page, "Make the transfer");
    await sayPaid(page);
    await atStep(page, "Payment received");
  });

  it("is made with the keyboard alone", async () => {
    const made = await shop.create({ payment: { widget_method: "payin-p2p-sbp" } });
    const { page } = await browser.open();
    await page.goto(made.url);
    await atStep(page, "How would you like to pay?");
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    // The language, the method that is chosen beforehand, and on.
    await press("Tab", "Tab", "Tab", "Enter");
    await atStep(page, "Which bank do you pay from?");
    await press("Tab");
    await page.keyboard.type("alfa");
    await press("Tab", "Space", "Enter");
    await atStep(page, "Make the transfer");
    await press("Tab", "Tab", "Tab", "Enter");
    await page.getByRole("dialog").waitFor();
    await press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await press("Enter");
    await page.getByRole("dialog").waitFor();
    await press("Enter");
    await atStep(page, "Payment received");
    await page.locator("h1:focus").waitFor();
    await press("Tab", "Enter");
    await page.waitForURL(/\/docs\?payment_id=/);
    await page.goBack();
    await atStep(page, "Payment received");
  });
});
