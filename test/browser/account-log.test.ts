import { beforeAll, describe, expect, it } from "vitest";
import type { Id } from "../../src/core/ids.ts";
import { aMember, type TestMember } from "../../src/testing/account-client.ts";
import { useTestBrowser } from "../../src/testing/browser/browser.ts";
import { aChunk, anAnsweredCall } from "../../src/testing/builders/logged-calls.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { look, useAccountWindows } from "./account-window.ts";
import { atStep } from "./pay-shop.ts";

const database = useTestDatabase();
const service = useTestService(database);
const browser = useTestBrowser();
const { openAs } = useAccountWindows(database, service, browser);
const { db } = database;

let projectId: Id;
let developer: TestMember;

beforeAll(async () => {
  const made = await aProject(db);
  projectId = made.projectId;
  developer = await aMember(db, made.merchantId, "developer");
  await service.settled();
});

const MARKUP = "<img src=x onerror=alert(1)>";

function aRefusal(atMs: number) {
  const body = Buffer.from(
    JSON.stringify({ general: { project_id: projectId, payment_id: MARKUP }, card: { pan: "4242424242424242" } }),
  );
  return anAnsweredCall({ atMs, code: "validation_failed", body, address: MARKUP });
}

describe.skipIf(browser.isMissing)("the request log", () => {
  it("says what to do while it is empty, announces new calls, and shows one whole", async () => {
    const { page, troubles } = await openAs(developer, "/log");
    await atStep(page, "Request log");
    await page.getByText("No calls yet").waitFor();
    const nowMs = Date.now();
    const calls = Array.from({ length: 60 }, (_, index) => anAnsweredCall({ atMs: nowMs - index * 1_000 }));
    await aChunk(db, projectId, "calls", calls);
    await aChunk(db, projectId, "errors", [aRefusal(nowMs - 500)]);
    await page.clock.install();
    await page.reload();
    await page.getByText("validation_failed").waitFor();
    await look(page);
    expect(await page.locator(".call-list tbody tr").count()).toBe(50);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => page.locator(".call-list tbody tr").count()).toBe(61);

    await page.getByLabel("Result").selectOption("error");
    await expect.poll(() => page.locator(".call-list tbody tr").count()).toBe(1);
    expect(new URL(page.url()).searchParams.get("status")).toBe("error");
    await page.locator(".call-list .row-link").click();
    await page.getByText("************4242").first().waitFor();
    // A text that a stranger sent is a text.
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.locator(".call-panel").textContent()).toContain(MARKUP);
    await look(page);
    await page.getByRole("link", { name: "Close the call" }).click();
    expect(new URL(page.url()).searchParams.get("call")).toBeNull();

    // The list does not move by itself.
    await aChunk(db, projectId, "errors", [aRefusal(nowMs + 1_000), aRefusal(nowMs + 2_000)]);
    await page.clock.fastForward(10_000);
    const news = page.getByRole("button", { name: "2 new calls. Show" });
    await news.waitFor();
    expect(await page.locator(".call-list tbody tr").count()).toBe(1);
    await news.click();
    await expect.poll(() => page.locator(".call-list tbody tr").count()).toBe(3);
    expect(troubles).toEqual([]);
  });
});
