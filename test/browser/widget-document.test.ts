import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { METHODS } from "../../src/core/merchants/methods.ts";
import { CARD_LIFETIME_S, CONFIRM_TIMEOUT_S, P2P_LIFETIME_S, PAYIN_GRACE_S } from "../../src/core/payments/timers.ts";
import { useTestBrowser } from "../../src/testing/browser/browser.ts";
import { aPng } from "../../src/testing/builders/pictures.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { freePort } from "../../src/testing/http/free-port.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { listCommands, readDocument, wordsOf } from "../contract/document-commands.ts";
import { walkOf } from "../e2e/document-walk.ts";
import { sayPaid } from "./pay-shop.ts";
import { runCommand } from "./run-command.ts";

/** What docs/widget.md shows, exactly as it is written there. */
const database = useTestDatabase();
const service = useTestService(database);
const { follow, run } = walkOf(service);
const browser = useTestBrowser();
const document = readDocument("docs/widget.md");
const EXAMPLE = "examples/widget.mjs";
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

function section(heading: string): string {
  const [, text = ""] = document.split(`\n## ${heading}\n`);
  return text.split("\n## ")[0] ?? "";
}

async function actOnPage(formUrl: string, deed: string, body: object = {}): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${formUrl}/${deed}`, { method: "POST", headers, body: JSON.stringify(body) });
  expect([deed, answer.status]).toEqual([deed, 200]);
}

it("the first payments answer what the comments say", { timeout: 240_000 }, async () => {
  const [create, info, ...cancelled] = listCommands(section("Try it"));
  if (create === undefined || info === undefined) throw new Error("the commands are gone");
  expect(cancelled).toHaveLength(2);
  await follow([create]);
  const [, formUrl = ""] = /"form_url": "([^"]+)"/.exec(await run("sh", "-c", info.command)) ?? [];
  await actOnPage(formUrl, "choose", { method: "payin-p2p-card" });
  await vi.waitFor(async () => {
    expect(await (await fetch(`${formUrl}/state`)).json()).toMatchObject({ step: "transfer" });
  }, 20_000);
  await actOnPage(formUrl, "confirm");
  await follow([info, ...cancelled]);
});

it("the operator's commands do what they say", async () => {
  const commands = listCommands(section("Settings"));
  expect(commands).toHaveLength(4);
  const { project_id } = service.sandbox();
  for (const { command } of commands) {
    await runCommand(database, ...wordsOf(command.replace("PROJECT", project_id)).slice(1));
  }
  const [row] = await database.db.run({
    text: "select name, accent, widget_origins, support_email, support_phone, support_url from projects where id = $1",
    values: [project_id],
  });
  expect(row).toEqual({
    name: "Teapots and more",
    accent: "#0b6b58",
    widget_origins: ["https://shop.example", "https://www.shop.example"],
    support_email: "help@shop.example",
    support_phone: "+7 800 555-01-02",
    support_url: "https://shop.example/help",
  });
});

it("the operator's commands for banks change what the page gets", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tillgate-looks-"));
  const [, looks = ""] = /^```json\n([\s\S]*?)^```/m.exec(section("Banks")) ?? [];
  writeFileSync(join(folder, "looks.json"), looks);
  writeFileSync(join(folder, "vtb.png"), aPng());
  const commands = listCommands(section("Banks"));
  expect(commands).toHaveLength(3);
  for (const { command } of commands)
    await runCommand(database, ...wordsOf(command.replace("looks.json", join(folder, "looks.json"))).slice(1));
  const rows = await database.db.run({
    text: `select names, popularity, image is not null as pictured from banks where symbol in ('t-bank', 'vtb') order by symbol`,
  });
  expect(rows).toEqual([
    { names: { en: "T-Bank", ru: "Т-Банк", kk: "Т-Банк" }, popularity: 2, pictured: false },
    { names: { en: "VTB", ru: "ВТБ", uz: "VTB banki" }, popularity: 3, pictured: true },
  ]);
});

it("the program is shown as the file has it", () => {
  const [shown] = [...document.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, block]) => block);
  const file = readDocument(EXAMPLE);
  expect(shown).toBe(file.slice(file.indexOf("\n") + 1));
});

it("the figures are those of the code", () => {
  expect(document).toContain(`for another ${PAYIN_GRACE_S / 60} minutes`);
  expect(document).toContain(`none within ${CONFIRM_TIMEOUT_S / 60} minutes`);
  expect(document.replaceAll("\n", " ")).toContain(
    `${P2P_LIFETIME_S.standard} seconds for a transfer, ${CARD_LIFETIME_S.standard} for a card`,
  );
  expect(document).toContain(`${CARD_LIFETIME_S.min} to ${CARD_LIFETIME_S.max} seconds`);
  const codes = Object.values(METHODS).flatMap(({ widgetCode }) => widgetCode ?? []);
  const [, told = ""] = /^- Seven methods: ([^.]+)\./m.exec(document) ?? [];
  expect([...told.matchAll(/`([^`]+)`/g)].map(([, code]) => code)).toEqual(codes);
  expect(codes).toHaveLength(7);
});

describe.skipIf(browser.isMissing)("the shop of the document", () => {
  let shop: ChildProcess;
  const said: string[] = [];
  let shopUrl = "";

  beforeAll(async () => {
    const port = await freePort();
    shopUrl = `http://127.0.0.1:${port}`;
    const env = {
      PATH: process.env.PATH,
      PORT: String(port),
      TILLGATE_SANDBOX: join(service.stateDir, "sandbox.json"),
    };
    shop = spawn(process.execPath, [EXAMPLE], { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
    if (shop.stdout === null) throw new Error("it has no output");
    createInterface({ input: shop.stdout }).on("line", (line) => said.push(line));
    await vi.waitFor(() => expect(said).toEqual([`The shop is open at ${shopUrl}`]), { timeout: 60_000 });
    await database.db.run({ text: "update projects set widget_origins = $1", values: [[shopUrl]] });
    await service.settled();
  });
  afterAll(async () => {
    shop.kill();
    if (shop.exitCode === null) await once(shop, "exit");
  });

  it("is paid by redirect, and by the callback knows it", async () => {
    const { page } = await browser.open({ width: 320 });
    await page.goto(shopUrl);
    await page.getByRole("button", { name: "Pay on the payment page" }).click();
    await page.getByRole("radio", { name: /Card transfer/ }).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await sayPaid(page);
    await page.getByRole("heading", { name: "Payment received" }).waitFor();
    await vi.waitFor(() => expect(said.at(-1)).toMatch(/^teapot-\d+: success$/), { timeout: 60_000 });
    // The page goes back to the shop by itself. The callback can be later than that.
    await page.waitForURL(`${shopUrl}/thanks**`);
    await page.reload();
    await page.getByText("Your order is success.").waitFor();
  });

  it("is paid in a modal, and its page hears of it", async () => {
    const { page } = await browser.open();
    await page.goto(shopUrl);
    await page.getByRole("button", { name: "Pay here" }).click();
    const frame = page.frameLocator("iframe");
    await frame.getByRole("radio", { name: /Bank card/ }).check();
    await frame.getByRole("button", { name: "Continue" }).click();
    await frame.getByLabel("Card number").fill("4242424242424242");
    await frame.getByLabel("Valid until").fill("1241");
    await frame.getByLabel("Security code").fill("987");
    await frame.getByRole("button", { name: /^Pay / }).click();
    await page.getByText(/^Thank you for teapot-\d+$/).waitFor();
    await frame.getByRole("button", { name: "Close" }).click();
    await page.locator("#here:focus").waitFor();
  });
});
