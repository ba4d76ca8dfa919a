import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { parseCsv } from "../../src/core/csv.ts";
import { aMember, type TestMember } from "../../src/testing/account-client.ts";
import { useTestBrowser } from "../../src/testing/browser/browser.ts";
import { aCallback } from "../../src/testing/builders/callbacks.ts";
import { aPayin, ISSUED } from "../../src/testing/builders/payments.ts";
import { aReportWorld, type ReportWorld } from "../../src/testing/builders/report-world.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { longIt, shortIt } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { look, useAccountWindows } from "./account-window.ts";
import { atStep } from "./pay-shop.ts";

const database = useTestDatabase();
// No worker: the payments stay as they were made.
const service = useTestService(database, {}, "api");
const browser = useTestBrowser();
const { openAs } = useAccountWindows(database, service, browser);
const { db } = database;

/** What a page would run if a text of a merchant or payer became part of it. */
const EVIL = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;
const WEIGHT_MAX = 200_000;

let world: ReportWorld;
let owner: TestMember;

beforeAll(async () => {
  world = await aReportWorld(db, 120);
  await aPayin(db, ISSUED, { projectId: world.live, paymentId: EVIL });
  owner = await aMember(db, world.merchantId, "owner");
  await service.settled();
});

const rowCount = (page: Page) => page.locator(".payment-list tbody tr").count();
const search = (page: Page) => new URL(page.url()).searchParams;

describe("the account's document", () => {
  shortIt.each(["", "/payments", "/payments/1234", "/invitation"])(
    "at /account%s loads our own files only",
    async (path) => {
      const answer = await fetch(`${service.url()}/account${path}`);
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(answer.status).toBe(200);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      const files = [...(await answer.text()).matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, file]) => file);
      expect(files.length).toBe(2);
      for (const file of files) {
        const url = new URL(file ?? "", `${service.url()}/account${path}`);
        const asset = await fetch(url);
        expect([url.pathname, asset.status]).toEqual([
          expect.stringMatching(/^\/account\/assets\/[\w-]+\.(js|css)$/),
          200,
        ]);
        expect(asset.headers.get("cache-control")).toContain("immutable");
      }
    },
  );

  shortIt("is not what an unknown call of the API is answered with", async () => {
    const answer = await fetch(`${service.url()}/account/api/nothing`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "application/json; charset=utf-8"]);
  });

  shortIt("weighs less than 200 kB of compressed script", () => {
    const written = JSON.parse(readFileSync(new URL("../../web/scripts.json", import.meta.url), "utf8"));
    const [script] = written.filter(({ file }: { file: string }) => file.startsWith("account/"));
    const weight = gzipSync(readFileSync(new URL(`../../dist/web/${script.file}`, import.meta.url))).length;
    expect(weight).toBeGreaterThan(10_000);
    expect(weight).toBeLessThan(WEIGHT_MAX);
  });
});

describe.skipIf(browser.isMissing)("the overview", () => {
  it("shows balances, charts and what needs attention, and marks a test project", async () => {
    const { page, troubles } = await openAs(owner, "?days=30");
    const origins = new Set<string>();
    page.on("request", (request) => origins.add(new URL(request.url()).origin));
    await atStep(page, "Overview");
    await page
      .getByRole("img", { name: /Chart: Payments, Successful volume, RUB/ })
      .first()
      .waitFor();
    await page.getByText("Their sums are never added up.").waitFor();
    await look(page);
    expect(await page.locator(".test-band").count()).toBe(0);
    await page.getByLabel("Project").selectOption(world.test);
    await page.getByText("No real money moves in this project.").waitFor();
    await page.getByRole("radio", { name: "Today" }).check();
    await expect.poll(() => search(page).get("days")).toBe("1");
    expect(search(page).get("project")).toBe(world.test);
    await look(page);
    await page.getByRole("region", { name: "Needs attention" }).getByRole("link", { name: "Payments" }).click();
    await atStep(page, "Payments");
    expect(Object.fromEntries(search(page))).toEqual({ status: "dispute", project: world.test });
    expect(troubles).toEqual([]);
    expect([...origins]).toEqual([service.url()]);
  });
});

describe.skipIf(browser.isMissing)("the list of payments", () => {
  it("is filtered, keeps the filter in its address, goes on, and is exported as it is filtered", async () => {
    const { page, troubles } = await openAs(owner, `/payments?project=${world.live}`);
    await page.getByText("Payments: 123").waitFor();
    expect(await rowCount(page)).toBe(50);
    await look(page);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => rowCount(page)).toBe(100);
    await page.getByLabel("Status").selectOption("success");
    await page.getByText("Payments: 61").waitFor();
    await page.getByRole("button", { name: "More filters" }).click();
    await page.getByLabel("Currency").selectOption("RUB");
    await page.getByLabel("Amount from").fill("50");
    await page.getByLabel("Amount from").press("Enter");
    await expect.poll(() => search(page).get("min")).toBe("50");
    const total = page.locator(".totals");
    await expect.poll(() => total.textContent()).not.toContain("61");
    const shown = await total.textContent();
    await page.reload();
    await expect.poll(() => total.textContent()).toBe(shown);
    await look(page);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    const parsed = parseCsv(readFileSync(await download.path(), "utf8"));
    const lines = parsed.ok ? parsed.value.length - 1 : -1;
    expect(shown).toMatch(new RegExp(`^Payments: ${lines}\\s*RUB`));
    await page.getByLabel("Search").fill("no-such-payment");
    await page.getByLabel("Search").press("Enter");
    await page.getByText("Nothing matches these filters").waitFor();
    await look(page);
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await page.getByText("Payments: 123").waitFor();
    expect(Object.fromEntries(search(page))).toEqual({ project: world.live });
    expect(troubles).toEqual([]);
  });

  longIt("announces new payments, and does not move by itself", async () => {
    const { page } = await openAs(owner, "/team");
    await atStep(page, "Team");
    await page.clock.install();
    await page.goto(`${service.url()}/account/payments?project=${world.live}&q=order-live`);
    await page.getByText("Nothing matches these filters").waitFor();
    await aPayin(db, ISSUED, { projectId: world.live, paymentId: "order-live" });
    await page.clock.runFor(21_000);
    await page.getByRole("button", { name: "There are new ones." }).waitFor();
    expect(await rowCount(page)).toBe(0);
    await page.getByRole("button", { name: "There are new ones." }).click();
    await expect.poll(() => rowCount(page)).toBe(1);
  });

  it("opens a payment with its timeline, amounts, callbacks and ledger lines, by keyboard too", async () => {
    const { page, troubles } = await openAs(owner, "/payments?q=new-success");
    await page.getByRole("link", { name: "new-success" }).first().focus();
    await page.keyboard.press("Enter");
    await atStep(page, "Payment");
    await page.getByText("Money received").waitFor();
    await page.getByRole("cell", { name: /Payment received/ }).waitFor();
    await page.locator("summary").first().click();
    await look(page);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await page.getByText("Copied").first().waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain("curl");
    await page.goto(`${service.url()}/account/payments/${"0".repeat(32)}`);
    await page.getByText("There is no such payment").waitFor();
    expect(troubles.filter((trouble) => !/404/.test(trouble))).toEqual([]);
  });

  shortIt("shows what a merchant or payer wrote as text, whatever it is", async () => {
    const { page, troubles } = await openAs(owner, "/payments");
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => dialogs.push(dialog.message()));
    await page.getByRole("link", { name: EVIL }).click();
    await atStep(page, "Payment");
    await page.locator(".copy-text", { hasText: EVIL }).waitFor();
    expect([dialogs, troubles]).toEqual([[], []]);
  });

  longIt("shows payouts, and the callbacks that were given up", async () => {
    await aCallback(db, world.live, { state: "dead" });
    const { page } = await openAs(owner, "/payouts");
    await atStep(page, "Payouts");
    await page
      .getByRole("row", { name: /Declined (Test)?returned/ })
      .first()
      .waitFor();
    expect(await page.getByRole("link", { name: "new-success" }).count()).toBe(0);
    await page.goto(`${service.url()}/account`);
    await page.getByText("Callbacks that were given up").waitFor();
  });
});

describe.skipIf(browser.isMissing)("the balance", () => {
  it("is the statement's closing balance, and the register's days add up to it", async () => {
    const { page, troubles } = await openAs(owner, `/balance?project=${world.live}`);
    await page.getByText("Opening balance").waitFor();
    await look(page);
    const closing = await page.locator(".ends dd").last().textContent();
    const card = page.locator(".balance-card[aria-current]");
    const [available, locked] = [card.locator(".card-sum"), card.locator(".small .amount")];
    const minor = async (text: Promise<string | null>) => Number(((await text) ?? "").replace(/[^\d-]/g, ""));
    expect(await minor(Promise.resolve(closing))).toBe(
      (await minor(available.textContent())) + (await minor(locked.textContent())),
    );
    await page.getByRole("radio", { name: "Daily register" }).check();
    await page.getByText("Sum of the period").waitFor();
    await look(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    const cells = page.locator(".register-list tfoot td");
    const opening = await minor(page.locator(".ends dd").first().textContent());
    const received = await minor(cells.nth(1).textContent());
    const spent = await minor(cells.nth(2).textContent());
    expect(opening + received - spent).toBe(await minor(Promise.resolve(closing)));
    expect(troubles).toEqual([]);
  });

  it("is not shown to a viewer, who exports nothing either", async () => {
    const viewer = await aMember(db, world.merchantId, "viewer");
    const { page } = await openAs(viewer, "/payments");
    await page.getByRole("table").waitFor();
    expect(await page.getByRole("button", { name: "Export CSV" }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Balance" }).count()).toBe(0);
    await page.goto(`${service.url()}/account/balance`);
    await page.getByText("You may not see this").waitFor();
    await look(page);
  });
});
