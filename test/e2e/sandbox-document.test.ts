import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { DESK_CALLS } from "../../src/api/sandbox/desk-calls.ts";
import { actionsOn, DESK_ACTIONS } from "../../src/core/sandbox/desk-actions.ts";
import { FAULT_CALLS, FAULT_KINDS } from "../../src/core/sandbox/desk-words.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { readDocument } from "../contract/document-commands.ts";

/** What docs/sandbox.md says is so, and the program that it shows works as it is written there. */
const service = useTestService(useTestDatabase());
const document = readDocument("docs/sandbox.md");
const SDK = new URL("../../sdk/dist/index.js", import.meta.url);

function section(heading: string): string {
  return document.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
}

/** The rows of a table as their cells, of which each is a list of the words in backquotes. */
function wordsOfRows(text: string): string[][][] {
  const rows = text.split("\n").filter((line) => line.startsWith("| ") || line.startsWith("|-"));
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word)),
  );
}

it("names every call", () => {
  const named = wordsOfRows(section("The calls")).flatMap(([call]) => call ?? []);
  expect(named).toEqual(DESK_CALLS.map(({ name }) => name));
});

it("names every action at the states that it fits", () => {
  const rows = section("What the outside world can do")
    .split("\n")
    .filter((line) => /^\| (transfer|card|payout) \|/.test(line));
  expect(rows.length).toBeGreaterThan(8);
  const seen = new Set<string>();
  for (const row of rows) {
    const [kind = "", states = "", actions = ""] = row
      .split("|")
      .slice(1)
      .map((cell) => cell.trim());
    const words = (cell: string) => [...cell.matchAll(/`([a-z0-9_]+)`/g)].map(([, word = ""]) => word);
    for (const action of words(actions)) seen.add(action);
    for (const word of words(states)) {
      const possible = ["processing", "dispute"].map((status) => `${status}:${word}`).concat(word);
      const known = {
        kind,
        isKnownOutside: true,
        hasRequisites: true,
        hasReceived: false,
        isContradicted: false,
        hasEnd: true,
      };
      const found = possible.map((state) => actionsOn({ ...known, state } as never)).find((list) => list.length > 0);
      expect([row, found]).toEqual([row, words(actions)]);
    }
  }
  expect([...seen].sort()).toEqual([...DESK_ACTIONS].sort());
});

it("names every fault", () => {
  const faults = section("Faults");
  expect(
    wordsOfRows(faults)
      .flatMap(([kinds]) => kinds ?? [])
      .sort(),
  ).toEqual([...FAULT_KINDS].sort());
  for (const call of FAULT_CALLS) expect(faults).toContain(`\`${call}\``);
});

it("the automated test passes as it is written", { timeout: 240_000 }, async () => {
  const [, program = ""] = /^```js\n([\s\S]*?)^```/m.exec(document) ?? [];
  const directory = mkdtempSync(join(tmpdir(), "tillgate-shop-"));
  const file = join(directory, "shop.test.mjs");
  writeFileSync(file, program.replace('"@tillgate/sdk"', JSON.stringify(fileURLToPath(SDK))));
  const env = { PATH: process.env.PATH, TILLGATE_SANDBOX: join(service.stateDir, "sandbox.json") };
  const { stdout } = await promisify(execFile)(process.execPath, ["--test", "--test-reporter=tap", file], {
    env,
    cwd: directory,
  });
  expect(stdout).toContain("# pass 1\n");
  expect(stdout).toContain("# fail 0\n");
  rmSync(directory, { recursive: true });
});
