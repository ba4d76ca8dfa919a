import { encode } from "uqr";
import { describe, expect, it } from "vitest";
import { scrollsSideways, useTestBrowser } from "../../src/testing/browser/browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { growing, longIt, shortIt } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { atStep, chooseMethod, expectAccessible, expectAccessibleToo, sayPaid, usePayShop } from "./pay-shop.ts";

const database = useTestDatabase();
const service = useTestService(database);
const shop = usePayShop(database, service, { payerAttempts: 1 });
const browser = useTestBrowser();

describe.skipIf(browser.isMissing)("a transfer on the payment page", () => {
  it.each(growing([320], [1440]))(
    "is paid, at %i pixels, through reloads, and nothing is wrong at any step",
    async (width) => {
      const made = await shop.create({ payment: { description: "Two tickets" } });
      const { page, troubles } = await browser.open({ width });
      await page.emulateMedia({ colorScheme: width === 320 ? "dark" : "light" });
      // On a phone they are judged in both themes, by pay-accessible.
      const judge = width === 320 ? expectAccessibleToo : expectAccessible;
      const look = async (heading: string) => {
        await atStep(page, heading);
        await page.reload();
        await atStep(page, heading);
        expect([heading, await scrollsSideways(page)]).toEqual([heading, false]);
        await judge(page);
      };
      await page.goto(made.url);
      await look("How would you like to pay?");
      await chooseMethod(page, /Card transfer/);
      await look("Make the transfer");
      await page.getByText("Two tickets").waitFor();
      await page.getByRole("button", { name: "I have paid" }).click();
      await judge(page);
      await page.getByRole("button", { name: "Yes, it is sent" }).click();
      await look("Payment received");
      await shop.untilState(made, "success");
      expect(troubles).toEqual([]);
    },
  );

  shortIt("gives digits alone to the clipboard, after a reload and steps back at the bank's choice too", async () => {
    const made = await shop.create({ amount: 250_050 });
    const { page } = await browser.open();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(made.url);
    await chooseMethod(page, /Fast payments system/);
    await atStep(page, "Which bank do you pay from?");
    await page.reload();
    await page.getByLabel("Search for your bank").fill("sber");
    await page.getByRole("radio", { name: "Sberbank" }).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await atStep(page, "Make the transfer");
    // The bank was chosen: the way back does not lead to that choice any more.
    await page.goBack();
    await atStep(page, "Make the transfer");
    const copied = async (label: string) => {
      await page.getByRole("button", { name: `Copy: ${label}` }).click();
      await page.getByRole("status").getByText("Copied").first().waitFor();
      return page.evaluate("navigator.clipboard.readText()");
    };
    expect(await copied("Exactly this amount")).toBe("2500.50");
    expect(await copied("Phone number")).toMatch(/^7[0-9]{10}$/);
    await page.getByText("Sberbank", { exact: true }).waitFor();
  });

  longIt("offers banks of the fast payments system alone for it, and those of the country for others", async () => {
    await database.db.run({
      text: `insert into banks (id, name, symbol, sbp_code, is_sbp_bank, country_code)
             values (gen_random_uuid(), 'Outside Bank', 'outside-bank', '000000000000', false, 'RU')`,
    });
    await service.settled();
    const { page } = await browser.open();
    await page.goto((await shop.create()).url);
    const offers = async (method: RegExp) => {
      await chooseMethod(page, method);
      await atStep(page, "Which bank do you pay from?");
      const names = await page.locator(".banks .choice-text").allInnerTexts();
      await page.goBack();
      await atStep(page, "How would you like to pay?");
      return names;
    };
    const members = await offers(/Fast payments system/);
    expect(members).toEqual(expect.arrayContaining(["Sberbank", "T-Bank"]));
    expect(members).not.toContain("Outside Bank");
    expect([...members, "Outside Bank"].sort()).toEqual((await offers(/Mobile transfer/)).sort());
    await page.goto((await shop.create({ currency: "KZT", amount: 100_000 })).url);
    const kazakh = await offers(/Mobile transfer/);
    expect(kazakh.slice(0, 2)).toEqual(["Kaspi Bank", "Halyk Bank"]);
    expect(kazakh).not.toContain("Sberbank");
  });

  it("shows a code for a link, and its parts can be read by a machine", async () => {
    const made = await shop.create({ currency: "KGS", amount: 100_000 });
    const { page } = await browser.open({ width: 320 });
    await page.goto(made.url);
    await chooseMethod(page, /QR code/);
    const code = page.getByRole("img", { name: "QR code of the payment link" });
    const link = await page.getByRole("link", { name: "Open the link" }).getAttribute("href");
    // A page of the sandbox's bank, below the service's own URL, so that a phone can open it.
    expect(link).toMatch(/\/sandbox\/qr\/[0-9a-f]{32}$/);
    const { size, data } = encode(link ?? "", { ecc: "M", border: 2 });
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    expect(await code.getAttribute("viewBox")).toBe(`0 0 ${size} ${size}`);
    expect(await code.locator("path").getAttribute("d")).toBe(dark.join(""));
    expect(await scrollsSideways(page)).toBe(false);
    await expectAccessibleToo(page);
    const { page: bank } = await browser.open({ width: 320 });
    await bank.goto(link ?? "");
    expect(await scrollsSideways(bank)).toBe(false);
    await expectAccessibleToo(bank);
    await bank.getByRole("button", { name: "Pay KGS 1,000.00" }).click();
    await bank.getByRole("heading", { name: "Paid", exact: true }).waitFor();
    await atStep(page, "Payment received");
  });

  longIt("is cancelled before and after the choice", async () => {
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
      await (choose ? expectAccessible(page) : expectAccessibleToo(page));
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
    await expectAccessibleToo(page);
    await sayPaid(page);
    await atStep(page, "Payment received");
    await shop.untilState(made, "success");
  });

  longIt("that nobody sent ends by itself", async () => {
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

  longIt(
    "that nobody finds is looked for, and then by a person; each step stays through reloads and steps back",
    async () => {
      const made = await shop.createWithWayBack({ amount: 250_002 });
      const { page, troubles } = await browser.open({ width: 320 });
      await page.goto(made.url);
      await chooseMethod(page, /Mobile transfer/);
      await page.getByRole("radio", { name: "VTB" }).check();
      await page.getByRole("button", { name: "Continue" }).click();
      await sayPaid(page);
      await atStep(page, "Checking your payment");
      await page.goBack();
      await atStep(page, "Checking your payment");
      await page.reload();
      await atStep(page, "Checking your payment");
      await expectAccessibleToo(page);
      await shop.moveClock(1_801);
      await atStep(page, "Your payment needs a closer look");
      await page.reload();
      await page.getByText("We have not found your transfer yet").waitFor();
      await page.getByText(made.paymentId).waitFor();
      expect(await page.getByRole("link", { name: "Back to the shop" }).getAttribute("href")).toContain(made.paymentId);
      await expectAccessible(page);
      await shop.untilState(made, "dispute:confirm_timeout");
      expect(troubles).toEqual([]);
    },
  );

  it("of another amount is for a person to look at", async () => {
    const made = await shop.create({ amount: 250_003 });
    const { page } = await browser.open({ width: 320 });
    await page.goto(made.url);
    await chooseMethod(page, /Card transfer/);
    await sayPaid(page);
    await atStep(page, "Your payment needs a closer look");
    await page.getByText("is not the one that was asked for").waitFor();
    await expectAccessibleToo(page);
    await shop.untilState(made, "dispute:different_amount");
  });

  shortIt("that nobody can take is declined with its reason", async () => {
    const made = await shop.create({ amount: 250_005 });
    const { page } = await browser.open();
    await page.goto(made.url);
    await chooseMethod(page, /Card transfer/);
    await page.getByText("Nobody can take a transfer right now").waitFor();
  });

  shortIt("confirmed in two tabs is confirmed once, and both show it", async () => {
    const made = await shop.create();
    const [first, second] = [(await browser.open()).page, (await browser.open()).page];
    await first.goto(made.url);
    await second.goto(made.url);
    await chooseMethod(first, /Card transfer/);
    await atStep(second, "Make the transfer");
    for (const page of [first, second]) await page.getByRole("button", { name: "I have paid" }).click();
    // At once, so that neither hears of the other before it sends.
    const yes = "document.querySelector('dialog .primary').click()";
    await Promise.all([first.evaluate(yes), second.evaluate(yes)]);
    await Promise.all([atStep(first, "Payment received"), atStep(second, "Payment received")]);
    await shop.untilState(made, "success");
  });

  shortIt("chosen in two tabs is chosen once", async () => {
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

  shortIt("goes on by asking where events do not come through", async () => {
    const made = await shop.create();
    const { page } = await browser.open();
    await page.route("**/events", (route) => route.abort());
    await page.clock.install();
    await page.goto(made.url);
    await chooseMethod(page, /Card transfer/);
    await atStep(page, "Make the transfer");
    // Nothing at all comes through for a while: the page says so, and says nothing more once it does.
    await page.route("**/state", (route) => route.abort());
    const offline = page.getByRole("alert").getByText("We keep trying.");
    await page.clock.runFor(7_000);
    await offline.waitFor();
    await page.unroute("**/state");
    await page.clock.runFor(4_000);
    await offline.waitFor({ state: "detached" });
    await sayPaid(page);
    await atStep(page, "Payment received");
  });

  longIt("is made with the keyboard alone", async () => {
    const made = await shop.createWithWayBack({ payment: { widget_method: "payin-p2p-sbp" } });
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
