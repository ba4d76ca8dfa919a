import { expect, it } from "vitest";
import { reportMissing } from "./browser.ts";

it("says how to get a browser where the tests of pages are skipped for want of one", () => {
  const written: string[] = [];
  reportMissing(false, (text) => written.push(text));
  expect(written.join("")).toMatch(/SKIPPED.*apt-get install chromium/);
});

it("fails where nothing may be skipped", () => {
  expect(() => reportMissing(true, () => undefined)).toThrow("apt-get install chromium");
});
