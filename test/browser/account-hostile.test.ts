import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invite } from "../../src/app/people/invite.ts";
import { type Notice, renderNotice } from "../../src/app/people/notices.ts";
import { parseCsv } from "../../src/core/csv.ts";
import { aMember, openAccountClient, sessionOf, TEST_PASSWORD } from "../../src/testing/account-client.ts";
import { useTestBrowser } from "../../src/testing/browser/browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { openSmtpServer, type SmtpServer } from "../../src/testing/http/smtp-server.ts";
import { serviceKeyring } from "../../src/testing/service/service-keyring.ts";
import { startForTest, useTestService } from "../../src/testing/service/test-service.ts";
import { useAccountWindows } from "./account-window.ts";
import { HOSTILE_NAME, HOSTILE_SHORT, HOSTILE_TEXTS } from "./hostile-texts.ts";
import { aHostileWorld, type HostileWorld } from "./hostile-world.ts";

/** What merchants, payers and their servers wrote stays text on every screen, in every e-mail and in every file. */
const database = useTestDatabase();
const service = useTestService(database, {}, "api");
const browser = useTestBrowser();
const { openAs } = useAccountWindows(database, service, browser);
const { db } = database;

/** The table of the account's screens, as it is written: a screen that is added is visited without a line here. */
const TABLE = readFileSync(new URL("../../web/account/screens.tsx", import.meta.url), "utf8");
const SCREENS = [...TABLE.matchAll(/name: "(\w+)",\s*path: "([^"]*)"/g)].map(([, name = "", path = ""]) => ({
  name,
  path,
}));
const WITH_ID = [...(/WITH_ID[^=]*= \[([^\]]*)\]/.exec(TABLE)?.[1] ?? "").matchAll(/"(\w+)"/g)].map(([, name]) => name);

let world: HostileWorld;

beforeAll(async () => {
  world = await aHostileWorld(db, await serviceKeyring(db, service));
  await service.settled();
});

/** What the screens of one thing are asked for. A screen of that kind that is added needs its row. */
const IDS: Readonly<Record<string, () => readonly string[]>> = {
  payments: () => [world.payinId, world.cardId],
  payouts: () => [world.payoutId],
  payOut: () => [world.batchId],
};

/** Texts that a screen must show, as they are. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  "": [HOSTILE_NAME],
  payments: [HOSTILE_SHORT, ...HOSTILE_TEXTS],
  payouts: [HOSTILE_SHORT],
  team: [HOSTILE_NAME, `${HOSTILE_NAME.toLowerCase()}@x.y`],
  audit: [HOSTILE_NAME, ...HOSTILE_TEXTS],
  security: [HOSTILE_SHORT],
  settings: [HOSTILE_NAME],
  keys: [HOSTILE_NAME],
  "pay-out": [HOSTILE_NAME],
  log: [`${HOSTILE_SHORT} call`],
};

it("every row of the table of screens is understood here", () => {
  expect(SCREENS.length).toBe([...TABLE.matchAll(/^\s+draw: \(/gm)].length);
  expect(SCREENS.length).toBeGreaterThan(7);
  expect(Object.keys(IDS).sort()).toEqual([...WITH_ID].sort());
  expect(Object.keys(SHOWN).filter((path) => SCREENS.every((screen) => screen.path !== path))).toEqual([]);
});

/** Goes to a screen as a link does, and waits until it has what it asked for. */
async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, "", "/account/${path}"); dispatchEvent(new PopStateEvent("popstate")); undefined`,
  );
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expect.poll(() => page.locator(".loading, .is-stale").count()).toBe(0);
  await page.evaluate(
    `for (const each of document.querySelectorAll("details")) each.open = true;
     for (const each of document.querySelectorAll("main [aria-expanded=false]")) each.click(); undefined`,
  );
}

/** In the page itself: what the texts made of it. */
const MADE = `JSON.stringify([
  document.querySelectorAll("[data-hostile]").length,
  "hostile" in window,
  [...document.querySelectorAll("a[href], iframe[src], img[src], form[action]")]
    .map((each) => each.href ?? each.src ?? each.action)
    .filter((url) => typeof url === "string" && !url.startsWith(location.origin + "/") && !url.startsWith("data:image/")),
])`;

const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();

describe.skipIf(browser.isMissing)("hostile texts", () => {
  it("stay texts on every screen", async () => {
    const { page, troubles } = await openAs(world.owner, "/team", { steppedUp: true });
    const seen: string[] = [];
    page.on("dialog", (dialog) => {
      seen.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.protocol !== "data:" && url.origin !== service.url()) seen.push(`request: ${request.url()}`);
    });
    const places = SCREENS.flatMap(({ name, path }) => [path, ...(IDS[name]?.() ?? []).map((id) => `${path}/${id}`)]);
    for (const place of [
      ...places,
      `settings?project=${world.projectId}`,
      `log?call=${world.callId}`,
      "no-such-screen",
    ]) {
      await visit(page, place);
      expect([place, await page.evaluate(MADE)]).toEqual([place, "[0,false,[]]"]);
      const text = plain(String(await page.evaluate("document.body.textContent")));
      for (const wanted of SHOWN[place] ?? []) expect(text, place).toContain(plain(wanted));
      if (place.startsWith("pay") && place.includes("/")) await reveal(page, place);
    }
    expect(await page.locator(".trouble").count()).toBe(0);
    // This service runs no sandbox, and the desk asks which faults are ordered there.
    const isExpected = (trouble: string) => /404|409|503 \(|503 \/account\/api\/sandbox\/faults/.test(trouble);
    expect([seen, troubles.filter((trouble) => !isExpected(trouble))]).toEqual([[], []]);
  });

  /** The full requisites are another's text too. */
  async function reveal(page: Page, place: string): Promise<void> {
    const button = page.getByRole("button", { name: "Show in full" });
    if ((await button.count()) === 0) return;
    await button.click();
    await page.getByRole("button", { name: "Hide" }).waitFor();
    expect(plain(String(await page.evaluate("document.body.textContent"))), place).toContain(HOSTILE_NAME);
    expect([place, await page.evaluate(MADE)]).toEqual([place, "[0,false,[]]"]);
  }

  it("stay texts before a person is signed in, and in the preview of the payment page", async () => {
    const actor = { kind: "operator", name: "test" } as const;
    const wish = { merchantId: world.merchantId, email: "new@shop.example", role: "viewer", actor } as const;
    const invited = await invite(db, { ...wish, now: new Date() });
    const token = invited.ok ? invited.value.token.reveal() : expect.unreachable();
    const { page, troubles } = await openAs(world.owner, `/invitation#${token}`);
    await page.getByRole("heading", { level: 1, name: HOSTILE_NAME }).waitFor();
    expect(await page.evaluate(MADE)).toBe("[0,false,[]]");
    await page.goto(`${service.url()}/account/settings?project=${world.projectId}`);
    await page.frameLocator("iframe").getByText(HOSTILE_NAME).waitFor();
    const [frame] = page.frames().filter((each) => each.url().endsWith("/account/preview"));
    expect(await frame?.evaluate(MADE)).toBe("[0,false,[]]");
    expect(troubles).toEqual([]);
  });
});

describe("files for tables", () => {
  it.each(["payments.csv?direction=payin", "payments.csv?direction=payout", "statement.csv?currency=RUB"])(
    "%s has no cell that is a formula",
    async (path) => {
      const client = openAccountClient(service.url(), (await sessionOf(db, world.owner)).token);
      const project = path.startsWith("statement") ? `&project=${world.projectId}` : "";
      const { status, json } = await client.get(`${path}${project}`);
      expect(status).toBe(200);
      const parsed = parseCsv(json);
      const cells = parsed.ok ? parsed.value.flatMap(({ fields }) => fields) : expect.unreachable();
      expect(cells.length).toBeGreaterThan(10);
      expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
      if (path.includes("payin")) for (const text of HOSTILE_TEXTS) expect(json).toContain(text.replaceAll('"', '""'));
    },
  );
});

/** One of each kind; a kind that is added does not compile without its row. */
function noticesOf(name: string): Readonly<Record<Notice["kind"], Notice>> {
  const common = { to: "a@shop.example", language: "en", link: "https://pay.example/account#x" } as const;
  const key = {
    keyId: name,
    label: name,
    merchantName: name,
    projectName: name,
    book: "live",
    notAfter: new Date(0),
  } as const;
  return {
    invitation: { ...common, kind: "invitation", merchantName: name, role: "viewer" },
    password_reset: { ...common, kind: "password_reset" },
    new_sign_in: { ...common, kind: "new_sign_in", address: name, browser: name },
    key_expires: { ...common, ...key, kind: "key_expires" },
    payout_approval: { ...common, kind: "payout_approval", merchantName: name, author: name, sums: ["RUB 1.00"] },
  };
}

describe("e-mails", () => {
  it("of every kind have the lines that they have with a plain name, and nothing that turns them around", () => {
    const hostile = noticesOf(`a\r\nBcc: b@evil.example\n\n<b>\u2028\u202e\u2066${HOSTILE_NAME}`);
    for (const plainNotice of Object.values(noticesOf("Shop"))) {
      for (const language of ["en", "ru"] as const) {
        const wanted = renderNotice({ ...plainNotice, language });
        const mail = renderNotice({ ...hostile[plainNotice.kind], language });
        expect(Object.keys(mail).sort()).toEqual(["subject", "text", "to"]);
        expect(mail.text.split("\n").length, mail.text).toBe(wanted.text.split("\n").length);
        expect(`${mail.subject}${mail.text.replaceAll("\n", "")}`).not.toMatch(
          /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u,
        );
      }
    }
  });

  let smtp: SmtpServer;
  let url = "";
  let stop: () => Promise<void> = async () => undefined;
  beforeAll(async () => {
    smtp = await openSmtpServer();
    const env = {
      TILLGATE_DATA_DIR: service.stateDir,
      TILLGATE_SMTP_URL: smtp.url,
      TILLGATE_MAIL_FROM: "a@shop.example",
    };
    ({ url, stop } = await startForTest(database.url, env, { role: "api" }));
  });
  afterAll(async () => {
    await stop();
    await smtp.close();
  });

  it("are plain text to one person, whatever the names in them are", { timeout: 60_000 }, async () => {
    const name = "Shop\r\nBcc: victim@evil.example\r\n\r\n<img data-hostile src=http://evil.example/x>\u202e";
    await db.run({ text: "update merchants set name = $2 where id = $1", values: [world.merchantId, name] });
    const reader = await aMember(db, world.merchantId, "viewer");
    const client = openAccountClient(url, (await sessionOf(db, world.owner, { steppedUp: true })).token);
    expect((await client.post("team/invite", { email: "mail@shop.example", role: "viewer" })).status).toBe(200);
    const outside = openAccountClient(url);
    expect((await outside.post("password/forgot", { email: reader.email })).status).toBe(200);
    const agent = { "user-agent": HOSTILE_NAME };
    await outside.post("sign-in", { email: reader.email, password: TEST_PASSWORD }, agent);
    const subjects = ["Invitation", "A new password", "New sign-in"];
    const subjectOf = (data: string) => /^Subject: (.*)$/m.exec(data)?.[1] ?? "";
    const found = () =>
      subjects.filter((subject) => smtp.mails.some(({ data }) => subjectOf(data).startsWith(subject)));
    await expect.poll(found, { timeout: 30_000 }).toEqual(subjects);
    for (const { to, data } of smtp.mails) {
      const [head = ""] = data.split(/\r?\n\r?\n/);
      expect(to).toHaveLength(1);
      expect(head).toMatch(/^Content-Type: text\/plain; charset=utf-8$/im);
      expect(head).not.toMatch(/^Bcc:/im);
      expect(head).not.toMatch(/multipart|text\/html/i);
      expect(data).not.toContain("\u202e");
    }
  });
});
