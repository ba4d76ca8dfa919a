import type { Page } from "playwright-core";

/** Steps of the payment page that a test looks at without making their payments: the page is told the step that it draws. */
export type ShownStep =
  | "choose"
  | "bank"
  | "card"
  | "prepare"
  | "transfer"
  | "link"
  | "overdue"
  | "challenge"
  | "check"
  | "attention"
  | "success"
  | "decline";

const RECEIVER = { holder: "OLGA SERGEEVA", bank: "sberbank", bank_name: "Sberbank" };

/** What differs from the view of a payment whose payer has yet to choose. */
const VIEWS: Readonly<Record<ShownStep, object>> = {
  choose: {},
  bank: {},
  card: {},
  prepare: { step: "prepare", actions: [] },
  transfer: {
    step: "transfer",
    actions: ["confirm", "cancel"],
    requisites: { type: "card", pan: "2200123456789019", ...RECEIVER },
  },
  link: {
    step: "transfer",
    actions: ["confirm", "cancel"],
    requisites: { type: "link", url: "https://bank.example/pay/1234567890", ...RECEIVER },
  },
  overdue: { step: "overdue", actions: ["confirm"] },
  challenge: { step: "challenge", actions: [], challenge_url: "about:blank", challenge_in_frame: false },
  check: { step: "check", actions: [] },
  attention: { step: "attention", actions: [], sub_status: "different_amount" },
  success: {
    ...{ step: "success", actions: [], status: "success", sub_status: null, until: null },
    receipt: {
      ...{ paid_at: "2026-11-16T10:00:00.000Z", amount: 250000, request_id: "01a1e3efc35a7e7dad1bfefa187b7cac" },
      card: { brand: "visa", last4: "4242" },
    },
  },
  decline: { step: "decline", actions: [], decline_code: "provider_declined", sub_status: null, until: null },
};

/** Whose own screen is open. */
const METHODS: Partial<Record<ShownStep, string>> = { bank: "payin-p2p-sbp", card: "payin-ecom-card" };

export async function showStep(page: Page, url: string, step: ShownStep): Promise<void> {
  await page.route(url, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/(id="view"[^>]*>)([^<]*)/, (_all, head, json) => {
      return head + JSON.stringify({ ...JSON.parse(json), ...VIEWS[step] });
    });
    await route.fulfill({ response, body });
  });
  await page.route(/\/(events|state)$/, (route) => route.abort());
  await page.goto(url);
  await page.locator("select.language").waitFor();
  const method = METHODS[step];
  if (method === undefined) return;
  await page.locator(`input[value="${method}"]`).check();
  await page.locator("button.primary").click();
  await page.locator(`input[value="${method}"]`).waitFor({ state: "detached" });
  // The mistakes that a form shows are texts too.
  await page.locator("button.primary").click();
}

/** Texts that are wider than what holds them, or that lie outside the window. What only screen readers get is left out. */
export function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const cut = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { currentNode: text } = walker;
      const holder = text.parentElement;
      if (text.data.trim() === "" || !holder.checkVisibility() || holder.closest(".unseen, .receipt h2, script, select, .shop-name")) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const isOutside = [...range.getClientRects()].some(({ left, right }) => left < -0.5 || right > innerWidth + 0.5);
      const box = holder.closest("button, a, label, legend, p, li, dt, dd, h1, h2, header, footer") ?? holder;
      const inner = box.getBoundingClientRect();
      const isWider = [...range.getClientRects()].some(({ left, right }) => left < inner.left - 1 || right > inner.right + 1);
      if (isOutside || isWider) cut.push(text.data.trim());
    }
    const select = document.querySelector("select.language");
    if (select.scrollWidth > select.clientWidth + 1) cut.push("the menu of languages");
    return cut;
  })()`);
}
