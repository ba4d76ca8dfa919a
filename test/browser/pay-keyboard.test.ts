import { describe, expect, vi } from "vitest";
import { useTestBrowser } from "../../src/testing/browser/browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { longIt, shortIt } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { keyboardOf } from "./keyboard.ts";
import { atStep, type PayOrder, usePayShop } from "./pay-shop.ts";

const database = useTestDatabase();
const service = useTestService(database);
const shop = usePayShop(database, service, { payerAttempts: 1 });
const browser = useTestBrowser();

const CHOOSE = "How would you like to pay?";
const TAB_STOPS = 4;

async function openPage(order: PayOrder = {}) {
  const made = await shop.create(order);
  const { page } = await browser.open();
  await page.goto(made.url);
  await atStep(page, CHOOSE);
  return { made, page, ...keyboardOf(page) };
}

type Opened = Awaited<ReturnType<typeof openPage>>;

/** A new step is read from its heading. */
async function expectAt({ page, focused }: Opened, heading: string): Promise<void> {
  await atStep(page, heading);
  await page.locator("h1:focus").waitFor();
  expect(await focused()).toBe(heading);
}

async function chooseMethod({ tabTo, arrowTo, press }: Opened, name: RegExp): Promise<void> {
  await tabTo(/^(Bank card|Fast payments)/);
  await arrowTo(name);
  await press("Enter");
}

/** However often Tab is pressed, nothing behind the dialog is reached. */
async function expectTrapped({ page, press }: Opened): Promise<void> {
  for (let at = 0; at < TAB_STOPS; at += 1) {
    await press("Tab");
    expect(await page.evaluate("document.activeElement.matches('#app *:not(dialog *)')")).toBe(false);
  }
}

async function typeCard({ press, page }: Opened, pan: string): Promise<void> {
  await press("Tab");
  // One field follows the other by itself.
  await page.keyboard.type(`${pan}1241987`);
  await press("Enter");
}

async function openCardForm(order: PayOrder = {}): Promise<Opened> {
  const opened = await openPage(order);
  await chooseMethod(opened, /^Bank card/);
  await expectAt(opened, "Pay by card");
  return opened;
}

describe.skipIf(browser.isMissing)("with the keyboard alone", () => {
  shortIt("a transfer is paid", async () => {
    const opened = await openPage();
    const { page, press, tabTo, focused } = opened;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await chooseMethod(opened, /^Card transfer/);
    await expectAt(opened, "Make the transfer");
    await tabTo("Copy: Card number");
    await press("Enter");
    await page.getByRole("status").getByText("Copied").waitFor();
    expect(await focused()).toBe("Copied: Card number");
    await tabTo("I have paid");
    await press("Enter");
    await page.getByRole("dialog").waitFor();
    expect(await focused()).toBe("Yes, it is sent");
    await expectTrapped(opened);
    await press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await focused()).toBe("I have paid");
    await press("Enter");
    await tabTo("Yes, it is sent");
    await press("Enter");
    await expectAt(opened, "Payment received");
    await tabTo("Print or save as PDF");
  });

  longIt("a transfer is cancelled, and not by the first key that is pressed", async () => {
    const opened = await openPage();
    const { made, page, press, tabTo, focused } = opened;
    await chooseMethod(opened, /^Card transfer/);
    await expectAt(opened, "Make the transfer");
    await tabTo("Cancel the payment");
    await press("Space");
    await page.getByRole("dialog").waitFor();
    expect(await focused()).toBe("Keep it");
    await press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await focused()).toBe("Cancel the payment");
    await press("Enter");
    await tabTo("Yes, cancel it");
    await press("Space");
    await expectAt(opened, "The payment was not made");
    await shop.untilState(made, "decline:cancelled");
  });

  longIt("a bank is missed, found by its name, left and chosen", async () => {
    const opened = await openPage();
    const { page, press, tabTo, arrowTo } = opened;
    await chooseMethod(opened, /^Fast payments system/);
    await expectAt(opened, "Which bank do you pay from?");
    await tabTo("Continue");
    await press("Enter");
    await page.getByRole("alert").getByText("Choose your bank from the list.").waitFor();
    await page.locator("fieldset input:focus").waitFor();
    await tabTo("Back");
    await press("Enter");
    await expectAt(opened, CHOOSE);
    await chooseMethod(opened, /^Fast payments system/);
    await expectAt(opened, "Which bank do you pay from?");
    await tabTo("Search for your bank");
    await page.keyboard.type("bank");
    await page
      .getByRole("status")
      .getByText(/^\d+ banks$/)
      .waitFor();
    await press("Tab");
    await arrowTo(/^T-Bank$/);
    await press("Enter");
    await expectAt(opened, "Make the transfer");
  });

  shortIt("a card's mistakes are read where they are made, and it is charged", async () => {
    const opened = await openCardForm();
    const { page, press, tabTo, focused } = opened;
    await tabTo("Card number");
    await press("Enter");
    expect(await focused()).toBe("Card number");
    const field = page.getByLabel("Card number");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    const words = page.locator(`#${await field.getAttribute("aria-describedby")}`);
    expect(await words.innerText()).toBe("Type in the number of the card.");
    await press("Shift+Tab");
    await typeCard(opened, "4242424242424242");
    await expectAt(opened, "Payment received");
  });

  longIt("a card is confirmed at its bank", async () => {
    const opened = await openCardForm();
    const { page, press, tabTo } = opened;
    await typeCard(opened, "4000000000003220");
    await expectAt(opened, "Confirm with your bank");
    await page.frameLocator("iframe").getByLabel("Confirmation code").waitFor();
    await tabTo("Confirmation code");
    await page.keyboard.type("1234");
    await press("Enter");
    await expectAt(opened, "Payment received");
  });

  longIt("a card is declined, and the payer goes back", async () => {
    const opened = await openCardForm({ general: { redirect_url: `${service.url()}/docs` } });
    const { page, press, tabTo } = opened;
    await typeCard(opened, "4000000000009995");
    await expectAt(opened, "The payment was not made");
    await tabTo("Back to the shop");
    await press("Enter");
    await page.waitForURL(/\/docs\?payment_id=/);
  });

  longIt("the language is switched, and the focus stays where it is", async () => {
    const { page, press, focused } = await openPage();
    await press("Tab");
    expect(await focused()).toBe("Language");
    await press("ArrowDown");
    await atStep(page, "Как вы хотите заплатить?");
    expect(await focused()).toBe("Язык");
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("ru");
    await expect.poll(() => page.title()).toContain("Как вы хотите заплатить?");
    await press("ArrowUp");
    await atStep(page, CHOOSE);
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("en");
  });

  longIt("the page over a shop's own is opened, kept and closed, and the focus returns to the shop", async () => {
    const { page } = await browser.open();
    const { press, tabTo, focused } = keyboardOf(page);
    await page.goto(`${service.url()}/sandbox/shop`);
    await tabTo("Buy without leaving the shop");
    await press("Enter");
    await page.frameLocator("iframe").getByRole("heading", { name: CHOOSE }).waitFor();
    await tabTo(/^Bank card/);
    await press("Escape");
    const question = page.getByRole("dialog", { name: /not finished/ });
    await question.waitFor();
    expect(await focused()).toBe("Go on paying");
    await press("Enter");
    await question.waitFor({ state: "detached" });
    await vi.waitFor(async () => expect(await focused()).toMatch(/^Bank card/), 20_000);
    await tabTo("Close");
    await press("Enter");
    await question.waitFor();
    await tabTo("Go on paying");
    await press("Tab");
    expect(await focused()).toBe("Close");
    await press("Enter");
    await page.locator("dialog").first().waitFor({ state: "detached" });
    expect(await focused()).toBe("Buy without leaving the shop");
  });

  longIt("whoever reads Russian in it is asked in Russian", async () => {
    const { page } = await browser.open();
    const { press, tabTo } = keyboardOf(page);
    await page.goto(`${service.url()}/sandbox/shop`);
    await page.getByRole("button", { name: /without leaving/ }).click();
    await page.frameLocator("iframe").getByRole("heading", { name: CHOOSE }).waitFor();
    await tabTo("Language");
    await press("ArrowDown");
    await page.getByRole("button", { name: "Закрыть" }).waitFor();
    await press("Escape");
    await page.getByText("Оплата не завершена. Закрыть?").waitFor();
  });
});
