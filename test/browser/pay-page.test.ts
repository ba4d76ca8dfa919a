import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { scrollsSideways, useTestBrowser } from "../../src/testing/browser/browser.ts";
import { aPng, pngChunk } from "../../src/testing/builders/pictures.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { longIt, shortIt, variants } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
// @ts-expect-error: plain JavaScript, because it also runs by itself
import { listScripts } from "../../web/inventory.mjs";
import { atStep, chooseMethod, expectAccessible, sayPaid, speak, usePayShop } from "./pay-shop.ts";
import { runCommand } from "./run-command.ts";

const database = useTestDatabase();
const service = useTestService(database);
const shop = usePayShop(database, service);
const browser = useTestBrowser();

const WEIGHT_MAX = 100_000;

shortIt("runs no script but those of the inventory; after a change: npm run build && node web/inventory.mjs", () => {
  const written = JSON.parse(readFileSync(new URL("../../web/scripts.json", import.meta.url), "utf8"));
  expect(written).toEqual(listScripts());
  expect(written.every(({ purpose }: { purpose?: string }) => purpose !== undefined)).toBe(true);
});

shortIt("hands scripts out exactly as they are listed", async () => {
  for (const { file, sha256 } of listScripts()) {
    const path = file.startsWith("assets/") ? `/pay-${file}` : `/${file}`;
    const bytes = Buffer.from(await (await fetch(service.url() + path)).arrayBuffer());
    expect([path, createHash("sha256").update(bytes).digest("hex")]).toEqual([path, sha256]);
  }
});

describe("a link that opens nothing", () => {
  shortIt.each([
    ["an unknown token", "0".repeat(40)],
    ["a short one", "abc"],
    ["one that lost its end", "0".repeat(39)],
    ["a path", "../x"],
    ["a NUL", "%00"],
    ["a very long one", "0".repeat(4_000)],
  ])("is %s", async (_name, token) => {
    const answer = await fetch(`${service.url()}/pay/${encodeURIComponent(token)}`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain(token);
  });

  shortIt("is a token in capitals, or one without its end", async () => {
    const { url } = await shop.create();
    const token = url.slice(-40);
    for (const bad of [token.toUpperCase(), token.slice(0, -1)]) {
      const answer = await fetch(url.replace(token, bad));
      expect([bad, answer.status]).toEqual([bad, /^[0-9]+$/.test(token) && bad.length === 40 ? 200 : 404]);
    }
  });
});

describe.skipIf(browser.isMissing)("the payment page", () => {
  shortIt("weighs less than 100 kB, and asks nobody else for anything", async () => {
    const made = await shop.create();
    const { page } = await browser.open();
    let weight = 0;
    const origins = new Set<string>();
    const weighed: Promise<void>[] = [];
    page.on("response", (response) => {
      origins.add(new URL(response.url()).origin);
      if (!["document", "script", "stylesheet"].includes(response.request().resourceType())) return;
      weighed.push(
        response.body().then((body) => {
          weight += gzipSync(body).length;
        }),
      );
    });
    await page.goto(made.url);
    await atStep(page, "How would you like to pay?");
    await Promise.all(weighed);
    expect(weight).toBeGreaterThan(5_000);
    expect(weight).toBeLessThan(WEIGHT_MAX);
    await chooseMethod(page, /Card transfer/);
    await sayPaid(page);
    await atStep(page, "Payment received");
    await Promise.all(weighed);
    // To the very end, nothing more was loaded than at the beginning, and from nowhere else.
    expect(weight).toBeLessThan(WEIGHT_MAX);
    expect([...origins]).toEqual([new URL(service.url()).origin]);
  });

  shortIt("speaks Russian to whom it is asked to, and to whom chooses it, also after a reload", async () => {
    const asked = await shop.create({ customer: { language: "ru" } });
    const { page } = await browser.open({ width: 320 });
    await page.goto(asked.url);
    await atStep(page, "Как вы хотите заплатить?");
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("ru");
    await expectAccessible(page);
    await chooseMethod(page, /Перевод на карту/);
    await atStep(page, "Сделайте перевод");
    expect(await scrollsSideways(page)).toBe(false);
    await page
      .getByText(/2\s500,00\s₽/)
      .first()
      .waitFor();
    await speak(page, "en");
    await atStep(page, "Make the transfer");
    await page.reload();
    await atStep(page, "Make the transfer");
    await speak(page, "ru");
    await page.getByRole("button", { name: "Я оплатил(а)" }).click();
    await page.getByRole("button", { name: "Да, отправлен" }).click();
    await atStep(page, "Оплата получена");
  });

  it.each(variants(["ru"], ["en"]))("can be read without its script, in %s", async (language) => {
    const made = await shop.create({ customer: { language } });
    const answer = await fetch(`${made.url}/choose`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ method: "payin-p2p-card" }),
    });
    expect(answer.status).toBe(200);
    await shop.untilState(made, "processing:awaiting_confirm");
    const { page } = await browser.open({ width: 320, javaScript: false });
    await page.goto(made.url);
    await page.getByText(language === "en" ? "₽2,500.00" : /2\s500,00\s₽/).waitFor();
    await page.getByText(language === "en" ? "Card number" : "Номер карты").waitFor();
    await page.getByText(/[0-9]{16}/).waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    await shop.moveClock(901);
    await shop.untilState(made, "dispute:no_payment");
    await page.reload();
    await page.getByText(language === "en" ? "it may still be counted" : "их ещё могут зачесть").waitFor();
    expect(await page.getByText(/[0-9]{16}/).count()).toBe(0);
    await fetch(`${made.url}/confirm`, { method: "POST" });
    await shop.untilState(made, "success");
    await page.reload();
    await page.getByText(language === "en" ? "Payment received" : "Оплата получена").waitFor();
    await page.getByText(made.paymentId).waitFor();
  });

  shortIt("shows whatever text it is given as text", async () => {
    const bad = `<img src=x onerror=alert(1)>'";drop table payments;-- 💥</script><script>alert(2)</script>`;
    const made = await shop.create({ paymentId: `${bad}1`, payment: { description: bad } });
    for (const javaScript of [true, false]) {
      const { page, troubles } = await browser.open({ width: 320, javaScript });
      page.on("dialog", () => expect.unreachable());
      await page.goto(made.url);
      await page.getByText(`${bad}1`).waitFor();
      expect(await page.locator("img").count()).toBe(0);
      expect(await scrollsSideways(page)).toBe(false);
      expect(troubles).toEqual([]);
    }
  });

  shortIt.each([
    ["success", "Payment received"],
    ["decline:cancelled", "The payment was not made"],
  ])("of a finished payment, %s, shows its end, and takes nothing more", async (state, heading) => {
    const made = await shop.create();
    const post = (deed: string, body: object = {}) =>
      fetch(`${made.url}/${deed}`, { method: "POST", body: JSON.stringify(body), headers: JSON_TYPE });
    const card = { pan: "4242424242424242", cvv: "987", card_holder: "OLGA", expiry_month: 12, expiry_year: 2041 };
    await (state === "success" ? post("card", card) : post("cancel"));
    await shop.untilState(made, state);
    const { page } = await browser.open();
    await page.goto(made.url);
    await atStep(page, heading);
    await page.getByText(made.paymentId).waitFor();
    const print = state === "success" ? ["Print or save as PDF"] : [];
    expect(await page.getByRole("button").allInnerTexts()).toEqual(print);
    expect(await page.getByRole("textbox").count()).toBe(0);
    expect((await post("confirm")).status).toBe(409);
    expect((await post("card", card)).status).toBe(409);
    expect((await post("choose", { method: "payin-p2p-card" })).status).toBe(409);
    expect(await shop.stateOf(made.paymentId)).toBe(state);
  });

  shortIt("says so when the bank was disabled, or the method switched off, meanwhile", async () => {
    const made = await shop.create();
    const { page } = await browser.open();
    await page.goto(made.url);
    await chooseMethod(page, /Fast payments system/);
    await page.getByLabel("Search for your bank").fill("Avangard");
    await page.getByRole("radio", { name: "Avangard" }).check();
    await database.db.run({ text: "update banks set disabled_at = now() where symbol = 'avangard'" });
    await service.settled();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("alert").getByText("This bank is not available any more.").waitFor();
    // The page asks for banks and methods again once it has said so.
    await page.getByRole("radio", { name: "Avangard" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("radio", { name: /International transfer/ }).check();
    await runCommand(
      database,
      "project",
      "set",
      shop.projectId(),
      "--method",
      "payin:international-p2p:RUB",
      "--disable",
    );
    await service.settled();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("alert").getByText("This way to pay is not available any more.").waitFor();
    await page.getByRole("radio", { name: /International/ }).waitFor({ state: "detached" });
    await chooseMethod(page, /Card transfer/);
    await atStep(page, "Make the transfer");
  });

  longIt("wears the shop's colour, with text on it that can be read", async () => {
    await runCommand(database, "project", "set", shop.projectId(), "--accent", "#ffd400");
    await service.settled();
    const made = await shop.create();
    const { page } = await browser.open();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(made.url);
    await atStep(page, "How would you like to pay?");
    const styleOf = (name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("button.primary")).${name}`);
    expect([await styleOf("backgroundColor"), await styleOf("color")]).toEqual(["rgb(255, 212, 0)", "rgb(0, 0, 0)"]);
    await expectAccessible(page);
    await runCommand(database, "project", "set", shop.projectId(), "--accent", "none");
  });

  shortIt("shows the shop's picture, without what was hidden in it, and none again", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "tillgate-logo-")), "logo.png");
    const [drawn, hidden] = [aPng(64), aPng(64, pngChunk("tEXt", Buffer.from("Comment\0a secret")))];
    writeFileSync(file, hidden);
    await runCommand(database, "project", "set", shop.projectId(), "--logo", file);
    await service.settled();
    const made = await shop.create();
    const { page, troubles } = await browser.open({ width: 320 });
    const fetched = page.waitForResponse((response) => response.url().endsWith("/logo"));
    await page.goto(made.url);
    const logo = await fetched;
    expect(await logo.headerValue("content-type")).toBe("image/png");
    expect((await logo.body()).equals(drawn)).toBe(true);
    await page.waitForFunction("document.querySelector('header img')?.naturalWidth === 64");
    await expectAccessible(page);
    expect(await scrollsSideways(page)).toBe(false);
    expect(troubles).toEqual([]);
    await runCommand(database, "project", "set", shop.projectId(), "--logo", "none");
    await service.settled();
    await page.reload();
    await atStep(page, "How would you like to pay?");
    expect(await page.locator("img").count()).toBe(0);
    expect((await fetch(`${made.url}/logo`)).status).toBe(404);
  });

  it.each(variants([["an hour fast", 3_600_000] as const], [["an hour slow", -3_600_000] as const]))(
    "counts by the server's time when the browser's clock is %s",
    async (_name, wrongMs) => {
      const made = await shop.create();
      const { page } = await browser.open();
      await page.clock.install({ time: Date.now() + wrongMs });
      await page.goto(made.url);
      expect(await page.getByRole("timer").innerText()).toMatch(/^(10:00|9:[0-5][0-9])$/);
      await chooseMethod(page, /Card transfer/);
      await atStep(page, "Make the transfer");
      await page.reload();
      expect(await page.getByRole("timer").innerText()).toMatch(/^(15:00|14:[0-5][0-9])$/);
      await sayPaid(page);
      await atStep(page, "Payment received");
    },
  );

  shortIt("counts on rightly after a sleep, through which no clock of the browser ran", async () => {
    const made = await shop.create();
    const { page } = await browser.open();
    // No word from the server gets through, and the stopwatch stands still.
    await page.route("**/events", (route) => route.abort());
    await page.addInitScript("{ const before = performance.now(); performance.now = () => before; }");
    await page.goto(made.url);
    await page
      .getByRole("timer")
      .getByText(/^(10:00|9:[0-5][0-9])$/)
      .waitFor();
    await shop.moveClock(300);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page
      .getByRole("timer")
      .getByText(/^(5:00|4:[0-5][0-9])$/)
      .waitFor();
  });

  shortIt("goes to the end by itself when the time to choose is over", async () => {
    const made = await shop.create();
    const { page } = await browser.open();
    await page.goto(made.url);
    await atStep(page, "How would you like to pay?");
    await shop.moveClock(601);
    await atStep(page, "The payment was not made");
    await shop.untilState(made, "decline:expired");
  });
});

const JSON_TYPE = { "content-type": "application/json" };
