import { beforeAll, describe, expect, it } from "vitest";
import { sealRequisites } from "../../src/app/payments/payment-secrets.ts";
import type { Id } from "../../src/core/ids.ts";
import { aMember, TEST_PASSWORD, type TestMember } from "../../src/testing/account-client.ts";
import { useTestBrowser } from "../../src/testing/browser/browser.ts";
import { aPayin, ISSUED } from "../../src/testing/builders/payments.ts";
import { aPng } from "../../src/testing/builders/pictures.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { aTriedPage } from "../../src/testing/builders/tried-page.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { longIt } from "../../src/testing/run/run-form.ts";
import { serviceKeyring } from "../../src/testing/service/service-keyring.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { look, useAccountWindows } from "./account-window.ts";
import { atStep } from "./pay-shop.ts";

const database = useTestDatabase();
// No worker: the payments stay as they were made.
const service = useTestService(database, {}, "api");
const browser = useTestBrowser();
const { openAs } = useAccountWindows(database, service, browser);
const { db } = database;

let live: Id;
let owner: TestMember;

beforeAll(async () => {
  const made = await aProject(db, "live");
  live = made.projectId;
  await aProject(db, "test", made.merchantId);
  owner = await aMember(db, made.merchantId, "owner");
  await service.settled();
});

const styleOf = (name: string) => `getComputedStyle(document.documentElement).getPropertyValue("${name}")`;

describe.skipIf(browser.isMissing)("the settings", () => {
  longIt("change the payment page with a preview of it, and say which project they are of", async () => {
    const { page, troubles } = await openAs(owner, "/settings");
    await atStep(page, "Settings");
    await page.getByRole("link", { name: "Web Test" }).click();
    await page.locator(".test-band").waitFor();
    await page.getByLabel("Project").selectOption(live);
    await page.getByLabel("Name of the shop").fill("Teapots and more");
    expect(await page.locator(".test-band").count()).toBe(0);
    await page.getByLabel("Colour", { exact: true }).fill("#ffcc00");
    await page
      .getByLabel("Picture", { exact: true })
      .setInputFiles({ name: "x.png", mimeType: "image/png", buffer: aPng(8) });
    // The preview shows what is not saved yet, with the payment page's own parts.
    const preview = page.frameLocator("iframe");
    await preview.getByText("Teapots and more").waitFor();
    await preview.locator(".shop img").waitFor();
    const [frame] = page.frames().filter((each) => each.url().endsWith("/account/preview"));
    expect(await frame?.evaluate(styleOf("--on-accent"))).toBe("#000000");
    const ground = await frame?.evaluate(styleOf("--ground"));
    await page.getByRole("radio", { name: "Dark" }).check();
    await expect.poll(() => frame?.evaluate(styleOf("--ground"))).not.toBe(ground);
    expect(
      await preview.locator("main.card").evaluate((main: { clientWidth: number }) => main.clientWidth),
    ).toBeLessThan(390);
    await page.getByRole("radio", { name: "Desktop" }).check();
    await expect.poll(() => frame?.evaluate("innerWidth")).toBe(900);
    await look(page);
    await page.getByRole("button", { name: "Save" }).first().click();
    await page.getByText("Saved. Payers see it from now on.").waitFor();
    const [row] = await db.run({
      text: "select name, accent, logo_type, octet_length(logo) as size from projects where id = $1",
      values: [live],
    });
    expect(row).toEqual({ name: "Teapots and more", accent: "#ffcc00", logo_type: "image/png", size: aPng(8).length });
    await page.getByRole("option", { name: "Teapots and more" }).waitFor({ state: "attached" });

    // The contact for payers is in the preview as it is typed, and is saved after a confirmation.
    const support = page.getByRole("region", { name: "Contact for payers" });
    await support.getByLabel("E-mail").fill("Help@Shop.example");
    await preview.getByText("Help@Shop.example").waitFor();
    await support.getByLabel("Phone").fill("call us");
    await support.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").getByLabel("Your password").fill(TEST_PASSWORD);
    await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
    await support.getByText("Write a phone number of 3 to 15 digits.").waitFor();
    await support.getByLabel("Phone").fill("+7 800 555-01-02");
    await support.getByRole("button", { name: "Save" }).click();
    await support.getByText("Saved. Payers see it from now on.").waitFor();
    expect(await support.getByLabel("E-mail").inputValue()).toBe("help@shop.example");
    await look(page);

    await page.getByLabel("Site", { exact: true }).fill("https://Shop.example/basket?x=1");
    await page.getByRole("button", { name: "Add the site" }).click();
    await page.getByRole("button", { name: "Remove https://shop.example" }).waitFor();
    await page.getByLabel("Site", { exact: true }).fill("*");
    await page.getByRole("button", { name: "Add the site" }).click();
    await page.getByRole("alert").getByText("Write the address of a site").waitFor();

    await page.getByLabel("Attempts", { exact: true }).selectOption("3");
    await page.getByText("It holds for payments that are open, too.").waitFor();
    await look(page);
    const attempts = { text: "select payer_attempts from projects where id = $1", values: [live] };
    expect(await db.run(attempts)).toEqual([{ payer_attempts: 3 }]);
    expect(troubles.filter((trouble) => !/40[03]/.test(trouble))).toEqual([]);
  });

  longIt("of the person are a name and a language, which the next browser speaks", async () => {
    const viewer = await aMember(db, owner.merchantId, "viewer");
    const { page } = await openAs(viewer, "/security");
    await page.getByLabel("Your name").fill("Ольга");
    await page.getByLabel("Language of pages and e-mails").selectOption("ru");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await atStep(page, "Безопасность");
    await page.getByText("Сохранено.").waitFor();
    await page.evaluate("localStorage.clear()");
    await page.reload();
    await atStep(page, "Безопасность");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "English" }).click();
    await atStep(page, "Security");
    await expect.poll(() => page.getByLabel("Language of pages and e-mails").inputValue()).toBe("en");
  });

  it("shows the full requisites of a payment for a minute, after a confirmation", async () => {
    const { requestId } = await aPayin(db, ISSUED, { projectId: live, paymentId: "with-card" });
    const value = "2200000000000004";
    const sealed = sealRequisites(await serviceKeyring(db, service), requestId, {
      ...{ type: "card", value, holder: "OLGA S", bank: undefined, bankName: undefined },
    });
    await db.run({ text: "update payments set requisites = $2 where request_id = $1", values: [requestId, sealed] });
    const { page } = await openAs(owner, "/team");
    await atStep(page, "Team");
    await page.clock.install();
    await page.goto(`${service.url()}/account/payments/${requestId}`);
    await page.getByText("220000******0004").waitFor();
    await page.getByRole("button", { name: "Show in full" }).click();
    await page.getByRole("dialog").getByLabel("Your password").fill(TEST_PASSWORD);
    await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
    await page.getByText(value).waitFor();
    await look(page);
    await page.clock.runFor(61_000);
    await page.getByText("220000******0004").waitFor();
    expect(await page.getByText(value).count()).toBe(0);
    // A person who may not, and the menu on a phone.
    const developer = await aMember(db, owner.merchantId, "developer");
    const other = await openAs(developer, `/payments/${requestId}`);
    await other.page.getByText("220000******0004").waitFor();
    expect(await other.page.getByRole("button", { name: "Show in full" }).count()).toBe(0);
    await other.page.getByRole("button", { name: "More" }).click();
    await other.page.getByText("Company").waitFor();
    await look(other.page);
  });

  longIt("lists the attempts of a payment page's payer beside what became of each", async () => {
    const { requestId } = await aTriedPage(db, live);
    const { page, troubles } = await openAs(owner, `/payments/${requestId}`);
    const panel = page.getByRole("region", { name: "The payer’s attempts" });
    await panel.getByText("400000******9995").waitFor();
    const lines = await panel.getByRole("listitem").allInnerTexts();
    expect(lines.map((line) => line.replace(/\s+/g, " "))).toEqual([
      expect.stringMatching(/^Bank card 400000\*{6}9995 Declined .* · Not enough money on the card$/),
      expect.stringMatching(/^SBP sberbank Processing /),
    ]);
    await look(page);
    await page.getByRole("button", { name: "Русский" }).click();
    await page.getByRole("region", { name: "Попытки плательщика" }).getByText("На карте не хватило денег").waitFor();
    expect(troubles).toEqual([]);
  });
});
