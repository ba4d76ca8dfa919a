import { describe, expect, it } from "vitest";
import { scrollsSideways, useTestBrowser } from "../../src/testing/browser/browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { growing, longIt, shortIt } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import {
  atStep,
  chooseMethod,
  expectAccessible,
  expectAccessibleInBothThemes,
  expectAccessibleToo,
  fillCard,
  usePayShop,
} from "./pay-shop.ts";

const database = useTestDatabase();
const service = useTestService(database);
const shop = usePayShop(database, service, { payerAttempts: 1 });
const browser = useTestBrowser();

const APPROVED = "4242424242424242";
const CHALLENGED = growing(["4000000000003220"], ["4111111111111111"]);

async function openCardForm(width?: number) {
  const made = await shop.create();
  const { page, troubles } = await browser.open(width === undefined ? {} : { width });
  await page.goto(made.url);
  await chooseMethod(page, /Bank card/);
  await atStep(page, "Pay by card");
  return { made, page, troubles, pay: page.getByRole("button", { name: /^Pay / }) };
}

describe.skipIf(browser.isMissing)("a card on the payment page", () => {
  it.each(growing([320], [1440]))("is charged, at %i pixels", async (width) => {
    const { made, page, troubles, pay } = await openCardForm(width);
    await page.goBack();
    await atStep(page, "How would you like to pay?");
    await page.goForward();
    await atStep(page, "Pay by card");
    await page.reload();
    await atStep(page, "Pay by card");
    // On a phone it is judged in both themes, by pay-accessible.
    await (width === 320 ? expectAccessibleToo(page) : expectAccessible(page));
    expect(await scrollsSideways(page)).toBe(false);
    await fillCard(page, APPROVED, "key by key");
    expect(await page.getByLabel("Card number").inputValue()).toBe("4242 4242 4242 4242");
    expect(await page.getByLabel("Valid until").inputValue()).toBe("12/41");
    await page.getByText("Visa", { exact: true }).waitFor();
    expect(await pay.innerText()).toMatch(/^Pay ₽2,500\.00$/);
    await pay.click();
    await atStep(page, "Payment received");
    await page.goBack();
    await atStep(page, "Payment received");
    await shop.untilState(made, "success");
    expect(troubles).toEqual([]);
    expect(await shop.toldBrowser(made)).toEqual({
      language: "en-US",
      color_depth: 24,
      screen_width: width,
      screen_height: 800,
      timezone_offset: await page.evaluate("new Date().getTimezoneOffset()"),
      java_enabled: false,
      user_agent: await page.evaluate("navigator.userAgent"),
      accept_header: "*/*",
    });
  });

  it.each(
    growing(
      [["4000000000009995", "There is not enough money on the card."]],
      [
        ["4000000000000002", "The bank refused the payment."],
        ["4000000000000069", "The card has expired."],
      ],
    ),
  )("%s is declined with its reason", async (pan, words) => {
    const { page, pay } = await openCardForm();
    await fillCard(page, pan);
    await pay.click();
    await atStep(page, "The payment was not made");
    await page.getByText(words).waitFor();
    await expectAccessibleToo(page);
  });

  it.each(CHALLENGED)("%s is confirmed at the issuer, in a frame, through a reload", async (pan) => {
    const { made, page, troubles, pay } = await openCardForm(320);
    await fillCard(page, pan);
    await pay.click();
    await atStep(page, "Confirm with your bank");
    await page.reload();
    await atStep(page, "Confirm with your bank");
    await expectAccessibleToo(page);
    expect(await scrollsSideways(page)).toBe(false);
    const code = page.frameLocator("iframe").getByLabel("Confirmation code");
    await code.waitFor();
    // Back in the frame, where the way to the issuer is a step of its history, or in the page.
    const moved = page.waitForEvent("framenavigated");
    await page.evaluate(() => history.back());
    await moved;
    await atStep(page, "Confirm with your bank");
    await code.fill("1234");
    await code.press("Enter");
    await atStep(page, "Payment received");
    await shop.untilState(made, "success");
    // The sandbox's issuer wants the focus, which a browser gives to no frame by itself.
    expect(troubles.filter((text) => !text.includes("autofocus"))).toEqual([]);
  });

  shortIt("is confirmed at the issuer in the whole window where the issuer lets nobody frame it", async () => {
    const { made, page, pay } = await openCardForm();
    await page.route("**/acs/challenge", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), "x-frame-options": "DENY" } });
    });
    const refused = page.waitForEvent("console", (message) => message.text().includes("X-Frame-Options"));
    await fillCard(page, "4000000000003220");
    await pay.click();
    await refused;
    await page.getByRole("link", { name: /Open it by itself/ }).click();
    await page.getByLabel("Confirmation code").fill("1234");
    await page.getByLabel("Confirmation code").press("Enter");
    await page.waitForURL(made.url);
    await atStep(page, "Payment received");
  });

  it.each(
    growing([["Pay", "Payment received", "success"]], [["Cancel", "The payment was not made", "decline:cancelled"]]),
  )("goes on at a page of the provider, through a reload, where it can %s", async (button, heading, state) => {
    const { made, page, troubles, pay } = await openCardForm(320);
    await shop.wish("plain_redirect");
    await fillCard(page, APPROVED);
    await pay.click();
    await atStep(page, "Confirm with your bank");
    await page.reload();
    await atStep(page, "Confirm with your bank");
    if (button === "Pay") await expectAccessibleInBothThemes(page);
    else await expectAccessibleToo(page);
    expect(await page.locator("iframe").count()).toBe(0);
    const toProvider = page.getByRole("link", { name: "Continue to the bank" });
    await toProvider.click();
    await page.getByText("Sandbox Pay").waitFor();
    await page.goBack();
    await atStep(page, "Confirm with your bank");
    await toProvider.click();
    await page.getByRole("button", { name: button }).click();
    await page.waitForURL(made.url);
    await atStep(page, heading);
    await shop.untilState(made, state);
    expect(troubles).toEqual([]);
  });

  longIt("whose challenge is cancelled is declined; one whose page was closed finds the challenge again", async () => {
    const { made, page, pay } = await openCardForm();
    await fillCard(page, "4000000000003220");
    await pay.click();
    await atStep(page, "Confirm with your bank");
    await page.close();
    const again = (await browser.open()).page;
    await again.goto(made.url);
    await again.frameLocator("iframe").getByRole("button", { name: "Cancel" }).click();
    await atStep(again, "The payment was not made");
    await again.getByText("Your bank did not confirm that it was you.").waitFor();
    await again.reload();
    await atStep(again, "The payment was not made");
    await shop.untilState(made, "decline:three_ds_failed");
  });

  longIt("whose challenge nobody comes back to ends with its time, and the page says so", async () => {
    const { made, page, pay } = await openCardForm();
    await fillCard(page, "4000000000003220");
    await pay.click();
    await atStep(page, "Confirm with your bank");
    await page.close();
    await shop.moveClock(601);
    await shop.untilState(made, "decline:expired");
    const again = (await browser.open()).page;
    await again.goto(made.url);
    await again.getByText("The time for this payment is over.", { exact: true }).waitFor();
  });

  shortIt("whose acquirer does not answer at once waits, through a reload, and is asked about", async () => {
    const { made, page, troubles, pay } = await openCardForm(320);
    await fillCard(page, "4100401111100062");
    await pay.click();
    await atStep(page, "One moment");
    await page.reload();
    await page.getByText("Your card is being charged.").waitFor();
    await page.goBack();
    await page.getByText(made.paymentId).waitFor();
    await page.getByText("Please stay on this page and do not pay again").waitFor();
    await expectAccessible(page);
    await shop.moveClock(60);
    await atStep(page, "Payment received");
    await shop.untilState(made, "success");
    expect(troubles).toEqual([]);
  });

  longIt("that was charged for another amount is for a person to look at", async () => {
    const { made, page, pay } = await openCardForm();
    await shop.wish("wrong_amount");
    await fillCard(page, APPROVED);
    await pay.click();
    await atStep(page, "Your payment needs a closer look");
    await page.reload();
    await page.getByText("is not the one that was asked for").waitFor();
    await shop.untilState(made, "dispute:different_amount");
  });

  shortIt("that ended while its answer was under way is shown as it ended", async () => {
    const { made, page, pay } = await openCardForm();
    await fillCard(page, "4000000000009995");
    const cardAnswered = page.waitForResponse(/\/card$/);
    const heard = page.waitForRequest(/\/state$/);
    // The page hears of the end and asks for it, and only then gets the older answer, which is shown first.
    await page.route(/\/state$/, async (route) => {
      await cardAnswered;
      await route.continue();
    });
    await page.route(/\/card$/, async (route) => {
      const response = await route.fetch();
      await shop.untilState(made, "decline:insufficient_funds");
      await heard;
      await route.fulfill({ response });
    });
    await pay.click();
    await atStep(page, "The payment was not made");
  });

  shortIt("is charged once on a double click", async () => {
    const { made, page, pay } = await openCardForm();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/card")) sent.push(request.url());
    });
    await fillCard(page, APPROVED);
    await pay.dblclick();
    await atStep(page, "Payment received");
    expect(sent).toHaveLength(1);
    await shop.untilState(made, "success");
  });

  it("is told of mistakes beside the field, in words, and loses nothing but its code when refused", async () => {
    const { page, pay } = await openCardForm();
    const number = page.getByLabel("Card number");
    await number.fill("4242424242424241");
    await number.blur();
    await page.getByText("There is a mistake in the number.").waitFor();
    expect(await number.getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Valid until").fill("1220");
    await page.getByLabel("Valid until").blur();
    await page.getByText("This card has expired.").waitFor();
    await pay.click();
    await page.getByText("Type in the security code.").waitFor();
    await page.locator("input:focus[name=cc-number]").waitFor();
    await expectAccessibleToo(page);
    // A number that could be a card's, and is none of the sandbox's: only the server knows.
    await number.fill("");
    await page.getByLabel("Valid until").fill("");
    await fillCard(page, "4000056655665556");
    await pay.click();
    await page.getByRole("alert").getByText("This card was not accepted.").waitFor();
    expect(await number.inputValue()).toBe("4000 0566 5566 5556");
    expect(await page.getByLabel("Valid until").inputValue()).toBe("12/41");
    expect(await page.getByLabel("Security code").inputValue()).toBe("");
    await number.fill("4242-4242 4242.4242");
    await page.getByLabel("Security code").fill("987");
    await pay.click();
    await atStep(page, "Payment received");
  });

  longIt("takes a number that is pasted, or mended in its middle, and lets an expiry be deleted", async () => {
    const { page } = await openCardForm();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const number = page.getByLabel("Card number");
    await page.evaluate("navigator.clipboard.writeText(' 4242-4242\\t4242 4242\\n')");
    await number.press("Control+V");
    expect(await number.inputValue()).toBe("4242 4242 4242 4242");
    await number.fill("");
    await number.pressSequentially("42424242");
    for (const key of ["Home", "ArrowRight", "Delete"]) await number.press(key);
    await number.pressSequentially("9");
    expect(await number.inputValue()).toBe("4942 4242");
    const expiry = page.getByLabel("Valid until");
    await expiry.pressSequentially("5");
    expect(await expiry.inputValue()).toBe("05/");
    for (let at = 0; at < 3; at += 1) await expiry.press("Backspace");
    expect(await expiry.inputValue()).toBe("");
    await expiry.fill("12/2041");
    expect(await expiry.inputValue()).toBe("12/41");
  });

  shortIt("leaves nothing in an address, in the browser's stores or in the log", async () => {
    const { page, pay } = await openCardForm();
    const urls: string[] = [];
    page.on("request", (request) => urls.push(request.url()));
    await fillCard(page, "5555555555554444");
    await pay.click();
    await atStep(page, "Payment received");
    // What the server said when the page was loaded; a test project's page is told the numbers of all test cards.
    await page.evaluate("document.getElementById('view').remove()");
    const kept = await page.evaluate(
      "JSON.stringify([localStorage, sessionStorage, history.state, document.cookie, document.body.innerHTML])",
    );
    expect([urls.join(" "), kept, service.logLines().join(" ")].join(" ")).not.toMatch(/5555 ?5555 ?5555 ?4444/);
  });
});
