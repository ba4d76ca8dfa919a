import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { scrollsSideways, useTestBrowser } from "../../src/testing/browser/browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { growing, longIt, shortIt, variants } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { trailOf } from "../e2e/page-payer.ts";
import {
  atStep,
  chooseMethod,
  expectAccessible,
  expectAccessibleInBothThemes,
  fillCard,
  type Made,
  type PayOrder,
  usePayShop,
} from "./pay-shop.ts";

/** A payer whose first try came to nothing: the page says why, and takes another way to pay. */
const database = useTestDatabase();
const service = useTestService(database);
const shop = usePayShop(database, service, { payerAttempts: 3 });
const browser = useTestBrowser();

const CHOOSE = "How would you like to pay?";
const CALLBACK = { merchant_callback_url: "http://127.0.0.1:9/callbacks" };

async function open(width: number, order: PayOrder = {}) {
  const made = await shop.create({ ...order, general: CALLBACK });
  const { page, troubles } = await browser.open({ width });
  await page.goto(made.url);
  return { made, page, troubles };
}

async function payByCard(page: Page, pan: string): Promise<void> {
  await chooseMethod(page, /Bank card/);
  await atStep(page, "Pay by card");
  await fillCard(page, pan);
  await page.getByRole("button", { name: /^Pay / }).click();
}

async function changeMethod(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Pay another way" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Yes, change" }).click();
  await atStep(page, CHOOSE);
}

/** The ends that the merchant was told. */
async function toldEnds(made: Made): Promise<readonly string[]> {
  const { told } = await trailOf(database.db, shop.projectId(), made);
  return told.filter((status) => !status.startsWith("processing"));
}

describe.skipIf(browser.isMissing)("a payer who tries again", () => {
  it.each(growing([390], [1280]))("after two declined cards pays with the third, at %i pixels", async (width) => {
    const { made, page, troubles } = await open(width);
    await payByCard(page, "4000000000009995");
    await page.getByText("There is not enough money on the card.").waitFor();
    await page.getByText("Two tries are left.").waitFor();
    await atStep(page, CHOOSE);
    await expectAccessibleInBothThemes(page);
    expect(await scrollsSideways(page)).toBe(false);
    await payByCard(page, "4000000000000002");
    await page.getByText("The bank refused the payment.").waitFor();
    await page.getByText("This is the last try.").waitFor();
    await page.reload();
    await page.getByText("This is the last try.").waitFor();
    await payByCard(page, "4242424242424242");
    await atStep(page, "Payment received");
    expect(await toldEnds(made)).toEqual(["success"]);
    expect(troubles).toEqual([]);
  });

  longIt("and has used up all attempts sees why the last one failed", async () => {
    const { made, page } = await open(390);
    for (const pan of ["4000000000000002", "4000000000000002", "4000000000009995"]) {
      await atStep(page, CHOOSE);
      await payByCard(page, pan);
      await page.getByRole("heading", { level: 1, name: /How would you like|was not made/ }).waitFor();
    }
    await atStep(page, "The payment was not made");
    await page.getByText("There is not enough money on the card.").waitFor();
    expect(await toldEnds(made)).toEqual(["decline"]);
  });

  shortIt("after a bank without requisites pays by card", async () => {
    const { made, page } = await open(390, { amount: 250_005 });
    await chooseMethod(page, /Card transfer/);
    await page.getByText("This way to pay is not available right now.").waitFor();
    await payByCard(page, "4242424242424242");
    await atStep(page, "Payment received");
    expect(await toldEnds(made)).toEqual(["success"]);
  });

  it.each(variants([390], [1280]))("leaves a transfer, and then a challenge, at %i pixels", async (width) => {
    const { made, page } = await open(width, { amount: 250_002 });
    await chooseMethod(page, /Card transfer/);
    await page.getByRole("button", { name: "Pay another way" }).click();
    await page.getByText("If you have already sent the money, do not change").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "No, stay here" }).click();
    await changeMethod(page);
    await page.getByText("Do not send money to the details that you saw before.").waitFor();
    await payByCard(page, "4000000000003220");
    await atStep(page, "Confirm with your bank");
    await expectAccessible(page);
    expect(await scrollsSideways(page)).toBe(false);
    await changeMethod(page);
    await payByCard(page, "4242424242424242");
    await atStep(page, "Payment received");
    expect(await toldEnds(made)).toEqual(["success"]);
  });
});
