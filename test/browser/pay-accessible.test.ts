import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { scrollsSideways, useTestBrowser } from "../../src/testing/browser/browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { longIt, shortIt, variants } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import {
  atStep,
  chooseMethod,
  expectAccessibleInBothThemes,
  fillCard,
  type PayOrder,
  sayPaid,
  speak,
  usePayShop,
} from "./pay-shop.ts";

const database = useTestDatabase();
const service = useTestService(database);
const shop = usePayShop(database, service, { payerAttempts: 1 });
const browser = useTestBrowser();

/** Amounts that the sandbox knows: nobody sends it, and another amount arrives. */
const NEVER_SENT = 250_002;
const ANOTHER_AMOUNT = 250_003;
const CHALLENGED = "4000000000003220";
const FINGER_PX = 44;

/** One state of the page, in both themes: what axe can judge, and what a phone and a finger need. */
async function look(page: Page): Promise<void> {
  await expectAccessibleInBothThemes(page);
  expect(await scrollsSideways(page)).toBe(false);
  expect(await tooSmall(page)).toEqual([]);
}

/** What can be pressed and is smaller than a finger. */
function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll("a, button, select, input:not([type=radio]), .choice")]
    .filter((each) => each.checkVisibility())
    .filter((each) => Math.min(each.getBoundingClientRect().width, each.getBoundingClientRect().height) < ${FINGER_PX})
    .map((each) => each.outerHTML)`);
}

async function openPayment(order: PayOrder = {}): Promise<Page> {
  const made = await shop.create(order);
  const { page } = await browser.open({ width: 320 });
  await page.goto(made.url);
  await atStep(page, "How would you like to pay?");
  return page;
}

async function openTransfer(order: PayOrder = {}): Promise<Page> {
  const page = await openPayment(order);
  await chooseMethod(page, /Card transfer/);
  await atStep(page, "Make the transfer");
  return page;
}

async function openCardForm(): Promise<Page> {
  const page = await openPayment();
  await chooseMethod(page, /Bank card/);
  await atStep(page, "Pay by card");
  return page;
}

describe.skipIf(browser.isMissing)("no rule of WCAG is broken, in light and in dark,", () => {
  it("while the payer chooses how, and from which bank", async () => {
    const page = await openPayment({ payment: { description: "Two tickets" } });
    await look(page);
    await page.getByRole("button", { name: "Cancel the payment" }).click();
    await look(page);
    await page.getByRole("button", { name: "Keep it" }).click();
    await chooseMethod(page, /Fast payments system/);
    await look(page);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Choose your bank from the list.").waitFor();
    await look(page);
    await page.getByLabel("Search for your bank").fill("no such bank");
    await page.getByText("No bank has this name.").waitFor();
    await look(page);
  });

  it("while requisites are awaited, and when they are there", async () => {
    const page = await openPayment();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    // What the server says next does not arrive.
    await page.route(/\/(events|state)$/, (route) => route.abort());
    await chooseMethod(page, /Card transfer/);
    await atStep(page, "One moment");
    await look(page);
    const motion = () => page.evaluate(`getComputedStyle(document.querySelector(".spinner")).animationName`);
    expect(await motion()).toBe("turn");
    await page.emulateMedia({ reducedMotion: "reduce" });
    expect(await motion()).toBe("breathe");
    await page.unrouteAll();
    await page.reload();
    await atStep(page, "Make the transfer");
    await look(page);
    await page.getByRole("button", { name: "Copy: Card number" }).click();
    await page.getByRole("status").getByText("Copied").waitFor();
    await look(page);
    for (const [open, answer] of [
      ["I have paid", "Not yet"],
      ["Cancel the payment", "Keep it"],
    ] as const) {
      await page.getByRole("button", { name: open }).click();
      await look(page);
      await page.getByRole("button", { name: answer }).click();
    }
    await sayPaid(page);
    await atStep(page, "Payment received");
    await look(page);
  });

  longIt("with a code for a link", async () => {
    const page = await openPayment({ currency: "KGS", amount: 100_000 });
    await chooseMethod(page, /QR code/);
    await page.getByRole("img", { name: "QR code of the payment link" }).waitFor();
    await look(page);
  });

  it("with a card, its mistakes, its refusal and its bank", async () => {
    const page = await openCardForm();
    await look(page);
    await page.getByRole("button", { name: /^Pay / }).click();
    await page.getByText("Type in the security code.").waitFor();
    await look(page);
    await fillCard(page, "4000056655665556");
    await page.getByRole("button", { name: /^Pay / }).click();
    await page.getByRole("alert").getByText("This card was not accepted.").waitFor();
    await look(page);
    await page.getByLabel("Card number").fill(CHALLENGED);
    await page.getByLabel("Security code").fill("987");
    await page.getByRole("button", { name: /^Pay / }).click();
    await atStep(page, "Confirm with your bank");
    await look(page);
    await page.frameLocator("iframe").getByRole("button", { name: "Cancel" }).click();
    await atStep(page, "The payment was not made");
    await look(page);
  });

  longIt("when another amount came, when the money is awaited, and when the time is over", async () => {
    const wrong = await openTransfer({ amount: ANOTHER_AMOUNT });
    await sayPaid(wrong);
    await atStep(wrong, "Your payment needs a closer look");
    await look(wrong);
    const awaited = await openTransfer({ amount: NEVER_SENT });
    await sayPaid(awaited);
    await atStep(awaited, "Checking your payment");
    await look(awaited);
    const late = await openTransfer({ amount: NEVER_SENT });
    await shop.moveClock(901);
    await atStep(late, "The time is over");
    await look(late);
  });

  longIt("on a link that opens nothing, in the demo shop, and in the modal with its question", async () => {
    const { page } = await browser.open({ width: 320 });
    await page.goto(`${service.url()}/pay/unknown`);
    await look(page);
    await page.goto(`${service.url()}/sandbox/shop`);
    await look(page);
    await page.getByRole("button", { name: /without leaving/ }).click();
    await page.frameLocator("iframe").getByRole("heading", { level: 1 }).waitFor();
    await look(page);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByText("The payment is not finished.").waitFor();
    await look(page);
  });

  longIt("without scripts", async () => {
    const made = await shop.create({ payment: { description: "Two tickets" } });
    const { page } = await browser.open({ width: 320 });
    const bare = async () => {
      // As a browser without scripts has it: axe itself needs them.
      const text = (await (await fetch(made.url)).text()).replace(/<script[\s\S]*?<\/script>|<\/?noscript>/g, "");
      await page.route(made.url, (route) => route.fulfill({ contentType: "text/html; charset=utf-8", body: text }));
      await page.goto(made.url);
      await look(page);
    };
    await bare();
    await fetch(`${made.url}/choose`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ method: "payin-p2p-card" }),
    });
    await shop.untilState(made, "processing:awaiting_confirm");
    await page.unrouteAll();
    await bare();
    await page.getByText("Two tickets").waitFor();
    await page.getByText("Pay before").waitFor();
  });
});

describe.skipIf(browser.isMissing)("for those who see or hear it in another way, the page", () => {
  shortIt("fits at twice the size of text", async () => {
    const page = await openTransfer({ payment: { description: "Donaudampfschifffahrtsgesellschaftskapitän" } });
    await page.setViewportSize({ width: 640, height: 800 });
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    expect(await scrollsSideways(page)).toBe(false);
  });

  shortIt("tells of the time that is left twice, not every second", async () => {
    const made = await shop.create();
    const { page } = await browser.open();
    await page.clock.install();
    // The server's clock would stand still beside this one.
    await page.route(/\/(events|state)$/, (route) => route.abort());
    await page.goto(made.url);
    await atStep(page, "How would you like to pay?");
    await page.evaluate(`window.told = [];
      new MutationObserver((all) => all.forEach(({ target }) => {
        const region = (target.nodeType === 3 ? target.parentElement : target)?.closest("[role=status], [role=alert]");
        if (region) told.push(region.textContent);
      })).observe(document.body, { subtree: true, childList: true, characterData: true });`);
    for (let minute = 0; minute < 9; minute += 1) await page.clock.runFor(60_000);
    await page.clock.runFor(30_000);
    expect(await page.getByRole("timer").innerText()).toMatch(/^0:[0-3][0-9]$/);
    // That there is no connection is told too: it was cut above.
    const told = (await page.evaluate("told")) as string[];
    expect(told.filter((text) => / left\.$/.test(text))).toEqual(["5 minutes are left.", "One minute is left."]);
    expect(await page.getByRole("timer").getAttribute("aria-live")).toBe("off");
  });

  it.each(
    variants(
      [[10_000_000_000_000, "RUB", 2]],
      [[10_000_000_000_000, "JPY", 0], [10_000_000_000_000, "KWD", 3] as const],
    ),
  )("shows %i of %s without breaking the number", async (amount, currency, decimals) => {
    const long = { description: "w".repeat(200), order: "9".repeat(64), amount, currency, decimals };
    const made = await shop.create();
    const { page } = await browser.open({ width: 320 });
    // No method of the sandbox takes as much, so the server's answer is made larger on its way.
    await page.route(made.url, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/(id="view"[^>]*>)([^<]*)/, (_all, head, json) => {
        return head + JSON.stringify({ ...JSON.parse(json), ...long });
      });
      await route.fulfill({ response, body });
    });
    await page.route(/\/(events|state)$/, (route) => route.abort());
    for (const language of ["en", "ru"]) {
      await page.goto(made.url);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await speak(page, language);
      const lines = await page.evaluate(`(() => {
        const text = document.querySelector(".sum").firstChild;
        const range = document.createRange();
        const digits = [...text.data.matchAll(/[0-9]/g)].map(({ index }) => index);
        range.setStart(text, digits[0]);
        range.setEnd(text, digits.at(-1) + 1);
        return range.getClientRects().length;
      })()`);
      expect([language, lines, await scrollsSideways(page)]).toEqual([language, 1, false]);
    }
  });
});
