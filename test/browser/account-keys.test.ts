import { readFileSync } from "node:fs";
import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { type Credentials, createTillgate } from "../../sdk/src/index.ts";
import type { Id } from "../../src/core/ids.ts";
import { aMember, TEST_PASSWORD, type TestMember } from "../../src/testing/account-client.ts";
import { useTestBrowser } from "../../src/testing/browser/browser.ts";
import { aProject, rsaKeyOf } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { shortIt } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { look, useAccountWindows } from "./account-window.ts";
import { atStep, expectAccessible } from "./pay-shop.ts";

const database = useTestDatabase();
// No worker: nothing here is about payments.
const service = useTestService(database, {}, "api");
const browser = useTestBrowser();
const { openAs } = useAccountWindows(database, service, browser);
const { db } = database;

const EVIL = `"><img src=x onerror=alert(1)>`;

let merchantId: Id;
let projectId: Id;
let developer: TestMember;

beforeAll(async () => {
  ({ merchantId, projectId } = await aProject(db, "test"));
  await aProject(db, "live", merchantId);
  developer = await aMember(db, merchantId, "developer");
  await service.settled();
});

type KeyInHand =
  | { readonly kind: "rsa"; readonly privateKeyPem: string }
  | { readonly kind: "hmac"; readonly keyId: string; readonly secret: string };

/** Clicks, and reads the file that the page hands out. */
async function downloaded(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("dialog").getByRole("button", { name: button }).click(),
  ]);
  return readFileSync(await download.path(), "utf8");
}

async function callWith(key: KeyInHand): Promise<string> {
  await service.settled();
  const credentials: Credentials = { merchantId, projectId, ...key };
  const { balance } = createTillgate({ baseUrl: service.url(), credentials, retriesMax: 0 });
  return balance.info().then(
    () => "ok",
    (error) => error.code,
  );
}

describe.skipIf(browser.isMissing)("a developer", () => {
  it("makes a key pair in the browser, signs a call with it, replaces it, and revokes the last key knowingly", async () => {
    const { page, troubles } = await openAs(developer, `/keys?project=${projectId}`);
    const bodies: string[] = [];
    page.on("request", (request: Request) => bodies.push(request.postData() ?? ""));
    await atStep(page, "API keys");
    await page.getByText("No key is in use").waitFor();
    // The chosen project is a test project: that is said.
    await page.getByRole("complementary", { name: "Test data" }).waitFor();
    await page.getByRole("button", { name: "New key" }).first().click();
    await page.getByLabel("Name").fill(EVIL);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByLabel("Your password").fill(TEST_PASSWORD);
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("heading", { name: "The key works now" }).waitFor();
    await expectAccessible(page);
    // Escape alone does not lose it.
    await page.keyboard.press("Escape");
    await page.getByText("You have not downloaded it.").waitFor();
    const privateKeyPem = await downloaded(page, "Download the private key");
    await page.getByRole("button", { name: "I have kept it" }).click();
    expect(privateKeyPem).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(await callWith({ kind: "rsa", privateKeyPem })).toBe("ok");
    const [, , secondLine = ""] = privateKeyPem.split("\n");
    expect(bodies.some((body) => body.includes("BEGIN PUBLIC KEY"))).toBe(true);
    expect(bodies.some((body) => body.includes("PRIVATE") || body.includes(secondLine))).toBe(false);
    const stored = await page.evaluate<string>("JSON.stringify([{...localStorage}, {...sessionStorage}])");
    expect(stored).not.toContain("PRIVATE");

    await page.getByRole("button", { name: `Replace ${EVIL}` }).click();
    await page.getByLabel("The old key works on for").selectOption("1 hour");
    await page.getByLabel("Name").fill("Second server");
    await page.getByRole("radio", { name: /HMAC secret/ }).check();
    await page.getByRole("button", { name: "Replace the key" }).click();
    const secret = await downloaded(page, "Download the secret");
    await page.getByRole("button", { name: "I have kept it" }).click();
    await page.getByText("Ends soon").waitFor();
    const token = await tokenOf("Second server");
    expect(await callWith({ kind: "hmac", keyId: token, secret })).toBe("ok");
    await look(page);

    await page.getByRole("button", { name: `Revoke ${EVIL}` }).click();
    await page.getByText("The API refuses calls that are signed with this key at once.").waitFor();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await expect.poll(() => callWith({ kind: "rsa", privateKeyPem })).toBe("signature_invalid");
    await page.getByRole("button", { name: "Revoke Second server" }).click();
    await page.getByText("Second server is the only key that works for: Web · TEST.").waitFor();
    await page.getByRole("button", { name: "Revoke the last key" }).click();
    await page.getByText("No key is in use").waitFor();
    await page.getByText("Expired and revoked keys").click();
    await expect.poll(() => page.locator(".ended-keys tbody tr").count()).toBe(2);
    expect(await page.locator("img").count()).toBe(0);
    expect(troubles.filter((trouble) => !trouble.startsWith("403") && !trouble.includes("403"))).toEqual([]);
  });

  shortIt("registers an own public key and never sends a private one; changes the rules of a project", async () => {
    const { page } = await openAs(developer, "/keys", { steppedUp: true });
    const bodies: string[] = [];
    page.on("request", (request: Request) => bodies.push(request.postData() ?? ""));
    await page.getByRole("button", { name: "New key" }).first().click();
    await page.getByRole("radio", { name: /Your own RSA public key/ }).check();
    await page.getByLabel("Works for").selectOption("All live projects");
    await page.getByLabel("Public key (PEM)").fill("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----");
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByRole("alert").getByText("Nothing was sent.").waitFor();
    expect(bodies.join("")).not.toContain("PRIVATE");
    const other = await rsaKeyOf(db, { ...(await aProject(db)), book: "test" });
    const lines =
      Buffer.from(other.token, "base64url")
        .toString("base64")
        .match(/.{1,64}/g) ?? [];
    const known = `-----BEGIN PUBLIC KEY-----\n${lines.join("\n")}\n-----END PUBLIC KEY-----`;
    await page.getByLabel("Public key (PEM)").fill(known);
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByRole("alert").getByText("This key is registered already.").waitFor();
    await page.getByRole("button", { name: "Close" }).click();

    await page.getByRole("button", { name: "Change the rules of Web" }).last().click();
    await page.getByLabel("Require signature scheme 2").check();
    const addresses = page.getByLabel("Addresses that may call the API");
    await addresses.fill("192.0.2.7\n192.0.2.300");
    await page.getByRole("button", { name: "Save the rules" }).click();
    await page.getByText("This is not an address or a network: 192.0.2.300").waitFor();
    await expectAccessible(page);
    await addresses.fill("192.0.2.7\n198.51.100.0/24");
    await page.getByRole("button", { name: "Save the rules" }).click();
    await page.getByText("Scheme 2 only").waitFor();
    await page.getByText("198.51.100.0/24").waitFor();
  });

  async function tokenOf(label: string): Promise<string> {
    const rows = await db.run<{ token: string }>({
      text: "select token from api_keys where label = $1",
      values: [label],
    });
    return rows[0]?.token ?? "";
  }
});
