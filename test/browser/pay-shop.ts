import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { FrameLocator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, vi } from "vitest";
import { credentialsFromSandboxFile, signRequest } from "../../sdk/src/index.ts";
import { moveClock } from "../../src/app/payments/move-clock.ts";
import { resolveMasterKeys } from "../../src/app/processes/master-keys.ts";
import { openKeyring } from "../../src/app/processes/open-keyring.ts";
import { SANDBOX_URL_SETTING, sandboxSecret } from "../../src/compose-sandbox.ts";
import { type ChargeWish, openSandboxControl, type SandboxControl } from "../../src/connectors/sandbox/control.ts";
import type { Id } from "../../src/core/ids.ts";
import { findPayment } from "../../src/store/payments/payments.ts";
import { findSetting } from "../../src/store/processes/settings.ts";
import type { TestDatabase } from "../../src/testing/database/test-database.ts";
import { sizeOf } from "../../src/testing/run/run-form.ts";
import type { TestService } from "../../src/testing/service/test-service.ts";

/** A merchant who sends payers to the hosted page, over real HTTP. */
export type PayOrder = {
  readonly paymentId?: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly general?: object;
  readonly payment?: object;
  readonly customer?: object;
};

export type Made = { readonly url: string; readonly paymentId: string };

const PAYIN = "/api/v1/widget/payin";

export type PayShopOptions = {
  /** How often a payer may choose; absent: as often as a new project lets them. 1: a declined card ends the payment. */
  readonly payerAttempts?: number;
};

export function usePayShop({ db }: TestDatabase, service: TestService, { payerAttempts }: PayShopOptions = {}) {
  let counted = 0;
  let control: SandboxControl;
  beforeAll(async () => {
    const settings = { masterKey: undefined, previousMasterKey: undefined, stateDir: service.stateDir };
    const masters = resolveMasterKeys(settings);
    const keyring = masters.ok ? await openKeyring(db, masters.value) : masters;
    if (!keyring.ok) throw new Error(String(keyring.error));
    const baseUrl = () => db.transaction((tx) => findSetting(tx, SANDBOX_URL_SETTING));
    control = openSandboxControl({ baseUrl, secret: sandboxSecret(keyring.value), timeoutMs: 10_000 });
    if (payerAttempts === undefined) return;
    await db.run({ text: "update projects set payer_attempts = $1", values: [payerAttempts] });
    await service.settled();
  });
  afterAll(() => control.close());

  const projectId = () => service.sandbox().project_id as Id;

  async function ask(path: string, body: object): Promise<{ status: number; json: Record<string, unknown> }> {
    const rawBody = JSON.stringify(body);
    const credentials = credentialsFromSandboxFile(service.sandbox());
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = signRequest({ credentials, path, rawBody, timestamp });
    const answer = await fetch(service.url() + path, { method: "POST", headers, body: rawBody });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  }

  async function create(order: PayOrder = {}): Promise<Made> {
    counted += 1;
    const { paymentId = `order-${counted}`, amount = 250_000, currency = "RUB" } = order;
    const { status, json } = await ask(PAYIN, {
      general: {
        project_id: projectId(),
        payment_id: paymentId,
        redirect_url: `${service.url()}/docs`,
        ...order.general,
      },
      payment: { amount, currency, ...order.payment },
      customer: { id: `customer-${counted}`, ...order.customer },
    });
    expect([status, json.code]).toEqual([200, undefined]);
    return { url: (json.integration as { form_url: string }).form_url, paymentId };
  }

  async function tell(call: "info" | "confirm" | "cancel", paymentId: string) {
    return ask(`${PAYIN}/${call}`, { general: { project_id: projectId(), payment_id: paymentId } });
  }

  async function stateOf(paymentId: string): Promise<string> {
    const { json } = await tell("info", paymentId);
    const detail = json.decline_code ?? json.sub_status;
    return detail === null ? String(json.status) : `${json.status}:${detail}`;
  }

  return {
    create,
    ask,
    tell,
    projectId,
    stateOf,
    untilState: ({ paymentId }: Made, state: string) =>
      vi.waitFor(async () => expect(await stateOf(paymentId)).toBe(state), { timeout: 60_000, interval: 50 }),
    /** What the acquirer was told of the browser that a card was paid with. */
    toldBrowser: async ({ paymentId }: Made) => {
      const { json } = await tell("info", paymentId);
      const payment = await findPayment(db, projectId(), json.request_id as Id);
      return control.findBrowser(payment?.reference ?? "");
    },
    /** What the next charge does otherwise than its card says. */
    wish: async (kind: ChargeWish) => expect(await control.addFault({ projectId: projectId(), kind })).toBe(true),
    moveClock: async (seconds: number) => {
      const moved = await moveClock({ db, moveSandboxClock: control.moveClock }, projectId(), seconds);
      expect(moved).toMatchObject({ ok: true });
    },
  };
}

/** The step that is shown, by its heading. */
export async function atStep(page: Page, heading: string | RegExp): Promise<void> {
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
}

/** Switches the page's language by its menu. */
export async function speak(page: Page | FrameLocator, language: string): Promise<void> {
  await page.locator("select.language").selectOption(language);
}

export async function chooseMethod(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("radio", { name }).check();
  await page.getByRole("button", { name: /^(Continue|Продолжить)$/ }).click();
}

export async function fillCard(page: Page, pan: string): Promise<void> {
  await page.getByLabel("Card number").pressSequentially(pan);
  await page.getByLabel("Valid until").pressSequentially("1241");
  await page.getByLabel("Security code").fill("987");
  await page.getByLabel("Name on the card").fill("Olga Sergeeva");
}

export async function sayPaid(page: Page): Promise<void> {
  await page.getByRole("button", { name: "I have paid" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Yes, it is sent" }).click();
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Of those, what axe counts as rules of colour (`cat.color`). */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** No rule of WCAG that a program can judge is broken. The issuer's frame is not ours. */
export async function expectAccessible(page: Page, rules: "all" | "colours" = "all", within = "html"): Promise<void> {
  // Sent once for each document: it is half a megabyte.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE);
  const runOnly = rules === "all" ? TAGS : { type: "rule", values: COLOUR_RULES };
  const found = await page.evaluate(
    `axe.run(${JSON.stringify(within)}, { iframes: false, resultTypes: ["violations"], runOnly: ${JSON.stringify(runOnly)} })
       .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`,
  );
  expect(String(found)).toBe("");
}

/** A state that another test judges: again only in `npm run test:stress`, since the first run in a document takes 0.35 s of processor time. */
export async function expectAccessibleToo(page: Page): Promise<void> {
  if (inject("form") === "long") await expectAccessible(page);
}

/** The same document in both themes: in `npm test`, what other colours can break is judged in the second. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page, sizeOf({ short: "colours", long: "all" }));
}
