import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { configureProject } from "../../src/app/merchants/merchants.ts";
import type { Id } from "../../src/core/ids.ts";
import { aMember, type TestMember } from "../../src/testing/account-client.ts";
import { useTestBrowser } from "../../src/testing/browser/browser.ts";
import { aCallback, type BuiltCallback, callbackRow, disableUrl } from "../../src/testing/builders/callbacks.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type CallbackReceiver, openCallbackReceiver } from "../../src/testing/http/callback-receiver.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { look, useAccountWindows } from "./account-window.ts";
import { atStep } from "./pay-shop.ts";

const database = useTestDatabase();
const service = useTestService(database);
const browser = useTestBrowser();
const { openAs } = useAccountWindows(database, service, browser);
const { db } = database;

/** What a page would run if an answer of a merchant's server became part of it. */
const EVIL = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;

let projectId: Id;
let developer: TestMember;
let receiver: CallbackReceiver;

beforeAll(async () => {
  const made = await aProject(db, "live");
  ({ projectId } = made);
  await aProject(db, "test", made.merchantId);
  receiver = await openCallbackReceiver();
  await configureProject(db, projectId, { settings: { callbackUrl: `${receiver.url}/callbacks` } });
  developer = await aMember(db, made.merchantId, "developer");
  await service.settled();
});
afterAll(() => receiver.close());

describe.skipIf(browser.isMissing)("a developer", () => {
  it("sees dead letters, dismisses one, sends one, then all the others, and resends from the payment", async () => {
    const dead = { url: `${receiver.url}/callbacks`, state: "dead", attempts: [503, "timeout"] } as const;
    const wishes = ["order-1", "order-2", "order-3", "order-4", EVIL].map((paymentId) => ({ ...dead, paymentId }));
    const made: BuiltCallback[] = [];
    for (const wish of wishes) made.push(await aCallback(db, projectId, wish));
    const { page, troubles } = await openAs(developer, "");
    await page.getByRole("region", { name: "Needs attention" }).getByRole("link", { name: "Callbacks" }).click();
    await atStep(page, "Callbacks");
    await page.getByText("Callbacks: 5").waitFor();
    await page.getByRole("link", { name: "Given up: 5" }).waitFor();
    await look(page);
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/\/account\/api\/callbacks\?/, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("button", { name: "Dismiss the callback of order-1" }).click();
    await page.getByText("Dismissed: 1.").waitFor();
    // What is chosen while the list is read again stays chosen.
    await page.getByRole("checkbox", { name: "Choose the callback of order-2" }).check();
    goOn();
    await page.getByText("Callbacks: 4").waitFor();
    await page.getByRole("button", { name: "Send again (1)" }).click();
    await page.getByText("Sent again: 1.").waitFor();
    await page.getByText("Callbacks: 3").waitFor();
    await page.getByRole("button", { name: "Send all again" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send all again" }).click();
    await page.getByText("Sent again: 3.").waitFor();
    await page.getByText("No callback was given up").waitFor();
    const states = async () => Promise.all(made.map(async (each) => (await callbackRow(db, each)).state));
    await expect.poll(states, { timeout: 60_000 }).toEqual(["dismissed", ...Array(4).fill("delivered")]);
    await page.getByLabel("State", { exact: true }).selectOption("delivered");
    await page.getByRole("link", { name: EVIL }).click();
    await atStep(page, "Payment");
    await page.locator("summary").first().click();
    await page.getByText("no answer within 10 s").waitFor();
    await page.getByRole("button", { name: "Resend the latest" }).click();
    await page.getByText("It is sent again.").waitFor();
    await expect
      .poll(async () => (await callbackRow(db, made[4] ?? never())).attemptCount, { timeout: 60_000 })
      .toBe(4);
    expect(troubles).toEqual([]);
  });

  it("changes a URL, makes a secret that is shown once, switches a URL on, and tests all of it", async () => {
    await disableUrl(db, projectId, "https://gone.example/x");
    const { page, troubles } = await openAs(developer, "/callbacks?view=setup", { steppedUp: true });
    await page.getByText("Choose a project").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Web" }).first().click();
    await page.getByRole("button", { name: "Switch on https://gone.example/x" }).click();
    await expect.poll(() => page.getByRole("button", { name: /^Switch on/ }).count()).toBe(0);
    await page.getByRole("button", { name: "Change the URL: Successes" }).click();
    await page.getByRole("dialog").getByLabel("URL").fill("ftp://shop.example");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("This cannot be a callback URL").waitFor();
    await page.getByRole("dialog").getByLabel("URL").fill(`${receiver.url}/paid`);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText(`${receiver.url}/paid`).waitFor();
    await page.getByRole("button", { name: "New secret: Standard Webhooks" }).click();
    await page.getByRole("button", { name: "Make the secret" }).click();
    const secret = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole("button", { name: "I have kept it" }).click();
    await look(page);
    expect(await page.content()).not.toContain(secret);
    await service.settled();

    await page.getByRole("radio", { name: "Test" }).check();
    receiver.answerWith(() => ({ status: 500, body: EVIL }));
    await page.getByRole("button", { name: "Send the test" }).click();
    await page.getByText("HTTP 500").first().waitFor();
    await page.getByRole("region", { name: "Body Answer" }).getByText(EVIL).waitFor();
    expect(receiver.received.at(-1)?.path).toBe("/paid");
    await look(page);
    // The URL that cannot be one.
    expect(troubles.filter((trouble) => !/400/.test(trouble))).toEqual([]);
  });
});

function never(): never {
  throw new Error("it was made above");
}
