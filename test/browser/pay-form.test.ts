import type { FrameLocator, Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { scrollsSideways, useTestBrowser } from "../../src/testing/browser/browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { growing, longIt, shortIt } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { keyboardOf } from "./keyboard.ts";
import { atStep, chooseMethod, expectAccessibleInBothThemes, type PayOrder, usePayShop } from "./pay-shop.ts";

const database = useTestDatabase();
const service = useTestService(database);
const shop = usePayShop(database, service);
const browser = useTestBrowser();

const CHOOSE = "How would you like to pay?";
const PHONE = { width: 390, height: 664 };

async function openCardForm(change: (view: Record<string, unknown>) => void = () => undefined) {
  const made = await shop.create();
  const { page, troubles } = await browser.open(PHONE);
  const changed = (json: string) => {
    const view = JSON.parse(json);
    change(view);
    return JSON.stringify(view);
  };
  await page.route(made.url, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/(id="view"[^>]*>)([^<]*)/, (_, head, json) => head + changed(json));
    await route.fulfill({ response, body });
  });
  await page.route(/\/state$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: changed(await response.text()) });
  });
  await page.goto(made.url);
  await chooseMethod(page, /Bank card/);
  await atStep(page, "Pay by card");
  const sent: Record<string, unknown>[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/card")) sent.push(request.postDataJSON());
  });
  return { made, page, troubles, sent, pay: page.getByRole("button", { name: /^Pay / }) };
}

/** What the fields hold, and which of them has the focus. */
function fieldsOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll("form input")].map((each) => (each === document.activeElement ? "> " : "") + each.value)`,
  );
}

const mistakesOf = (page: Page) => page.locator(".mistake").allInnerTexts();

describe.skipIf(browser.isMissing)("the card form", () => {
  shortIt("goes from field to field as a payer types, and back, and asks for no name", async () => {
    const { made, page, troubles, sent } = await openCardForm();
    await page.getByLabel("Card number").focus();
    await page.keyboard.type("4242424242424242");
    await page.locator(".brand.visa").waitFor();
    expect(await fieldsOf(page)).toEqual(["4242 4242 4242 4242", "> ", ""]);
    await page.keyboard.press("Backspace");
    expect(await fieldsOf(page)).toEqual(["> 4242 4242 4242 4242", "", ""]);
    // A correction, at the end and in the middle, moves nothing once the next field is filled.
    await page.keyboard.press("Tab");
    await page.keyboard.type("1");
    expect(await fieldsOf(page)).toEqual(["4242 4242 4242 4242", "> 1", ""]);
    for (const key of ["Shift+Tab", "End", "Backspace", "2", "Home", "ArrowRight", "Delete"])
      await page.keyboard.press(key);
    await page.keyboard.type("2");
    expect(await fieldsOf(page)).toEqual(["> 4242 4242 4242 4242", "1", ""]);
    expect(await page.evaluate("document.activeElement.selectionStart")).toBe(2);
    await page.keyboard.press("Tab");
    await page.keyboard.press("End");
    await page.keyboard.type("/41987");
    expect(await fieldsOf(page)).toEqual(["4242 4242 4242 4242", "01/41", "> 987"]);
    await page.keyboard.press("Enter");
    await atStep(page, "Payment received");
    await shop.untilState(made, "success");
    expect(sent).toMatchObject([{ pan: "4242424242424242", cvv: "987", expiry_month: 1, expiry_year: 2041 }]);
    expect(sent[0]).not.toHaveProperty("card_holder");
    expect(troubles).toEqual([]);
  });

  shortIt("tells a mistake as the payer leaves a field, not before, and all of them at the button", async () => {
    const { page, pay } = await openCardForm();
    await page.getByLabel("Card number").focus();
    for (const key of ["Tab", "Tab", "Shift+Tab", "Shift+Tab"]) await page.keyboard.press(key);
    expect(await mistakesOf(page)).toEqual([]);
    await page.keyboard.type("4242");
    expect(await mistakesOf(page)).toEqual([]);
    await page.keyboard.press("Tab");
    expect(await mistakesOf(page)).toEqual(["The number is not complete."]);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("End");
    await page.keyboard.type("5");
    expect(await mistakesOf(page)).toEqual([]);
    await pay.click();
    expect(await mistakesOf(page)).toEqual([
      "The number is not complete.",
      "Type in the month and the year.",
      "Type in the security code.",
    ]);
    expect(await fieldsOf(page)).toEqual(["> 4242 5", "", ""]);
    await page.getByLabel("Card number").fill("30569309025904");
    await page.getByLabel("Valid until").focus();
    expect((await mistakesOf(page))[0]).toBe("Cards of this brand are not accepted here.");
  });

  shortIt("is filled by browsers and wallets, and by what is pasted", async () => {
    const { page } = await openCardForm();
    const attributes = await page.evaluate(`[...document.forms[0].querySelectorAll("input")].map((each) =>
      ["id", "name", "autocomplete", "inputmode", "enterkeyhint"].map((name) => each.getAttribute(name)).join(" "))`);
    expect(attributes).toEqual([
      "cc-number cc-number cc-number numeric next",
      "cc-exp cc-exp cc-exp numeric next",
      "cc-csc cc-csc cc-csc numeric done",
    ]);
    // As a browser does it: all at once, with events that say nothing of keys.
    await page.getByLabel("Card number").focus();
    await page.evaluate(`for (const [name, value] of [["cc-number", "5555555555554444"], ["cc-exp", "2041-12"], ["cc-csc", "987"]]) {
      const input = document.getElementById(name);
      input.value = value;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }`);
    await page.locator(".brand.mastercard").waitFor();
    expect(await fieldsOf(page)).toEqual(["> 5555 5555 5555 4444", "12/41", "987"]);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    for (const [label, text, shown] of [
      ["Card number", " 3782-822463-10005\n", "3782 822463 10005"],
      ["Valid until", "1/2041", "01/41"],
    ] as const) {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await page.getByLabel(label).press("Control+A");
      await page.keyboard.press("Control+V");
      expect(await page.getByLabel(label).inputValue()).toBe(shown);
    }
    await page.getByText("4 digits on the front").waitFor();
  });

  it("is filled by one press of a test card", async () => {
    const { made, page } = await openCardForm();
    await page.getByText("Test cards").click();
    expect(await page.locator(".test-card").count()).toBe(11);
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await scrollsSideways(page)).toBe(false);
    await expectAccessibleInBothThemes(page);
    await page.getByRole("button", { name: /^5555 5555 5555 4444 Paid/ }).click();
    expect((await fieldsOf(page)).slice(0, 1)).toEqual(["5555 5555 5555 4444"]);
    expect(await page.evaluate("document.activeElement.innerText")).toMatch(/^Pay /);
    await page.keyboard.press("Enter");
    await atStep(page, "Payment received");
    await shop.untilState(made, "success");
  });

  shortIt("asks for the name where the acquirer needs it, and offers a live project's payer no test card", async () => {
    const { page, pay, sent } = await openCardForm((view) => {
      const [card] = ((view.methods ?? []) as { card: boolean; holder: string }[]).filter((method) => method.card);
      if (card !== undefined) card.holder = "required";
      delete view.test_cards;
    });
    expect(await page.locator("details").count()).toBe(0);
    const name = page.getByLabel("Name on the card");
    expect(await name.getAttribute("autocomplete")).toBe("cc-name");
    await page.getByLabel("Card number").focus();
    await page.keyboard.type("42424242424242421241987");
    expect(await fieldsOf(page)).toEqual(["4242 4242 4242 4242", "12/41", "987", "> "]);
    await pay.click();
    expect(await mistakesOf(page)).toEqual(["Type in the name on the card."]);
    await page.keyboard.type("Olga Sergeeva");
    await page.keyboard.press("Enter");
    await atStep(page, "Payment received");
    expect(sent).toMatchObject([{ card_holder: "Olga Sergeeva" }]);
  });
});

/** The whole page, or the frame of the modal. */
type Place = { readonly page: Page; readonly in: Page | FrameLocator; readonly height: number };

/** What is wanted can be pressed where the page stands, at its top: nothing is over it, and it is in the window. */
async function expectInSight({ page, height }: Place, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  const box = await wanted.boundingBox();
  const name = await wanted.innerText();
  expect([name, (box?.y ?? -1) >= 0, (box?.y ?? height) + (box?.height ?? 0) <= height]).toEqual([name, true, true]);
  // It would be pressed if it were: nothing is over it. Had it been scrolled to, it would stand elsewhere now.
  await wanted.click({ trial: true });
  expect([name, await wanted.boundingBox()]).toEqual([name, box]);
  expect([name, await scrollsSideways(page)]).toEqual([name, false]);
}

/** A key keeps the page from going back to the shop meanwhile. */
async function expectWayBackInSight(place: Place): Promise<void> {
  await place.page.keyboard.press("Shift");
  await expectInSight(place, place.page.getByRole("link", { name: "Back to the shop" }));
}

const heading = (place: Place, name: string | RegExp) => place.in.getByRole("heading", { level: 1, name }).waitFor();
const button = (place: Place, name: string | RegExp) => place.in.getByRole("button", { name });

async function choose(place: Place, method: RegExp): Promise<void> {
  await heading(place, CHOOSE);
  await place.in.getByRole("radio", { name: method }).check();
  await expectInSight(place, button(place, "Continue"));
  await button(place, "Continue").click();
}

/** From the choice through a card and its bank to the end. */
async function payByCard(place: Place): Promise<void> {
  await heading(place, CHOOSE);
  await expectInSight(place, button(place, "Continue"));
  await choose(place, /Bank card/);
  await expectInSight(place, button(place, /^Pay /));
  await button(place, /^Pay /).click();
  await expectInSight(place, button(place, /^Pay /));
  await place.in.getByText("Test cards").click();
  await button(place, /^4000 0000 0000 3220/).click();
  await button(place, /^Pay /).click();
  const issuer = place.in.frameLocator("iframe");
  await expectInSight(place, issuer.getByRole("button", { name: "Confirm" }));
  await issuer.getByLabel("Confirmation code").fill("1234");
  await issuer.getByLabel("Confirmation code").press("Enter");
  await heading(place, "Payment received");
}

/** From the choice of a bank to the end. */
async function payByTransfer(place: Place): Promise<void> {
  await choose(place, /Fast payments system/);
  await heading(place, "Which bank do you pay from?");
  await expectInSight(place, button(place, "Continue"));
  await place.in.getByRole("radio", { name: "Sberbank" }).check();
  await button(place, "Continue").click();
  await heading(place, "Make the transfer");
  await expectInSight(place, button(place, "I have paid"));
  await button(place, "I have paid").click();
  await button(place, "Yes, it is sent").click();
  await heading(place, "Payment received");
}

describe.skipIf(browser.isMissing).each(growing([[390, 664]], [[390, 844]]))(
  "at %i by %i pixels the button that goes on is in sight,",
  (width, height) => {
    async function openPayment(order: PayOrder = {}): Promise<Place> {
      const { page } = await browser.open({ width, height });
      await page.goto((await shop.createWithWayBack({ payment: { description: "Two tickets" }, ...order })).url);
      return { page, in: page, height };
    }

    it("with a card, and where its payer must go to another page", async () => {
      const place = await openPayment();
      await payByCard(place);
      await expectWayBackInSight(place);
      const redirected = await openPayment();
      await choose(redirected, /Bank card/);
      await redirected.page.getByText("Test cards").click();
      await button(redirected, /^4242/).click();
      await shop.wish("plain_redirect");
      await button(redirected, /^Pay /).click();
      await expectInSight(redirected, redirected.page.getByRole("link", { name: "Continue to the bank" }));
    });

    longIt("with a transfer, and what has the focus is not below it", async () => {
      const place = await openPayment();
      await payByTransfer(place);
      await expectWayBackInSight(place);
      const late = await openPayment({ amount: 250_002 });
      await choose(late, /Card transfer/);
      await heading(late, "Make the transfer");
      const { page } = late;
      const { tabTo } = keyboardOf(page);
      for (const name of [/^Copy: Exactly/, /^Copy: Card/, "I have paid", "Cancel the payment"]) {
        await tabTo(name);
        const [isOver, bottom] = await page.evaluate<[boolean, number]>(`(() => {
          const { left, top, width, height, bottom } = document.activeElement.getBoundingClientRect();
          return [document.activeElement.contains(document.elementFromPoint(left + width / 2, top + height / 2)), bottom];
        })()`);
        expect([String(name), isOver, bottom <= height]).toEqual([String(name), true, true]);
      }
      await shop.moveClock(901);
      await heading(late, "The time is over");
      await expectInSight(late, button(late, "I have paid"));
    });

    it("with a link, which stands above its code", async () => {
      const place = await openPayment({ currency: "KGS", amount: 100_000 });
      await choose(place, /QR code/);
      const link = place.page.getByRole("link", { name: "Open the link" });
      await expectInSight(place, link);
      await expectInSight(place, button(place, "I have paid"));
      const [linkBox, codeBox] = await Promise.all([link.boundingBox(), place.page.locator(".qr").boundingBox()]);
      expect(linkBox?.y ?? 0).toBeLessThan(codeBox?.y ?? 0);
    });

    longIt("in the modal", async () => {
      for (const pay of [payByCard, payByTransfer]) {
        const { page } = await browser.open({ width, height });
        await page.goto(`${service.url()}/sandbox/shop`);
        await page.getByRole("button", { name: /without leaving/ }).click();
        const place = { page, in: page.frameLocator("iframe").first(), height };
        await pay(place);
        await expectInSight(place, button(place, "Close"));
      }
    });
  },
);

it.skipIf(browser.isMissing)("at a desk the code stands first, and the link below it", async () => {
  const made = await shop.create({ currency: "KGS", amount: 100_000 });
  const { page } = await browser.open({ width: 1280, height: 800 });
  await page.goto(made.url);
  await chooseMethod(page, /QR code/);
  const link = page.getByRole("link", { name: "Open the link" });
  await link.waitFor();
  const [linkBox, codeBox] = await Promise.all([link.boundingBox(), page.locator(".qr").boundingBox()]);
  expect(codeBox?.y ?? 0).toBeLessThan(linkBox?.y ?? 0);
});
