import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { scrollsSideways, useTestBrowser } from "../../src/testing/browser/browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { shortIt, variants } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { type ShownPayment, useCardShop } from "../e2e/card-shop.ts";

const database = useTestDatabase();
const service = useTestService(database);
const shop = useCardShop(database, service);
const browser = useTestBrowser();

const AT_ISSUER = "processing:awaiting_3ds_result";
const CARDS = { "2.2.0": "4000000000003220", "1.0.2": "4111111111111111" } as const;

async function challenged(pan: string = CARDS["2.2.0"], general: object = {}): Promise<ShownPayment> {
  return shop.until(await shop.create({ pan, general }), AT_ISSUER);
}

function pageOf({ integration }: ShownPayment): string {
  return integration?.redirect_url ?? "";
}

async function typeCode(page: Pick<Page, "getByLabel">, code = "1234"): Promise<void> {
  const field = page.getByLabel("Confirmation code");
  await field.fill(code);
  await field.press("Enter");
}

/** The payer is at the shop, by GET, with the payment's name. */
async function backAtShop(page: Page, payment: ShownPayment): Promise<void> {
  await page.waitForURL(`${shop.url()}/return?shop=1&payment_id=${payment.payment_id}`);
  await page.getByRole("heading", { name: "Shop" }).waitFor();
}

describe.skipIf(browser.isMissing)("a payer in a real browser", () => {
  describe.each(variants([320], [1280]))("%i pixels wide", (width) => {
    it.each(Object.entries(CARDS))("goes to the issuer and back by itself, with 3-D Secure %s", async (_, pan) => {
      const payment = await challenged(pan);
      const { page, troubles } = await browser.open({ width });
      const origins = new Set<string>();
      page.on("request", (request) => origins.add(new URL(request.url()).origin));
      await page.goto(pageOf(payment));
      await page.getByRole("heading", { name: "Confirm your payment" }).waitFor();
      expect(await scrollsSideways(page)).toBe(false);
      await typeCode(page);
      await backAtShop(page, payment);
      await shop.until(payment, "success");
      expect(troubles).toEqual([]);
      // A phone reaches the service and the shop, and no port of this machine besides.
      expect([...origins].sort()).toEqual([service.url(), shop.url()].map((url) => new URL(url).origin).sort());
    });

    it("goes by the buttons where scripts are off", async () => {
      const payment = await challenged();
      const { page, troubles } = await browser.open({ width, javaScript: false });
      await page.goto(pageOf(payment));
      await page.getByRole("button", { name: "Continue to the bank" }).click();
      await typeCode(page, "1111");
      await page.getByRole("alert").waitFor();
      await typeCode(page);
      await page.getByRole("button", { name: "Continue" }).click();
      await backAtShop(page, payment);
      await shop.until(payment, "success");
      expect(troubles).toEqual([]);
    });

    it("reads our own pages without moving them sideways", async () => {
      const payment = await challenged(CARDS["2.2.0"], { redirect_url: undefined });
      // Scripts are off, so that the page stays; what is measured here runs all the same.
      const { page } = await browser.open({ width, javaScript: false });
      for (const url of [pageOf(payment), `${pageOf(payment)}/return`, `${service.url()}/3ds/unknown`]) {
        await page.goto(url);
        expect([url, await scrollsSideways(page)]).toEqual([url, false]);
        expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
      }
    });
  });

  shortIt("lets the issuer look at the browser first", async () => {
    await shop.wish("method_step");
    const payment = await challenged();
    const { page, troubles } = await browser.open();
    const looked = page.waitForResponse((response) => response.url() === `${pageOf(payment)}/method`);
    await page.goto(pageOf(payment));
    expect((await looked).status()).toBe(200);
    await typeCode(page);
    await backAtShop(page, payment);
    await shop.until(payment, "success");
    expect(troubles).toEqual([]);
  });

  shortIt("goes on without, when the issuer takes too long to look", async () => {
    await shop.wish("method_step");
    const payment = await challenged();
    const { page } = await browser.open();
    await page.route("**/acs/method", () => undefined);
    await page.clock.install();
    await page.goto(pageOf(payment));
    await page.clock.fastForward(5_000);
    await typeCode(page);
    await backAtShop(page, payment);
    await shop.until(payment, "success");
  });

  shortIt("who cancels is back at the shop, and the payment is declined", async () => {
    const payment = await challenged();
    const { page } = await browser.open();
    await page.goto(pageOf(payment));
    await page.getByRole("button", { name: "Cancel" }).click();
    await backAtShop(page, payment);
    await shop.until(payment, "decline:three_ds_failed");
  });

  shortIt("whom the merchant shows the issuer in a frame comes back in the frame, by POST", async () => {
    const payment = await challenged();
    const { acs_url = "", creq = "", three_ds_session_data: session = "" } = payment.integration?.three_ds ?? {};
    const { page, troubles } = await browser.open();
    await page.setContent(`<iframe name="issuer" width="400" height="600"></iframe>
      <form method="post" action="${acs_url}" target="issuer">
      <input type="hidden" name="creq" value="${creq}"><input type="hidden" name="threeDSSessionData" value="${session}">
      <button>Pay</button></form>`);
    await page.getByRole("button", { name: "Pay" }).click();
    const frame = page.frameLocator("iframe");
    await typeCode(frame);
    await frame.getByRole("heading", { name: "Shop" }).waitFor();
    const posted = new URLSearchParams(shop.returns().at(-1)?.rawBody.toString("utf8"));
    expect([...posted.keys()]).toEqual(["cres", "threeDSSessionData"]);
    expect(posted.get("threeDSSessionData")).toBe(session);
    await shop.until(payment, "success");
    // The issuer's page would like to have the focus, which a frame of another origin may not take.
    expect(troubles.filter((trouble) => !trouble.startsWith("Blocked autofocusing"))).toEqual([]);
  });
});
