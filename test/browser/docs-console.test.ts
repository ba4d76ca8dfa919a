import { createHmac, generateKeyPair } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { credentialsFromSandboxFile, signRequest } from "../../sdk/src/index.ts";
import { ERROR_CODES } from "../../src/core/errors.ts";
import { scrollsSideways, useTestBrowser } from "../../src/testing/browser/browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { longIt, shortIt, sizeOf } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { MEANINGS } from "../../web/docs/console/meanings.ts";
import { ALGORITHM_NAMES, ALGORITHMS } from "../../web/docs/console/signing/algorithms.ts";
import { loadContract } from "../contract/contract.ts";
import { expectAccessible } from "./pay-shop.ts";

/** A developer who opens /docs and makes calls from it. */
const database = useTestDatabase();
const service = useTestService(database);
const browser = useTestBrowser();

const BALANCE = "/api/v1/balance/info";

shortIt("every error has a meaning", () => {
  expect(Object.keys(MEANINGS).sort()).toEqual([...ERROR_CODES].sort());
});

async function openDocs(width = 1280): Promise<{ page: Page; troubles: readonly string[]; sent: string[] }> {
  const { page, troubles } = await browser.open({ width });
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  await page.goto(`${service.url()}/docs`);
  await page.locator(".languages").first().waitFor();
  return { page, troubles, sent };
}

function sectionOf(page: Page, path: string): Locator {
  return page.locator(`section.operation[data-path="${path}"]`);
}

/** Clicks without waiting for a page of a hundred sections to stop moving. */
async function open(section: Locator): Promise<void> {
  await section.locator(".try > summary").dispatchEvent("click");
}

async function sendFrom(section: Locator, button = "Sign and send"): Promise<number> {
  await section.getByRole("button", { name: button, exact: true }).dispatchEvent("click");
  const line = section.locator(".answer-line");
  await line.waitFor();
  return Number.parseInt((await line.textContent()) ?? "", 10);
}

async function headersShown(section: Locator): Promise<Record<string, string>> {
  const text = (await section.locator(".signed li").last().locator("code").textContent()) ?? "";
  return Object.fromEntries(text.split("\n").map((line) => line.split(": ") as [string, string]));
}

async function shown(section: Locator, step: number): Promise<string> {
  return (await section.locator(".signed li code").nth(step).textContent()) ?? "";
}

describe.skipIf(browser.isMissing)("the first call", () => {
  shortIt("is signed with the sandbox's key, by each algorithm, as the SDK signs it", async () => {
    const { page, troubles, sent } = await openDocs();
    const section = sectionOf(page, BALANCE);
    await open(section);
    await section.getByRole("button", { name: "Load the sandbox key" }).click();
    await section.getByText("Signing for project").waitFor();
    const rawBody = await section.getByLabel("Body", { exact: true }).inputValue();
    expect(JSON.parse(rawBody)).toEqual({ general: { project_id: service.sandbox().project_id } });
    for (const algorithm of ALGORITHM_NAMES) {
      const { scheme, kind } = ALGORITHMS[algorithm];
      await section.getByLabel("Algorithm").selectOption(algorithm);
      expect([algorithm, await sendFrom(section)]).toEqual([algorithm, 200]);
      expect(await section.locator(".answer code").first().textContent()).toContain('"balance"');
      const headers = await headersShown(section);
      const credentials = credentialsFromSandboxFile(service.sandbox(), kind);
      const timestamp = Number(headers["x-access-timestamp"]);
      expect(headers).toEqual(signRequest({ credentials, path: BALANCE, timestamp, scheme, rawBody }));
      const first = await shown(section, 0);
      expect(first).toMatch(scheme === 1 ? /^general:project_id:[0-9a-f]{32}$/ : /^[0-9a-f]{64}$/);
    }
    const { hmac_secret, rsa_private_key_pem } = service.sandbox();
    const pem = rsa_private_key_pem.split("\n")[1] ?? "";
    expect(sent.filter((text) => text.includes(hmac_secret) || text.includes(pem))).toEqual([]);
    const kept = await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])");
    expect(kept).toBe(JSON.stringify([{}, {}, "", `${service.url()}/docs`]));
    expect(troubles).toEqual([]);
    // The rest of the page has thousands of elements, and other tests for it.
    await section.getByText("How it was signed").dispatchEvent("click");
    await expectAccessible(page, "all", ".try[open]");
    expect(await scrollsSideways(page)).toBe(false);
  });

  longIt("is refused under a wrong key, which is explained, and accepted under the right ones", async () => {
    const { page } = await openDocs(390);
    const { merchant_id, project_id, hmac_key_id, hmac_secret } = service.sandbox();
    const section = sectionOf(page, BALANCE);
    await open(section);
    const enter = async (secret: string) => {
      await section.getByText("Use a key of your own").click();
      await section.getByLabel("Merchant id").fill(merchant_id);
      await section.getByLabel("Project id").fill(project_id);
      await section.getByLabel("HMAC secret").check();
      await section.getByLabel("Key id").fill(hmac_key_id);
      await section.getByLabel("Secret", { exact: true }).fill(secret);
      await section.getByRole("button", { name: "Use this key" }).click();
    };
    await enter("sk_wrong");
    expect(await sendFrom(section)).toBe(401);
    expect(await section.locator(".meaning").textContent()).toContain("the secret is wrong");
    await section.getByRole("button", { name: "Forget the key" }).click();
    await enter(hmac_secret);
    expect(await sendFrom(section)).toBe(200);
    // The algorithms of RSA wait for a key of that kind.
    expect(await section.locator("option:disabled").allTextContents()).toEqual([
      "RSA-SHA256-V2 (scheme 2)",
      "RSA-SHA256 (scheme 1)",
    ]);
    for (const [pem, status] of [
      [String(await foreignRsaKey()), 401],
      [service.sandbox().rsa_private_key_pem, 200],
    ] as const) {
      await section.getByRole("button", { name: "Forget the key" }).click();
      await section.getByText("Use a key of your own").click();
      await section.getByLabel("Merchant id").fill(merchant_id);
      await section.getByLabel("Project id").fill(project_id);
      await section.getByLabel("Private key", { exact: true }).fill(pem);
      await section.getByRole("button", { name: "Use this key" }).click();
      expect(await sendFrom(section)).toBe(status);
    }
    await section.getByRole("button", { name: "Forget the key" }).click();
    await section.getByText("Use a key of your own").click();
    await section.getByLabel("A file with the key").setInputFiles(join(service.stateDir, "sandbox.json"));
    expect(await sendFrom(section)).toBe(200);
    expect(await scrollsSideways(page)).toBe(false);
  });
});

describe.skipIf(browser.isMissing)("in production", () => {
  shortIt("there is no sandbox key to load, and the page says so", async () => {
    const { localUrl } = await service.startSibling({}, "api");
    const { page } = await browser.open();
    await page.goto(`${localUrl}/docs`);
    const section = sectionOf(page, BALANCE);
    await section.locator(".try").waitFor();
    await open(section);
    await section.getByRole("button", { name: "Load the sandbox key" }).dispatchEvent("click");
    await section.getByText("it is not a development server").waitFor();
  });
});

/** A form of a hundred sections is slow to fill in: `npm test` asks the first endpoints, the stress run all. */
const ASKED = sizeOf({ short: /\/(p2p\/payin|balance)/, long: /./ });
/** What may be done to a payment depends on how far it is; that it is not possible now is a right answer too. */
const ACT = /\/(confirm|cancel|confirm-3ds-result|act)$/;

describe.skipIf(browser.isMissing)("every endpoint", () => {
  it("answers once from the page", async () => {
    const { page } = await openDocs();
    const all = loadContract().operations;
    const operations = all.filter(({ path }) => ASKED.test(path));
    const first = sectionOf(page, BALANCE);
    await open(first);
    await first.getByRole("button", { name: "Load the sandbox key" }).click();
    await first.getByText("Signing for project").waitFor();
    const answers: Record<string, number> = {};
    for (const { path, method } of operations) {
      const section = sectionOf(page, path);
      if (path !== BALANCE) await open(section);
      answers[path] = await sendFrom(section, method === "GET" ? "Send" : "Sign and send");
    }
    const expected = operations.map(({ path }) => [path, ACT.test(path) ? expect.toBeOneOf([200, 409, 422]) : 200]);
    expect(answers).toEqual(Object.fromEntries(expected));
    expect(all.length).toBeGreaterThan(20);
    expect(operations.length).toBe(sizeOf({ short: 5, long: all.length }));
  });

  longIt("has a sample in the language that the reader chose", async () => {
    const { page } = await openDocs();
    const payin = sectionOf(page, "/api/v1/payment/p2p/payin").locator(".samples");
    expect(await payin.locator("code").textContent()).toContain("#!/bin/sh");
    await sectionOf(page, BALANCE).getByRole("button", { name: "Python", exact: true }).dispatchEvent("click");
    await expect.poll(() => payin.locator("code").textContent()).toContain("import hashlib");
  });
});

describe.skipIf(browser.isMissing)("check my signature", () => {
  shortIt("names the step that differs, and accepts what is right", async () => {
    const { page, troubles } = await browser.open({ width: 390 });
    await page.goto(`${service.url()}/docs/check-signature`);
    const secret = `sk_${"ab".repeat(32)}`;
    const credentials = {
      kind: "hmac",
      merchantId: "m",
      projectId: "p",
      keyId: `ak_${"0".repeat(32)}`,
      secret,
    } as const;
    const timestamp = Math.floor(Date.now() / 1000);
    const rawBody = '{"general":{"project_id":"p"}}';
    const headers = signRequest({ credentials, path: BALANCE, timestamp, rawBody });
    const curl = (signature: string) => {
      const signed = Object.entries({ ...headers, "x-access-signature": signature });
      return `curl http://127.0.0.1${BALANCE} ${signed.map(([name, value]) => `-H '${name}: ${value}'`).join(" ")} -d '${rawBody}'`;
    };
    const check = async (text: string) => {
      await page.getByLabel("The request").fill(text);
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.locator(".report").waitFor();
      return page.locator(".report").textContent();
    };
    await page.getByLabel("Public key or HMAC secret").fill(secret);
    expect(await check(curl(headers["x-access-signature"]))).toContain("The signature is right.");
    const message = `POST\n${BALANCE}\n${timestamp}\n`;
    const wrong = createHmac("sha512", Buffer.from(secret.slice(3), "hex"))
      .update(`${message}${await hashOf(rawBody)}`)
      .digest("base64url");
    expect(await check(curl(wrong))).toContain(
      "The first step that differs: Signature.Your signature was made with the secret decoded from hex",
    );
    await expectAccessible(page);
    expect(await scrollsSideways(page)).toBe(false);
    expect(troubles).toEqual([]);
  });
});

async function foreignRsaKey(): Promise<string | Buffer> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  return privateKey.export({ type: "pkcs8", format: "pem" });
}

async function hashOf(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(text))).toString("hex");
}
