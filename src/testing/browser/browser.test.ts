import { describe, expect, it } from "vitest";
import { reportMissing, useTestBrowser } from "./browser.ts";
import { tellWindows } from "./tell-windows.ts";

const browser = useTestBrowser();
const DAY_MS = 86_400_000;

it("says how to get a browser where the tests of pages are skipped for want of one", () => {
  const written: string[] = [];
  reportMissing(false, (text) => written.push(text));
  expect(written.join("")).toMatch(/SKIPPED.*apt-get install chromium/);
});

it("fails where nothing may be skipped", () => {
  expect(() => reportMissing(true, () => undefined)).toThrow("apt-get install chromium");
});

describe.skipIf(browser.isMissing)("a test's window", () => {
  const fakedMs = Date.now() + DAY_MS;

  it("has the time that the test wants", async () => {
    const { page } = await browser.open();
    await page.clock.install({ time: fakedMs });
    await page.clock.pauseAt(fakedMs + 1_000);
    expect(await page.evaluate("Date.now()")).toBe(fakedMs + 1_000);
  });

  it("has the real time after a test that wanted another, and timers that run", async () => {
    const { page } = await browser.open();
    expect(await page.evaluate("new Promise((tell) => setTimeout(() => tell(Date.now()), 1))")).toBeLessThan(fakedMs);
  });

  it("is described, should the test fail: what it shows, its size, and what it lacks", async () => {
    const window = await browser.open({ width: 400, height: 300 });
    await window.page.route("**/page", (route) =>
      route.fulfill({ contentType: "text/html", body: "<h1>Orders</h1><script src='/script.js'></script>" }),
    );
    await window.page.route("**/script.js", (route) => route.abort());
    await window.page.goto("http://127.0.0.1/page");
    const told = await tellWindows("a test", [{ ...window, requests: ["200 /page"] }]);
    expect(told).toContain("/page, 400 x 300, complete: Orders");
    expect(told).toContain("Failed to load resource");
    expect(told).toContain("200 /page");
  });
});
