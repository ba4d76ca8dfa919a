import { describe, expect, it } from "vitest";
import { openPage, submitForm } from "../../src/sandbox/test-browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { listCommands, readDocument } from "../contract/document-commands.ts";
import { passThroughPage, RIGHT_CODE, WRONG_CODE } from "../payer-browser.ts";
import { walkOf } from "./document-walk.ts";

/** What docs/cards.md shows, exactly as it is written there. */
const database = useTestDatabase();
const { follow, converse } = walkOf(useTestService(database));
const document = readDocument("docs/cards.md");
const EXAMPLES = ["examples/card.mjs", "examples/card-form.mjs"];

function section(heading: string): string {
  const [, text = ""] = document.split(`\n## ${heading}\n`);
  return text.split("\n## ")[0] ?? "";
}

/** The address that a line asks to open. */
function addressIn(line: string): string | undefined {
  return /^Open (\S+) in a browser; the code is 1234$/.exec(line)?.[1];
}

it("the first payments answer what the comments say", { timeout: 240_000 }, async () => {
  const steps = listCommands(section("Try it"));
  expect(steps).toHaveLength(4);
  await follow(steps);
});

it("the programs are shown as the files have them", () => {
  const shown = [...document.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, block]) => block);
  const files = EXAMPLES.map((name) => readDocument(name));
  expect(shown).toEqual(files.map((text) => text.slice(text.indexOf("\n") + 1)));
});

describe("the shop that sends payers to our page", () => {
  const pay = (pan: string[], ...codes: string[]) =>
    converse(["examples/card.mjs", ...pan], async (line) => {
      const address = addressIn(line);
      if (address === undefined) return;
      const back = await passThroughPage(address, ...codes);
      expect((await openPage(back.headers.get("location") ?? "")).text).toContain("Thank you.");
    });

  it("is paid", { timeout: 240_000 }, async () => {
    const [, back, end, ...more] = await pay([], RIGHT_CODE);
    expect(back).toMatch(/^The payer of card-\d+ is back$/);
    expect([end, more]).toEqual(["visa 400000******3220: 243750 of it is ours", []]);
  });

  it("is not paid by somebody else", { timeout: 240_000 }, async () => {
    const lines = await pay(["2200111753579001"], WRONG_CODE, WRONG_CODE, WRONG_CODE);
    expect(lines.at(-1)).toBe("mir 220011******9001: three_ds_failed");
  });

  it.each([
    ["5555555555554444", "mastercard 555555******4444: 243750 of it is ours"],
    ["4000000000009995", "visa 400000******9995: insufficient_funds"],
  ])("asks nobody for a code where the bank does not: %s", { timeout: 240_000 }, async (pan, line) => {
    expect(await pay([pan])).toEqual([line]);
  });
});

it("the shop with a form of its own is paid", { timeout: 240_000 }, async () => {
  const lines = await converse(["examples/card-form.mjs"], async (line) => {
    const address = addressIn(line);
    if (address === undefined) return;
    const atBank = await submitForm(await openPage(address), {});
    const confirmed = await submitForm(atBank, { code: RIGHT_CODE });
    const atTillgate = await submitForm(confirmed, {});
    expect((await submitForm(atTillgate, {})).text).toBe("<p>The payment: success</p>");
  });
  expect(lines.slice(1)).toEqual(["The payment: success"]);
});

it("the cards of the sandbox are told as the contract tells them", () => {
  const table = section("How a card payment works")
    .split("\n")
    .filter((line) => line.startsWith("| `") || line.startsWith("| Test card"));
  expect(table).toHaveLength(12);
  for (const line of table) expect(readDocument("docs/openapi.yaml")).toContain(`    ${line}\n`);
});

it("every column that the document names is one", async () => {
  const named = [...document.matchAll(/`((?:card_payins|payer_pages|payments)\.[a-z_]+)`/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(7);
  const rows = await database.db.run<{ name: string }>({
    text: "select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'",
    values: [],
  });
  for (const name of named) expect(rows.map((row) => row.name)).toContain(name);
});
