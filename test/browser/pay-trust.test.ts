import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { scrollsSideways, useTestBrowser } from "../../src/testing/browser/browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { growing, shortIt, variants } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import {
  atStep,
  chooseMethod,
  expectAccessible,
  expectAccessibleInBothThemes,
  expectAccessibleToo,
  fillCard,
  type Made,
  sayPaid,
  usePayShop,
} from "./pay-shop.ts";
import { runCommand } from "./run-command.ts";

/** Whose page it is, how long there is, what happens next, the receipt, and the way back. */
const database = useTestDatabase();
const service = useTestService(database, { TILLGATE_OPERATOR_NAME: "Gate Payments LLC" });
const shop = usePayShop(database, service);
const browser = useTestBrowser();

const APPROVED = "4242424242424242";
/** Its acquirer is silent until it is asked. */
const SLOW = "4100401111100062";
const CHALLENGED = "4000000000003220";
const JSON_TYPE = { "content-type": "application/json" };

beforeAll(async () => {
  const contact = ["--support-email", "help@shop.example", "--support-phone", "+7 (800) 555-01-02"];
  const help = ["--support-url", "https://shop.example/help"];
  await runCommand(database, "project", "set", shop.projectId(), "--name", "Teapots", ...contact, ...help);
  await service.settled();
});

const wayBack = (page: Page) => page.getByRole("link", { name: "Back to the shop" });
const stay = (page: Page) => page.getByRole("button", { name: "Stay on this page" });

async function post({ url }: Made, deed: string, body: object = {}): Promise<void> {
  const answer = await fetch(`${url}/${deed}`, { method: "POST", headers: JSON_TYPE, body: JSON.stringify(body) });
  expect([deed, answer.status]).toEqual([deed, 200]);
}

async function paidByCard(): Promise<Made> {
  const made = await shop.createWithWayBack({ payment: { description: "A very good teapot" } });
  await post(made, "card", {
    ...{ pan: APPROVED, cvv: "987", card_holder: "OLGA", expiry_month: 12, expiry_year: 2041 },
  });
  await shop.untilState(made, "success");
  return made;
}

async function viewOf({ url }: Made): Promise<Record<string, unknown>> {
  return (await (await fetch(`${url}/state`)).json()) as Record<string, unknown>;
}

/** Time passes only where the test says so. */
async function stopTime(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** The whole of it is on the screen before anything is moved. */
async function expectInSight(page: Page, button: string | RegExp): Promise<void> {
  const box = await page.getByRole("button", { name: button }).boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? Number.NaN)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
}

shortIt("a browser that asks for an icon gets one", async () => {
  const ico = await fetch(`${service.url()}/favicon.ico`);
  expect([ico.status, ico.headers.get("content-type")]).toEqual([200, "image/x-icon"]);
  const bytes = Buffer.from(await ico.arrayBuffer());
  const at = bytes.readUInt32LE(18);
  expect([bytes.readUInt32LE(0), bytes.length - at]).toEqual([0x10000, bytes.readUInt32LE(14)]);
  expect(bytes.subarray(at, at + 4).toString("latin1")).toBe("\x89PNG");
  for (const path of ["/account", "/account/payments/x", "/docs", "/docs/quick-start", "/sandbox", "/sandbox/shop"]) {
    const document = await (await fetch(service.url() + path)).text();
    const [, href = ""] = /<link rel="icon"[^>]* href="([^"]+)"/.exec(document) ?? [];
    const icon = await fetch(new URL(href, service.url() + path));
    expect([path, icon.status, icon.headers.get("content-type")]).toEqual([path, 200, "image/svg+xml"]);
  }
});

describe.skipIf(browser.isMissing)("the payment page", () => {
  it.each(growing([390], [1280]))(
    "says whose it is, how to reach the shop, how long there is and what comes next, at %i pixels",
    async (width) => {
      const made = await shop.create();
      const { page, troubles } = await browser.open({ width, height: width === 390 ? 844 : 800 });
      await page.goto(made.url);
      await atStep(page, "How would you like to pay?");
      await page.getByText("TEST", { exact: true }).waitFor();
      const hrefOf = (name: string) => page.getByRole("link", { name }).getAttribute("href");
      expect(await hrefOf("help@shop.example")).toBe(`mailto:help@shop.example?subject=Order%20${made.paymentId}`);
      expect(await hrefOf("+7 (800) 555-01-02")).toBe("tel:+78005550102");
      expect(await hrefOf("Help page")).toBe("https://shop.example/help");
      await page.getByText("Payments by Gate Payments LLC").waitFor();
      const icons = page.locator(".choice .method-icon");
      expect(await icons.count()).toBe(await page.getByRole("radio").count());
      await expectInSight(page, "Continue");
      await page.getByRole("radio", { name: /Card transfer/ }).check();
      await page.getByText("Next, we show you where to send the money.").waitFor();
      await expectAccessibleInBothThemes(page);
      await chooseMethod(page, /Fast payments/);
      await atStep(page, "Which bank do you pay from?");
      await page.getByRole("timer").waitFor();
      await page.goBack();
      await chooseMethod(page, /Bank card/);
      await page.getByText("your bank may ask you to confirm").waitFor();
      await page.getByRole("timer").waitFor();
      expect(await scrollsSideways(page)).toBe(false);
      expect(troubles).toEqual([]);
    },
  );

  shortIt("of a live project wears no ribbon, and names no contact and no operator where there is none", async () => {
    const made = await shop.create();
    const { page } = await browser.open();
    // The sandbox serves test projects alone; the page draws what it is told.
    const live = (text: string) =>
      text
        .replaceAll('"test":true,', "")
        .replaceAll(/"operator":\{[^}]*\},/g, "")
        .replaceAll(/,"support":\{[^}]*\}/g, "");
    await page.route(`${made.url}**`, async (route) => {
      if (route.request().url().endsWith("/events")) return route.abort();
      const response = await route.fetch();
      return route.fulfill({ response, body: live(await response.text()) });
    });
    await page.goto(made.url);
    await atStep(page, "How would you like to pay?");
    expect(await page.getByText("TEST", { exact: true }).count()).toBe(0);
    expect(await page.getByText(/Payments by|Questions about/).count()).toBe(0);
    await page.getByText("Secure payment page").waitFor();
  });

  shortIt("counts at the bank and after the time to pay too, and lets a payer who sent a transfer leave", async () => {
    const late = await shop.create();
    await post(late, "choose", { method: "payin-p2p-card" });
    await shop.untilState(late, "processing:awaiting_confirm");
    await shop.moveClock(901);
    await shop.untilState(late, "dispute:no_payment");
    const { page } = await browser.open({ width: 390, height: 844 });
    await page.goto(late.url);
    await atStep(page, "The time is over");
    expect(await page.getByRole("timer").innerText()).toMatch(/^1[45]:\d\d$/);
    const made = await shop.createWithWayBack({ amount: 250_002 });
    await page.goto(made.url);
    await chooseMethod(page, /Card transfer/);
    await atStep(page, "Make the transfer");
    await page.getByText("After “I have paid” we look for your transfer").waitFor();
    await sayPaid(page);
    await atStep(page, "Checking your payment");
    expect(await wayBack(page).getAttribute("href")).toBe(`${service.url()}/docs?payment_id=${made.paymentId}`);
    expect(await page.getByRole("timer").count()).toBe(0);
  });

  it("has no way back while a card is charged, with its script and without, in a modal neither", async () => {
    const made = await shop.createWithWayBack();
    const { page } = await browser.open({ width: 390, height: 844 });
    await page.goto(`${service.url()}/sandbox/shop`);
    await page.evaluate(`Tillgate.open("${made.url}")`);
    const frame = page.frameLocator("iframe");
    await frame.getByRole("radio", { name: /Bank card/ }).check();
    await frame.getByRole("button", { name: "Continue" }).click();
    await fillCard(frame as unknown as Page, SLOW);
    await frame.getByRole("button", { name: /^Pay / }).click();
    await frame.getByText("Your card is being charged.").waitFor();
    expect(await frame.getByRole("button", { name: "Close" }).count()).toBe(0);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByText("The payment is not finished.").waitFor();
    await page.goto(made.url);
    await page.getByText("Please stay on this page and do not pay again").waitFor();
    expect(await wayBack(page).count()).toBe(0);
    await expectAccessibleToo(page);
    expect(await viewOf(made)).toMatchObject({ step: "prepare", charging: true });
    expect(await (await fetch(made.url)).text()).not.toContain("/docs?payment_id");
    const challenged = await shop.createWithWayBack();
    await page.goto(challenged.url);
    await chooseMethod(page, /Bank card/);
    await fillCard(page, CHALLENGED);
    await page.getByRole("button", { name: /^Pay / }).click();
    await atStep(page, "Confirm with your bank");
    expect(await page.getByRole("timer").innerText()).toMatch(/^(10:00|9:\d\d)$/);
    await page.getByText("After that you come back here").waitFor();
    expect(await wayBack(page).count()).toBe(0);
    await shop.moveClock(60);
    await shop.untilState(made, "success");
    const { charging, back_url } = await viewOf(made);
    expect([charging, back_url]).toEqual([undefined, `${service.url()}/docs?payment_id=${made.paymentId}`]);
  });

  shortIt("goes back to the shop five seconds after a success, and stays for a payer who returns", async () => {
    const made = await paidByCard();
    const { page } = await browser.open();
    await page.goto(made.url);
    await page.waitForURL(`${service.url()}/docs?payment_id=${made.paymentId}`);
    await page.goBack();
    await atStep(page, "Payment received");
    await wayBack(page).waitFor();
    expect(await stay(page).count()).toBe(0);
    await expectAccessible(page);
  });

  it.each(variants([390], [1280]))(
    "gives a receipt that is read, printed and saved, and stays while that is done, at %i pixels",
    async (width) => {
      const made = await paidByCard();
      const { page, troubles } = await browser.open({ width, height: width === 390 ? 844 : 800 });
      await stopTime(page);
      await page.goto(made.url);
      await atStep(page, "Payment received");
      const facts = await page.locator(".receipt dl > div").allInnerTexts();
      const { request_id, receipt } = {
        ...(await shop.tell("info", made.paymentId)).json,
        ...(await viewOf(made)),
      } as {
        request_id: string;
        receipt: { paid_at: string };
      };
      const paidAt = await page.evaluate(
        `new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" }).format(new Date("${receipt.paid_at}"))`,
      );
      expect(facts.map((fact) => fact.replaceAll(/\s+/g, " "))).toEqual([
        "Amount ₽2,500.00",
        `Date and time ${paidAt}`,
        "Shop Teapots",
        `Order ${made.paymentId}`,
        "For A very good teapot",
        "Paid with Visa •••• 4242",
        `Payment ID ${request_id}`,
      ]);
      expect(await scrollsSideways(page)).toBe(false);
      if (width === 390) await expectInSight(page, "Print or save as PDF");
      // A page that is not looked at does not count.
      const setHidden = (hidden: boolean) =>
        page.evaluate(`Object.defineProperty(document, "hidden", { configurable: true, value: ${hidden} })`);
      await setHidden(true);
      await page.clock.runFor(20_000);
      await setHidden(false);
      await page.clock.runFor(2_000);
      await page.getByText("You go back to the shop in 3 s.").waitFor();
      await page.evaluate("window.print = () => { window.printed = (window.printed ?? 0) + 1; }");
      await page.getByRole("button", { name: "Print or save as PDF" }).click();
      expect(await page.evaluate("window.printed")).toBe(1);
      await stay(page).waitFor({ state: "detached" });
      await page.clock.runFor(60_000);
      await wayBack(page).waitFor();

      await page.emulateMedia({ media: "print" });
      await page.getByRole("heading", { name: "Receipt" }).waitFor();
      await page.getByText("TEST", { exact: true }).waitFor();
      expect(await page.getByRole("button").count()).toBe(0);
      expect(await wayBack(page).count()).toBe(0);
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
      expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
      expect(pdf).toMatch(/\/MediaBox \[0 0 59\d[.\d]* 84\d[.\d]*\]/);
      expect(troubles).toEqual([]);
    },
  );

  shortIt("without its script says the same", async () => {
    const made = await paidByCard();
    const { page } = await browser.open({ width: 390 });
    // The page's own script alone: the rules of WCAG are judged by one.
    await page.route("**/pay-assets/*.js", (route) => route.abort());
    await page.goto(made.url);
    await page.getByText("TEST: no real money moves").waitFor();
    await page.getByRole("link", { name: "help@shop.example" }).waitFor();
    await page.getByText("Payments by Gate Payments LLC").waitFor();
    const { receipt } = await viewOf(made);
    await page.getByText((receipt as { request_id: string }).request_id).waitFor();
    await wayBack(page).waitFor();
    await expectAccessible(page);
  });

  shortIt("stays when the payer presses the button for it", async () => {
    const made = await paidByCard();
    const { page } = await browser.open();
    await stopTime(page);
    await page.goto(made.url);
    await stay(page).click();
    await page.clock.runFor(60_000);
    await wayBack(page).waitFor();
    expect(await stay(page).count()).toBe(0);
  });
});
