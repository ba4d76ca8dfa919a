import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useTestBrowser } from "../../src/testing/browser/browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { growing, shortIt } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { expectAccessible, expectAccessibleToo, type Made, usePayShop } from "./pay-shop.ts";
import { runCommand } from "./run-command.ts";

const database = useTestDatabase();
const service = useTestService(database);
const shop = usePayShop(database, service);
const browser = useTestBrowser();

/** A merchant's site of another origin, under a policy that allows only what it must. */
let site: Server;
let siteUrl = "";

beforeAll(async () => {
  site = createServer((_request, response) => {
    const gate = service.url();
    response.setHeader("content-security-policy", `default-src 'none'; script-src ${gate}; frame-src ${gate}`);
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><html lang="en"><title>Site</title><body><main><h1>Site</h1><button>Elsewhere</button></main>
      <script src="${gate}/widget.js"></script></body></html>`);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => site.close(resolve)));

async function allowFraming(): Promise<void> {
  await runCommand(database, "project", "set", shop.projectId(), "--widget-origin", siteUrl.replace("http:", "https:"));
  // Commands of production take https alone; the merchant of this test has no certificate.
  await database.db.run({ text: "update projects set widget_origins = $1", values: [[siteUrl]] });
  await service.settled();
}

async function openModal(page: Page, made: Made): Promise<void> {
  await page.goto(siteUrl);
  await page.evaluate(`window.heard = [];
    const hear = (name) => (event) => heard.push(event === undefined ? name : name + " " + event.payment_id);
    Tillgate.open("${made.url}", { onSuccess: hear("success"), onDecline: hear("decline"), onClose: hear("close") });`);
}

const heardBy = (page: Page) => page.evaluate("heard");

describe.skipIf(browser.isMissing)("the page over a merchant's own", () => {
  shortIt("is paid there, and the merchant's page hears of it", async () => {
    await allowFraming();
    const made = await shop.create();
    const { page, troubles } = await browser.open({ width: 320 });
    await openModal(page, made);
    const frame = page.frameLocator("iframe");
    await frame.getByRole("radio", { name: /Card transfer/ }).check();
    await frame.getByRole("button", { name: "Continue" }).click();
    await frame.getByRole("button", { name: "I have paid" }).click();
    await frame.getByRole("button", { name: "Yes, it is sent" }).click();
    await frame.getByRole("heading", { name: "Payment received" }).waitFor();
    await expectAccessible(page);
    expect(await heardBy(page)).toEqual([`success ${made.paymentId}`]);
    await frame.getByRole("button", { name: "Close" }).click();
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(await heardBy(page)).toEqual([`success ${made.paymentId}`, "close"]);
    expect(troubles).toEqual([]);
  });

  shortIt("is confirmed at the issuer there, three pages deep", async () => {
    await allowFraming();
    const made = await shop.create();
    const { page } = await browser.open();
    await openModal(page, made);
    const frame = page.frameLocator("iframe");
    await frame.getByRole("radio", { name: /Bank card/ }).check();
    await frame.getByRole("button", { name: "Continue" }).click();
    await frame.getByLabel("Card number").fill("4000000000003220");
    await frame.getByLabel("Valid until").fill("1241");
    await frame.getByLabel("Security code").fill("987");
    await frame.getByRole("button", { name: /^Pay / }).click();
    const code = frame.frameLocator("iframe").getByLabel("Confirmation code");
    await code.fill("1234");
    await code.press("Enter");
    await frame.getByRole("heading", { name: "Payment received" }).waitFor();
    expect(await heardBy(page)).toEqual([`success ${made.paymentId}`]);
  });

  it("asks before it is closed while the payment is open, by the button and by Escape", async () => {
    await allowFraming();
    const made = await shop.create();
    const { page } = await browser.open();
    await openModal(page, made);
    await page.frameLocator("iframe").getByRole("heading", { name: "How would you like to pay?" }).waitFor();
    const question = page.getByText("The payment is not finished.");
    await page.getByRole("button", { name: "Close" }).click();
    await question.waitFor();
    await expectAccessibleToo(page);
    await page.getByRole("button", { name: "Go on paying" }).click();
    await page.keyboard.press("Escape");
    await question.waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    // From within the frame too.
    await page.frameLocator("iframe").getByRole("radio").first().press("Escape");
    await question.waitFor();
    await page.getByRole("dialog").last().getByRole("button", { name: "Close" }).click();
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(await heardBy(page)).toEqual(["close"]);
    expect(await shop.stateOf(made.paymentId)).toBe("processing:new");
  });

  shortIt("tells the merchant's page when nothing was paid, once, and closes without a question then", async () => {
    await allowFraming();
    const made = await shop.create();
    const { page } = await browser.open();
    await openModal(page, made);
    const frame = page.frameLocator("iframe");
    await frame.getByRole("button", { name: "Cancel the payment" }).click();
    await frame.getByRole("button", { name: "Yes, cancel it" }).click();
    await frame.getByRole("heading", { name: "The payment was not made" }).waitFor();
    await frame.locator("html").evaluate("location.reload()");
    await frame.getByRole("heading", { name: "The payment was not made" }).waitFor();
    await page.getByRole("button", { name: "Close" }).first().click();
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(await heardBy(page)).toEqual([`decline ${made.paymentId}`, "close"]);
  });

  shortIt("keeps the keyboard inside", async () => {
    await allowFraming();
    const made = await shop.create();
    const { page } = await browser.open();
    await openModal(page, made);
    await page.frameLocator("iframe").getByRole("heading", { name: "How would you like to pay?" }).waitFor();
    for (let at = 0; at < 12; at += 1) {
      await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement.textContent")).not.toBe("Elsewhere");
    }
  });

  shortIt("is not shown by a site that the project did not name", async () => {
    await database.db.run({ text: "update projects set widget_origins = '{}'" });
    await service.settled();
    const made = await shop.create();
    const { page } = await browser.open();
    const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
    await openModal(page, made);
    await refused;
    expect(await heardBy(page)).toEqual([]);
  });

  shortIt("believes nobody but the page itself, and opens no other", async () => {
    await allowFraming();
    const made = await shop.create();
    const { page } = await browser.open();
    await openModal(page, made);
    await page.frameLocator("iframe").getByRole("heading", { name: "How would you like to pay?" }).waitFor();
    await page.evaluate("new Promise((done) => { postMessage({ tillgate: 'success' }, '*'); setTimeout(done); })");
    expect(await heardBy(page)).toEqual([]);
    await expect(page.evaluate("Tillgate.open('https://evil.example/pay/x')")).rejects.toThrow("must begin with");
  });
});

describe.skipIf(browser.isMissing)("the demo shop", () => {
  it.each(growing<"page" | "modal">(["page"], ["modal"]))(
    "sells by %s, and shows the callbacks that it could verify",
    async (how) => {
      const { page, troubles } = await browser.open();
      await page.goto(`${service.url()}/sandbox/shop`);
      await expectAccessibleToo(page);
      await page.getByRole("button", { name: how === "page" ? /on the payment page/ : /without leaving/ }).click();
      const place = how === "page" ? page : page.frameLocator("iframe");
      await place.getByRole("radio", { name: /Card transfer/ }).check();
      await place.getByRole("button", { name: "Continue" }).click();
      await place.getByRole("button", { name: "I have paid" }).click();
      await place.getByRole("button", { name: "Yes, it is sent" }).click();
      await place.getByRole("heading", { name: "Payment received" }).waitFor();
      // From its own page the payer goes back by itself.
      if (how === "page") await page.waitForURL(/\/sandbox\/shop\?/);
      else await place.getByRole("button", { name: "Close" }).click();
      const order = /demo-[0-9a-f]{8}/.exec((await page.getByRole("status").innerText()) ?? "")?.[0];
      await page.getByText(`${order}: success`).waitFor();
      expect(troubles).toEqual([]);
    },
  );

  shortIt("keeps nothing that is not signed", async () => {
    const answer = await fetch(`${service.url()}/sandbox/shop/callback`, { method: "POST", body: "{}" });
    expect(answer.status).toBe(401);
  });

  shortIt("is not there in production", async () => {
    const sibling = await service.startSibling();
    expect((await fetch(`${sibling.localUrl}/sandbox/shop`)).status).toBe(404);
  });
});
