import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { totpCode, totpStep } from "../../src/app/people/totp.ts";
import type { Id } from "../../src/core/ids.ts";
import { saveRequireSecondFactor } from "../../src/store/people/merchant-security.ts";
import { aMember, TEST_PASSWORD, type TestMember } from "../../src/testing/account-client.ts";
import { useTestBrowser } from "../../src/testing/browser/browser.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { longIt } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { look, useAccountWindows } from "./account-window.ts";
import { atStep } from "./pay-shop.ts";

const database = useTestDatabase();
const service = useTestService(database);
const browser = useTestBrowser();
const { openOutside, openAs } = useAccountWindows(database, service, browser);
const { db } = database;

const CHOSEN = "seven green bottles";
let merchantId: Id;

beforeAll(async () => {
  ({ merchantId } = await aProject(db));
  await service.settled();
});

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** As an authenticator app reads the key. */
function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Sets up the authenticator app of the page's person. Answers its key and the recovery codes. */
async function setUpApp(page: Page): Promise<{ key: Buffer; step: bigint; codes: string[] }> {
  await page.getByRole("button", { name: "Set up the app" }).click();
  const stepUp = page.getByLabel("Your password");
  const code = page.getByLabel("Code that the app shows");
  await stepUp.or(code).first().waitFor();
  if (await stepUp.isVisible()) {
    await stepUp.fill(TEST_PASSWORD);
    await page.getByRole("button", { name: "Confirm" }).click();
  }
  await code.waitFor();
  const key = fromBase32((await page.locator(".manual-key code").textContent()) ?? "");
  const step = totpStep(Date.now());
  await code.fill(totpCode(key, step));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("heading", { name: "Keep these recovery codes" }).waitFor();
  const codes = ((await page.locator("dialog pre").textContent()) ?? "").split("\n");
  return { key, step, codes };
}

describe.skipIf(browser.isMissing)("a person", () => {
  it("signs in with a password, sees a mistake in words, reads it in Russian, and signs out", async () => {
    const member = await aMember(db, merchantId, "owner");
    const { page, troubles } = await openOutside("/team");
    await atStep(page, "Sign in");
    await look(page);
    await fillSignIn(page, member.email, "not the password");
    await page.getByRole("alert").getByText("The e-mail or the password is wrong.").waitFor();
    await look(page);
    await fillSignIn(page, member.email, TEST_PASSWORD);
    // The address that was asked for is shown, not the first page.
    await atStep(page, "Team");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Русский" }).click();
    await atStep(page, "Команда");
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("ru");
    await page.getByRole("button", { name: "Выйти" }).click();
    await atStep(page, "Вход");
    await page.reload();
    await atStep(page, "Вход");
    // The refused sign-in, and the questions who is signed in: nothing else was refused or blocked.
    expect(troubles.filter((trouble) => !/401/.test(trouble))).toEqual([]);
  });

  longIt("sets up an app, keeps recovery codes, and signs in with each", async () => {
    const member = await aMember(db, merchantId, "viewer");
    const { page } = await openAs(member, "/security");
    await atStep(page, "Security");
    await look(page);
    const { key, step, codes } = await setUpApp(page);
    await look(page);
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByText(`${codes.length} codes are left.`).waitFor();
    const signInAgain = async () => {
      await page.getByRole("button", { name: "Sign out" }).click();
      await atStep(page, "Sign in");
      await fillSignIn(page, member.email, TEST_PASSWORD);
      await atStep(page, "Confirm that it is you");
    };
    await signInAgain();
    await look(page);
    await page.getByLabel("Code from your authenticator app").fill("000000");
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("alert").getByText("This code is wrong").waitFor();
    // The step of the code that set the app up is used; the next one is taken early.
    await page.getByLabel("Code from your authenticator app").fill(totpCode(key, step + 1n));
    await page.getByRole("button", { name: "Confirm" }).click();
    await atStep(page, "Security");
    await signInAgain();
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(codes[0] ?? "");
    await page.getByRole("button", { name: "Confirm" }).click();
    await atStep(page, "Security");
    await page.getByText(`${codes.length - 1} codes are left.`).waitFor();
  });

  longIt("sees where else the account is open, and ends that session", async () => {
    const member = await aMember(db, merchantId, "viewer");
    const other = await openAs(member, "/security");
    await atStep(other.page, "Security");
    const { page } = await openAs(member, "/security");
    await page.getByText("This session").waitFor();
    // Both windows share the profile's cookie, so the older session is of another cookie by now.
    await page.getByRole("button", { name: /^End the session/ }).click();
    await expect.poll(() => page.getByRole("button", { name: /^End the session/ }).count()).toBe(0);
  });

  longIt("changes the password after a confirmation, and is told what is wrong with a new one", async () => {
    const member = await aMember(db, merchantId, "viewer");
    const { page } = await openAs(member, "/security");
    await page.getByLabel("Current password").fill(TEST_PASSWORD);
    await page.getByLabel("New password").fill("too short");
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByRole("dialog").getByLabel("Your password").fill(TEST_PASSWORD);
    await look(page);
    await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("alert").getByText("at least 12 characters").waitFor();
    await page.getByLabel("New password").fill(CHOSEN);
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByText("The password is changed.").waitFor();
  });
});

describe.skipIf(browser.isMissing)("an owner", () => {
  let owner: TestMember;
  beforeAll(async () => {
    owner = await aMember(db, (await aProject(db)).merchantId, "owner");
    await service.settled();
  });

  it("invites a person, who accepts, changes the role, demands a second factor, and reads it in the audit log", async () => {
    const { page } = await openAs(owner, "/team", { steppedUp: true });
    await page.getByRole("button", { name: "Invite a person" }).click();
    await page.getByRole("dialog").getByLabel("E-mail").fill("anna@shop.example");
    await page.getByRole("radio", { name: /Accountant/ }).check();
    await look(page);
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    const link = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    expect(link).toContain("/account/invitation#");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await page.getByText("anna@shop.example").waitFor();
    await look(page);

    await acceptInvitation(link);
    await page.reload();
    await page.getByRole("combobox", { name: "Role of Anna" }).selectOption("developer");
    await page.getByRole("button", { name: "Remove Anna" }).waitFor();
    await expect.poll(() => page.getByRole("combobox", { name: "Role of Anna" }).inputValue()).toBe("developer");
    // Not before the owner has one.
    await expect.poll(() => page.getByRole("checkbox", { name: /Demand a second factor/ }).isDisabled()).toBe(true);
    await page.goto(`${service.url()}/account/security`);
    await setUpApp(page);
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.goto(`${service.url()}/account/team`);
    await page.getByRole("checkbox", { name: /Demand a second factor/ }).click();
    await expect.poll(() => page.getByRole("checkbox", { name: /Demand a second factor/ }).isChecked()).toBe(true);
    await page.goto(`${service.url()}/account/audit`);
    for (const action of ["Person invited", "Role changed", "Demand of a second factor changed"])
      await page.getByText(action).first().waitFor();
    await look(page);
  });

  async function acceptInvitation(link: string): Promise<void> {
    const { page } = await openOutside();
    await page.context().clearCookies();
    await page.goto("about:blank");
    await page.goto(link);
    await atStep(page, "Join Shop");
    await look(page);
    await page.getByLabel("Your name").fill("Anna");
    await page.getByLabel("Choose a password").fill(CHOSEN);
    await page.getByRole("button", { name: "Accept the invitation" }).click();
    await atStep(page, "Overview");
    // The token does not stay in the address.
    expect(page.url()).not.toContain("#");
    await page.getByRole("link", { name: "Balance" }).waitFor();
    expect(await page.getByRole("link", { name: "Audit log" }).count()).toBe(0);
    await page.goto("about:blank");
    await page.goto(link);
    await atStep(page, "This invitation does not work");
    await look(page);
    await page.context().clearCookies();
  }

  longIt("whose company demands a second factor sees nothing else until there is one", async () => {
    const strict = await aMember(db, (await aProject(db)).merchantId, "owner");
    await db.transaction((tx) => saveRequireSecondFactor(tx, strict.merchantId, true));
    const { page } = await openAs(strict, "/team");
    await atStep(page, "Protect your account");
    await look(page);
    expect(await page.getByRole("navigation").count()).toBe(0);
    await setUpApp(page);
    await page.getByRole("button", { name: "I have kept them" }).click();
    await atStep(page, "Team");
  });
});
