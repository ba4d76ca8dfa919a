import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Id } from "../../src/core/ids.ts";
import { aMember, TEST_PASSWORD, type TestMember } from "../../src/testing/account-client.ts";
import { useTestBrowser } from "../../src/testing/browser/browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { look, useAccountWindows } from "./account-window.ts";
import { atStep } from "./pay-shop.ts";

const database = useTestDatabase();
const service = useTestService(database);
const browser = useTestBrowser();
const { openAs } = useAccountWindows(database, service, browser);
const { db } = database;

let accountant: TestMember;
let owner: TestMember;

beforeAll(async () => {
  const [project] = await db.run<{ merchantId: Id }>({
    text: `select merchant_id as "merchantId" from projects where id = $1`,
    values: [service.sandbox().project_id],
  });
  const merchantId = project?.merchantId as Id;
  accountant = await aMember(db, merchantId, "accountant");
  owner = await aMember(db, merchantId, "owner");
});

const HOSTILE = '<img src=x onerror="window.hurt=1">';

function fileOf(text: string) {
  return { name: `${HOSTILE}.csv`, mimeType: "text/csv", buffer: Buffer.from(text) };
}

async function chooseFile(page: Page, text: string): Promise<void> {
  await page.getByLabel("CSV file").setInputFiles(fileOf(text));
}

describe.skipIf(browser.isMissing)("payouts by hand", () => {
  it("one: corrects a mistake, sees it again, confirms that it is the person, and follows it to the payout", async () => {
    const { page, troubles } = await openAs(accountant, "/pay-out");
    await atStep(page, "Make payouts");
    await page.getByText("No payouts by hand yet").waitFor();
    await page.getByLabel("Method").selectOption("sbp-p2p");
    await page.getByLabel("Amount, RUB").fill("1,500");
    await page.getByLabel("Phone").fill("+79001234567");
    await page.getByLabel("Description").fill(HOSTILE);
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("must be a sum in RUB such as").waitFor();
    await page.getByText("is required for sbp-p2p").waitFor();
    await look(page);
    await page.getByLabel("Amount, RUB").fill("1500.50");
    await page.getByLabel("Bank").selectOption("sberbank");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Check" }).click();
    await atStep(page, "Payouts by hand");
    await page.getByText("Not confirmed").waitFor();
    await page
      .getByRole("cell", { name: /sberbank/ })
      .getByText(HOSTILE)
      .waitFor();
    await page.getByRole("button", { name: "Pay: 1" }).click();
    await page.getByLabel("Your password").fill(TEST_PASSWORD);
    await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Done", { exact: true }).waitFor();
    await page.getByRole("link", { name: /^hand-/ }).click();
    await atStep(page, "Payout");
    await page.getByRole("link", { name: "The accountant" }).waitFor();
    await page.locator(".timeline").getByText("The accountant").waitFor();
    expect(await page.evaluate("window.hurt")).toBeUndefined();
    expect(troubles.filter((trouble) => !/403/.test(trouble))).toEqual([]);
  });

  it("many: shows every fault of a file with its line, pays a corrected one, and not the same twice", async () => {
    const { page } = await openAs(accountant, "/pay-out?way=many", { steppedUp: true });
    const head = "payment_id,method,currency,amount,pan,description\n";
    await chooseFile(page, `${head}x1,card-p2p,RUB,10,4242424242424242,a\nx1,card-p2p,RUB,ten,1,${HOSTILE}\n`);
    await page.getByText("Nothing was taken: 3 to correct").waitFor();
    await page.getByText("is the payment_id of line 2 already").waitFor();
    await look(page);
    const rows = ["10", "9999999", "30.50"].map((sum, n) => `x${n},card-p2p,RUB,${sum},4242424242424242,${HOSTILE}`);
    await chooseFile(page, head + rows.join("\n"));
    await page.getByText("does not cover all of it").waitFor();
    await page.getByRole("button", { name: "Pay: 3" }).click();
    await page.getByText("Done", { exact: true }).waitFor();
    await page.getByText("The balance was not enough").waitFor();
    await page.getByRole("radio", { name: "Refused: 1" }).check();
    await expect.poll(() => page.locator(".batch-rows tbody tr").count()).toBe(1);
    await look(page);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    expect((await download).suggestedFilename()).toMatch(/^payout-results-/);
    await page.goto(`${service.url()}/account/pay-out?way=many`);
    await chooseFile(
      page,
      `\uFEFF${head.replaceAll(",", ";")}${rows.map((row) => row.replaceAll(",", ";")).join("\r\n")}`,
    );
    await page.getByText("it is not paid again").waitFor();
    await page.getByRole("button", { name: "Retry what was refused: 1" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
    await page.getByText("Withdrawn", { exact: true }).waitFor();
    expect(await page.evaluate("window.hurt")).toBeUndefined();
  });

  it("above a limit: an owner sets it, the author waits, and the owner approves from the overview", async () => {
    const owners = await openAs(owner, "/pay-out", { steppedUp: true });
    await owners.page.getByLabel("Approval above, RUB").fill("10");
    await owners.page.getByRole("button", { name: "Save" }).click();
    await owners.page.getByText("Saved.").waitFor();
    const { page } = await openAs(accountant, "/pay-out", { steppedUp: true });
    await page.getByText("a second person approves").waitFor();
    await page.getByLabel("Amount, RUB").fill("20");
    await page.getByLabel("Card number").fill("4242 4242 4242 4242");
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("A second person must approve it").waitFor();
    await page.getByRole("button", { name: "Send for approval" }).click();
    await page.getByText("Awaiting approval").waitFor();
    // Both windows share the profile's cookie.
    const second = await openAs(owner, "", { steppedUp: true });
    await second.page.getByText("Payouts by hand that await approval").waitFor();
    await second.page.locator(".attention").getByRole("link", { name: "Make payouts" }).click();
    await second.page.getByRole("link", { name: "One payout" }).first().click();
    await second.page.getByText("The accountant prepared it").waitFor();
    await look(second.page);
    await second.page.getByRole("button", { name: "Approve and pay" }).click();
    await second.page.getByText("Done", { exact: true }).waitFor();
    await second.page.getByText("Approved by").waitFor();
  });
});
