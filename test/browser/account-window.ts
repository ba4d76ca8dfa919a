import type { Page } from "playwright-core";
import { expect } from "vitest";
import { sessionOf, type TestMember } from "../../src/testing/account-client.ts";
import { scrollsSideways, type TestBrowser } from "../../src/testing/browser/browser.ts";
import type { TestDatabase } from "../../src/testing/database/test-database.ts";
import { sizeOf } from "../../src/testing/run/run-form.ts";
import type { TestService } from "../../src/testing/service/test-service.ts";
import { expectAccessible } from "./pay-shop.ts";

export type AccountWindow = { readonly page: Page; readonly troubles: readonly string[] };

/** Windows of the personal account. */
export function useAccountWindows(database: TestDatabase, service: TestService, browser: TestBrowser) {
  return {
    /** A window without a session. */
    openOutside: async (path = ""): Promise<AccountWindow> => {
      const window = await browser.open({ width: 390 });
      await window.page.goto(`${service.url()}/account${path}`);
      return window;
    },
    /** The window of a person who is signed in already. */
    openAs: async (member: TestMember, path = "", session: { steppedUp?: boolean } = {}): Promise<AccountWindow> => {
      const window = await browser.open({ width: 390 });
      const { token } = await sessionOf(database.db, member, session);
      const { hostname } = new URL(service.url());
      await window.page.context().addCookies([{ name: "tillgate-session", value: token, domain: hostname, path: "/" }]);
      await window.page.goto(`${service.url()}/account${path}`);
      return window;
    },
  };
}

/** What each run of axe costs is a second: each theme is judged on one of the two, and in `npm test` the phone alone. */
const LOOKS = [
  { width: 390, colorScheme: "light", isJudged: true },
  { width: 1440, colorScheme: "dark", isJudged: sizeOf({ short: false, long: true }) },
] as const;

/** One state of a screen, on a phone and on a desktop: no rule of WCAG is broken, and nothing is moved sideways. */
export async function look(page: Page): Promise<void> {
  // What is about to be replaced is drawn paler.
  await expect.poll(() => page.locator(".is-stale").count()).toBe(0);
  for (const { width, colorScheme, isJudged } of LOOKS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    if (isJudged) await expectAccessible(page);
    expect(await scrollsSideways(page)).toBe(false);
  }
}
