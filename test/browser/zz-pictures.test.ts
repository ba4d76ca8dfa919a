import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, it } from "vitest";
import { configureProject } from "../../src/app/merchants/merchants.ts";
import { sealReceiver, sealRequisites } from "../../src/app/payments/payment-secrets.ts";
import { invite } from "../../src/app/people/invite.ts";
import { saveRequireSecondFactor } from "../../src/store/people/merchant-security.ts";
import { aMember, TEST_PASSWORD, type TestMember } from "../../src/testing/account-client.ts";
import { useTestBrowser } from "../../src/testing/browser/browser.ts";
import { aCallback } from "../../src/testing/builders/callbacks.ts";
import { aPayin, aPayout, ISSUED, receive } from "../../src/testing/builders/payments.ts";
import { aProject, rsaKeyOf } from "../../src/testing/builders/projects.ts";
import { aReportWorld, type ReportWorld } from "../../src/testing/builders/report-world.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { serviceKeyring } from "../../src/testing/service/service-keyring.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { useAccountWindows } from "./account-window.ts";
import { atStep } from "./pay-shop.ts";

const database = useTestDatabase();
const service = useTestService(database, {}, "api");
const browser = useTestBrowser();
const { openAs, openOutside } = useAccountWindows(database, service, browser);
const { db } = database;
const OUT = "/tmp/pics/settings";
const ONLY = process.env.PICS?.split(",");
let world: ReportWorld;
let owner: TestMember;
let payin = "";
let payout = "";

beforeAll(async () => {
  mkdirSync(OUT, { recursive: true });
  world = await aReportWorld(db, 400);
  const { merchantId } = world;
  await db.run({
    text: "update merchants set name = 'Samovar and Daughters Trading House' where id = $1",
    values: [merchantId],
  });
  await db.run({
    text: "update projects set name = 'Teapots, samovars and tableware' where id = $1",
    values: [world.live],
  });
  await db.run({ text: "update projects set name = 'Integration playground' where id = $1", values: [world.test] });
  owner = await aMember(db, merchantId, "owner");
  const people = [
    ["Anna Konstantinopolskaya", "accountant"],
    ["Dmitry Orlov", "developer"],
    ["Wei Li", "viewer"],
  ] as const;
  for (const [name, role] of people) {
    const m = await aMember(db, merchantId, role);
    await db.run({
      text: "update people set name = $2, email = $3 where id = $1",
      values: [m.personId, name, `${name.toLowerCase().replaceAll(" ", ".")}@samovar-and-daughters.example`],
    });
  }
  await db.run({
    text: "update people set name = 'Olga Sergeeva', email = 'olga@samovar-and-daughters.example' where id = $1",
    values: [owner.personId],
  });
  const actor = {
    kind: "person",
    id: owner.personId,
    name: "olga@samovar-and-daughters.example",
    address: "192.0.2.17",
  } as const;
  await invite(db, {
    merchantId,
    email: "new.person@samovar-and-daughters.example",
    role: "viewer",
    actor,
    now: new Date(),
  });
  const keyring = await serviceKeyring(db, service);
  const made = await aPayin(db, ISSUED, { projectId: world.live, paymentId: "order-2026-11-16-000017" });
  payin = made.requestId;
  await receive(db, made, 1000);
  await db.run({
    text: "update payments set requisites = $2, request = request || $3::jsonb where request_id = $1",
    values: [
      payin,
      sealRequisites(keyring, made.requestId, {
        type: "card",
        value: "2200000000000004",
        holder: "OLGA S",
        bank: "sberbank",
        bankName: "Sberbank",
      }),
      JSON.stringify({ description: "Samovar, 5 litres, brass, with engraving" }),
    ],
  });
  await aCallback(db, world.live, {
    requestId: made.requestId,
    sequence: 9,
    state: "dead",
    attempts: [500, "timeout", 502],
    answer: "<html><body>Bad gateway</body></html>",
  });
  const out = await aPayout(db, ["claimed", "approved"], { projectId: world.live, paymentId: "refund-000017" });
  payout = out.requestId;
  await db.run({
    text: "update payments set receiver = $2 where request_id = $1",
    values: [payout, sealReceiver(keyring, out.requestId, { type: "phone", phone: "+79001234567", bank: "sberbank" })],
  });
  await rsaKeyOf(db, { merchantId, projectId: world.live, book: "live" }).then((key) =>
    db.run({
      text: "update api_keys set label='Production server', not_after = now() + interval '5 days' where id=$1",
      values: [key.id],
    }),
  );
  await configureProject(db, world.live, {
    settings: {
      accent: "#0b6b58",
      widgetOrigins: ["https://shop.example", "https://www.samovar-and-daughters.example"],
    },
  });
  await service.settled();
});

async function shoot(page: Page, name: string): Promise<void> {
  if (ONLY !== undefined && !ONLY.some((each) => name.includes(each))) return;
  for (const width of [390, 1440] as const)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.waitForTimeout(200);
      const tall = Number(await page.evaluate("document.documentElement.scrollHeight"));
      await page.setViewportSize({ width, height: Math.max(width === 390 ? 844 : 900, Math.min(tall, 2400)) });
      await page.waitForTimeout(100);
      await page.screenshot({ path: `${OUT}/${name}-${width}-${colorScheme}.png` });
    }
}
const go = async (page: Page, path: string, heading: string) => {
  await page.goto(`${service.url()}/account${path}`);
  await atStep(page, heading);
  for (let n = 0; n < 100 && (await page.locator(".loading, .is-stale").count()) > 0; n += 1) await page.waitForTimeout(50);
};

it("pictures", { timeout: 600_000 }, async () => {
  const outside = (await openOutside("")).page;
  await atStep(outside, "Sign in");
  await shoot(outside, "sign-in");
  await outside.getByLabel("E-mail").fill("a@b.example");
  await outside.getByLabel("Password", { exact: true }).fill("wrong");
  await outside.getByRole("button", { name: "Sign in" }).click();
  await outside.getByRole("alert").waitFor();
  await shoot(outside, "sign-in-wrong");
  await go(outside, "/forgot", "Reset your password");
  await shoot(outside, "forgot");
  const invited = await invite(db, {
    merchantId: world.merchantId,
    email: "other@samovar.example",
    role: "accountant",
    actor: { kind: "operator", name: "x" },
    now: new Date(),
  });
  await outside.goto("about:blank");
  await outside.goto(`${service.url()}/account/invitation#${invited.ok ? invited.value.token.reveal() : ""}`);
  await atStep(outside, /Join/);
  await shoot(outside, "invitation");
  const { page } = await openAs(owner, "?days=30", { steppedUp: false });
  await atStep(page, "Overview");
  await page.getByRole("img").first().waitFor();
  await shoot(page, "overview");
  await go(page, `?days=30&project=${world.test}`, "Overview");
  await shoot(page, "overview-test");
  await go(page, "/payments", "Payments");
  await shoot(page, "payments");
  await page.getByRole("button", { name: "More filters" }).click();
  await shoot(page, "payments-filters");
  await go(page, "/payments?q=nothing-like-this", "Payments");
  await shoot(page, "payments-none");
  await go(page, "/payouts", "Payouts");
  await shoot(page, "payouts");
  await go(page, `/payments/${payin}`, "Payment");
  await page.locator("summary").first().click();
  await shoot(page, "payment");
  await page.getByRole("button", { name: "Show in full" }).click();
  await page.getByRole("dialog").waitFor();
  await shoot(page, "step-up");
  await page.getByRole("dialog").getByLabel("Your password").fill(TEST_PASSWORD);
  await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
  await page.getByText("2200000000000004").waitFor();
  await shoot(page, "payment-revealed");
  await go(page, `/payouts/${payout}`, "Payout");
  await shoot(page, "payout");
  await go(page, `/balance?project=${world.live}`, "Balance");
  await shoot(page, "balance");
  await go(page, `/balance?project=${world.live}&view=register`, "Balance");
  await shoot(page, "register");
  await go(page, "/settings", "Settings");
  await shoot(page, "settings-projects");
  await go(page, `/settings?project=${world.live}`, "Settings");
  await page.frameLocator("iframe").getByText("Teapots").waitFor();
  await shoot(page, "settings");
  await page.getByRole("radio", { name: "Desktop" }).check();
  await page.getByRole("radio", { name: "Dark" }).check();
  await shoot(page, "settings-desktop");
  await go(page, `/settings?project=${world.test}`, "Settings");
  await shoot(page, "settings-test");
  await go(page, "/team", "Team");
  await shoot(page, "team");
  await page.getByRole("button", { name: "Invite a person" }).click();
  await shoot(page, "team-invite");
  await go(page, "/security", "Security");
  await shoot(page, "security");
  await page.getByRole("button", { name: "Set up the app" }).click();
  await page.getByLabel("Code that the app shows").waitFor();
  await shoot(page, "security-app");
  await go(page, "/audit", "Audit log");
  await shoot(page, "audit");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "More" }).click();
  if (ONLY === undefined || ONLY.includes("menu"))
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${OUT}/menu-390-${colorScheme}.png` });
    }
  await page.getByRole("button", { name: "Русский" }).click();
  await go(page, `/settings?project=${world.live}`, "Настройки");
  await shoot(page, "ru-settings");
  await go(page, `/payments`, "Платежи");
  await shoot(page, "ru-payments");
  const fresh = await aProject(db, "test");
  const newcomer = await aMember(db, fresh.merchantId, "owner");
  await service.settled();
  const empty = (await openAs(newcomer, "")).page;
  await empty.evaluate("localStorage.clear()");
  await db.run({ text: "update people set language='en'" });
  for (const [path, heading, name] of [
    ["", "Overview", "empty-overview"],
    ["/payments", "Payments", "empty-payments"],
    ["/balance", "Balance", "empty-balance"],
    ["/settings", "Settings", "empty-settings"],
  ] as const) {
    await go(empty, path, heading);
    await shoot(empty, name);
  }
  await db.transaction((tx) => saveRequireSecondFactor(tx, fresh.merchantId, true));
  await go(empty, "", "Protect your account");
  await shoot(empty, "must-set-factor");
});
