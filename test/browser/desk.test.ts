import { beforeAll, describe, expect, it } from "vitest";
import type { Id } from "../../src/core/ids.ts";
import { aMember, openAccountClient, sessionOf, type TestMember } from "../../src/testing/account-client.ts";
import { scrollsSideways, useTestBrowser } from "../../src/testing/browser/browser.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { longIt, shortIt, sizeOf } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { look, useAccountWindows } from "./account-window.ts";
import { type DeskOrder, useDeskOf } from "./desk-window.ts";
import { atStep, expectAccessibleToo } from "./pay-shop.ts";

const database = useTestDatabase();
const service = useTestService(database);
const browser = useTestBrowser();
const { openAs } = useAccountWindows(database, service, browser);
const { db } = database;

/** What a page would run if a callback became part of it. */
const EVIL = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;

/** What is pressed one after the other, and what the card says after each. */
type Walk = readonly [what: string, order: DeskOrder, ...(readonly [button: string, ...words: readonly string[]])[]];

const UNSEEN = "Done. The payment's state stays as it is.";

const WALKS: readonly Walk[] = [
  ["the money arrives", "card_transfer", ["It arrives", "Successful"]],
  ["an issuer approves a card", "card_challenge", ["Approve", "Successful"]],
  ["a bank pays out", "payout", ["Pay it out", "Successful"]],
  [
    "less arrives, then the rest",
    "phone",
    ["AZN 1.00 less", "Dispute", "another amount"],
    ["It arrives", "Successful"],
  ],
  ["more arrives", "sbp", ["RUB 1.00 more", "Dispute", "another amount"]],
  ["it arrives twice", "card_transfer", ["It arrives twice", "Successful", "RUB 2,000.00"]],
  ["it arrives late", "card_transfer", ["It arrives late", "Successful"]],
  ["it never arrives", "qr", ["It never arrives", "Dispute", "not paid in time"], ["It never arrives", "Declined"]],
  [
    "the payer says it is paid, and it never arrives",
    "card_transfer",
    ["Says it is paid", "marked as paid"],
    ["It never arrives", "Dispute", "money not found"],
    ["It arrives", "Successful"],
  ],
  ["the payer gives up", "card_transfer", ["Gives up", "Declined"]],
  ["the provider cancels", "card_transfer", ["The provider cancels", "Declined"]],
  ["the bank takes it back", "card_transfer", ["It arrives", "Successful"], ["The bank takes it back", UNSEEN]],
  ["an issuer approves too much", "card_challenge", ["Approve RUB 1.00 more", "Dispute", "another amount"]],
  ["an issuer declines", "card_challenge", ["Decline", "Declined"]],
  ["a challenge times out", "card_challenge", ["The challenge times out", "Declined"]],
  [
    "an issuer keeps a card pending for too long",
    "card_challenge",
    ["Keep it pending", UNSEEN],
    ["The challenge times out", "Dispute", "money not found"],
    ["Approve", "Successful"],
  ],
  ["a charge is reversed", "card_challenge", ["Approve", "Successful"], ["Reverse the charge", UNSEEN]],
  ["a bank rejects a payout", "payout", ["Reject it", "Declined"]],
  ["a payout fails", "payout", ["Fail, result unclear", "Dispute", "payout failed"], ["Pay it out", "Successful"]],
  [
    "a receiver's details are wrong",
    "payout",
    ["Wrong details", "Dispute", "wrong requisites"],
    ["Reject it", "Declined"],
  ],
  ["a bank never answers", "payout", ["Never answer", "Dispute", "no result in time"], ["Pay it out", "Successful"]],
  ["a payout comes back", "payout", ["Pay it out", "Successful"], ["The money comes back", UNSEEN]],
];

/** One of each kind; the others in `npm run test:stress`. */
const WALKED = sizeOf({ short: WALKS.slice(0, 3), long: WALKS.slice(3) });

describe.skipIf(browser.isMissing)("the desk of development mode", () => {
  it("drives pay-ins, cards and payouts to their ends", { timeout: 600_000 }, async () => {
    const { page, troubles } = await browser.open({ width: 1440 });
    await page.goto(`${service.url()}/sandbox`);
    const { make, press, says } = useDeskOf(page);
    for (const [what, order, ...steps] of WALKED) {
      const card = await make(order);
      for (const [button, ...words] of steps) {
        await press(card, button);
        await says(card, ...words).catch((error) => expect.fail(`${what}, ${button}: ${error}`));
        // Where the button is gone, the next key is pressed on its payment.
        await expect
          .poll(() => page.evaluate("document.activeElement.closest('article') !== null"), {
            timeout: 10_000,
            message: `the focus after ${what}, ${button}`,
          })
          .toBe(true);
      }
    }
    expect(troubles).toEqual([]);
  });

  longIt("shows each callback with its verification, and answers as it is told", async () => {
    const { page, troubles } = await browser.open({ width: 390 });
    await page.goto(`${service.url()}/sandbox`);
    const { make, press, says } = useDeskOf(page);
    await page.getByText("No fault is ordered").waitFor();
    await page.getByLabel("The endpoint answers").selectOption("fail_once");
    await page.getByText("The next callback is answered so.").waitFor();
    const card = await make("card_transfer");
    const paymentId = ((await card.getByRole("heading").textContent()) ?? "").trim();
    const callbacks = page.getByRole("list", { name: "Callbacks" });
    await callbacks.getByText(/^answered 500/).waitFor();
    await press(card, "It arrives");
    await says(card, "Successful");
    const succeeded = callbacks
      .getByRole("listitem")
      .filter({ hasText: "payin.success" })
      .filter({ hasText: paymentId });
    await succeeded.getByText("Genuine", { exact: true }).waitFor();
    await succeeded.locator("summary").click();
    await succeeded.getByText("Standard Webhooks signature").waitFor();
    expect(await succeeded.locator(".check").allTextContents()).toHaveLength(7);
    await succeeded
      .getByRole("region", { name: /^Headers/ })
      .getByText(/webhook-signature: v1,/)
      .waitFor();
    await succeeded.getByRole("region", { name: /^Body/ }).getByText(`"payment_id": "${paymentId}"`).waitFor();
    // A stranger who knows the address.
    const url = await page.locator(".echo-url code").textContent();
    await fetch(url ?? "", { method: "POST", body: EVIL, headers: { "content-type": "text/plain" } });
    const foreign = callbacks.getByRole("listitem").filter({ hasText: "Unknown event" });
    await foreign.getByText("Not genuine").waitFor();
    await foreign.locator("summary").click();
    await foreign.getByRole("region", { name: /^Body/ }).getByText(EVIL).waitFor();
    await look(page);
    await page.getByRole("button", { name: "Send this project's callbacks here" }).click();
    await page.getByText("The project's callbacks go to this endpoint now.").waitFor();
    expect(await projectUrl(service.sandbox().project_id)).toBe(url);
    const isLogged = (name: string) => service.logLines().some((line) => line.includes(`"/sandbox/desk/api/${name}"`));
    // What the page asks each second is not.
    expect(["act", "payments", "callbacks", "faults/list"].map(isLogged)).toEqual([true, false, false, false]);
    expect(troubles).toEqual([]);
  });

  longIt("moves the clock, lets any sum arrive, orders faults and clears them, in both languages", async () => {
    const { page, troubles } = await browser.open({ width: 1440 });
    await page.goto(`${service.url()}/sandbox`);
    const { make, press, says } = useDeskOf(page);
    await page.getByLabel("What happens").selectOption("error500_after_success");
    await page.getByLabel("To which call").selectOption("create");
    await page.getByRole("button", { name: "Order it" }).click();
    await page.getByText("times left: 1").waitFor();
    // The provider made the request, and its answer is lost: it is found again under the same reference.
    const lost = await make("card_transfer");
    await says(lost, "awaiting the payer");
    await page.getByText("No fault is ordered").waitFor();
    await page.getByLabel("How often").selectOption("always");
    await page.getByLabel("What happens").selectOption("wrong_amount");
    await page.getByRole("button", { name: "Order it" }).click();
    await page.getByRole("button", { name: "Clear all faults" }).click();
    await page.getByText("No fault is ordered").waitFor();
    await press(lost, "Another amount …");
    await page.getByRole("dialog").getByLabel("Amount, RUB").fill("12,5x");
    await page.getByRole("dialog").getByRole("button", { name: "Send it" }).click();
    await page.getByText("Write the amount as 1500 or 1500.50.").waitFor();
    await page.getByRole("dialog").getByLabel("Amount, RUB").fill("12.50");
    await page.getByRole("dialog").getByRole("button", { name: "Send it" }).click();
    await says(lost, "another amount", "RUB 12.50");
    const waiting = await make("card_transfer");
    await press(waiting, "Clock to expiry");
    await says(waiting, "not paid in time");
    await page.getByRole("button", { name: "+1 day" }).click();
    await page.getByText("Moved: +1 day.").waitFor();
    await says(waiting, "Declined");
    await page.getByRole("button", { name: "Русский" }).click();
    await atStep(page, "Песочница");
    await page.getByRole("button", { name: "Создать тестовый платёж" }).click();
    await page.getByText("Вызов API").click();
    await look(page);
    expect(troubles).toEqual([]);
  });
});

describe.skipIf(browser.isMissing)("the desk in the account", () => {
  let developer: TestMember;
  let live: Id;
  beforeAll(async () => {
    const merchantId = service.sandbox().merchant_id as Id;
    developer = await aMember(db, merchantId, "developer");
    await aProject(db, "test", merchantId);
    live = (await aProject(db, "live", merchantId)).projectId;
    await service.settled();
  });

  longIt("is of the merchant's test projects, and not of its live ones", async () => {
    const { page, troubles } = await openAs(developer, `/sandbox?project=${live}`, { steppedUp: true });
    await page.getByText("Choose a test project").waitFor();
    const choices = page.getByRole("main").getByRole("link");
    expect(await choices.allTextContents()).toEqual(expect.arrayContaining(["Sandbox project", "Web"]));
    expect(await choices.count()).toBe(2);
    await choices.filter({ hasText: "Sandbox project" }).click();
    const { make, press, says } = useDeskOf(page);
    const card = await make("card_transfer");
    await press(card, "It arrives");
    await says(card, "Successful");
    await page.getByText("payin.success").first().waitFor();
    // The parts are those of the page above, which is judged there.
    await expectAccessibleToo(page);
    expect(await scrollsSideways(page)).toBe(false);
    await page.getByRole("button", { name: "Send this project's callbacks here" }).click();
    await page.getByText("The project's callbacks go to this endpoint now.").waitFor();
    expect(troubles).toEqual([]);
  });

  shortIt("says what the API refuses, and shows nothing of another project", async () => {
    const { page, troubles } = await openAs(developer, "/sandbox");
    await page.getByRole("main").getByRole("link", { name: "Web" }).click();
    await page.getByText("No payment is waiting").waitFor();
    await page.getByRole("button", { name: "Make a test payment" }).click();
    await page.getByRole("button", { name: "Make it" }).click();
    await page.getByRole("alert").getByText("The API refused it").waitFor();
    expect(troubles).toEqual([]);
  });
});

describe("calls that the desk makes for its tester", () => {
  const BODY = {
    general: { payment_id: "tester-1" },
    payment: { method: "card-p2p", amount: 100_000, currency: "RUB" },
    customer: { id: "tester", ip_address: "203.0.113.7" },
  };
  const PATH = "/api/v1/payment/p2p/payin";

  shortIt("are judged by the API's own rules, and are only those that a tester needs", async () => {
    const ask = async (path: string, body: object, origin = service.url()) => {
      const headers = { "content-type": "application/json", origin };
      const answer = await fetch(`${service.url()}/sandbox/desk/api/call`, {
        ...{ method: "POST", headers, body: JSON.stringify({ path, body }) },
      });
      return (await answer.json()) as { status?: number; code?: string; answer?: { code?: string; status?: string } };
    };
    expect(await ask(PATH, BODY)).toMatchObject({ status: 200, answer: { status: "processing" } });
    const wrong = { ...BODY, payment: { ...BODY.payment, amount: -1 } };
    expect(await ask(PATH, wrong)).toMatchObject({ status: 400, answer: { code: "validation_failed" } });
    expect(await ask("/api/v1/balance/info", {})).toMatchObject({ status: 404, answer: { code: "not_found" } });
    expect(await ask(PATH, BODY, "https://evil.example")).toMatchObject({ code: "project_forbidden" });
  });

  shortIt("reach neither live projects nor those of another merchant", async () => {
    const own = await aProject(db, "live");
    const { projectId: foreign } = await aProject(db, "test");
    const { token } = await sessionOf(db, await aMember(db, own.merchantId, "owner"));
    await service.settled();
    const { post } = openAccountClient(service.url(), token);
    const statusFor = async (project_id: string) => {
      const reply = await post("sandbox/call", { general: { project_id }, path: PATH, body: BODY });
      return [reply.status, reply.json.error?.code];
    };
    expect(await statusFor(own.projectId)).toEqual([403, "forbidden"]);
    expect(await statusFor(foreign)).toEqual([404, "not_found"]);
    const made = await db.run({
      text: "select from payments where payment_id = $1 and project_id = any($2)",
      values: ["tester-1", [own.projectId, foreign]],
    });
    expect(made).toEqual([]);
  });
});

shortIt("is not there in production", async () => {
  const { localUrl: url } = await service.startSibling({}, "api");
  const paths = ["/sandbox", "/sandbox/desk/assets/desk.js", "/sandbox/desk/api/payments", "/sandbox/desk/api/call"];
  const answers = await Promise.all(
    paths.map((path) => fetch(url + path, { method: path.includes("api") ? "POST" : "GET" })),
  );
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});

async function projectUrl(projectId: string): Promise<string | null> {
  const rows = await db.run<{ url: string | null }>({
    text: "select callback_url as url from projects where id = $1",
    values: [projectId],
  });
  return rows[0]?.url ?? null;
}
