import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readDocument } from "./document-commands.ts";

/** The table of words in ARCHITECTURE.md: each table and each type that it names exists. */
const ROOT = new URL("../../", import.meta.url);
const [, section = ""] = readDocument("ARCHITECTURE.md").split("## Words\n");
const rows = (section.split("\n## ")[0] ?? "")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(1)
  .map((line) => line.split("|").map((cell) => cell.trim()));

const migrations = new URL("migrations/", ROOT);
const schema = readdirSync(migrations, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".sql"))
  .map((name) => readFileSync(new URL(name, migrations), "utf8"))
  .join("\n");

it("has a row for each word, once", () => {
  const words = rows.map(([, word]) => word);
  expect(words.length).toBeGreaterThan(20);
  expect(words).toEqual([...new Set(words)]);
});

it.each(rows.map((cells) => cells.slice(1)))("%s", (_word, meaning, table = "", type = "") => {
  expect(meaning).not.toBe("");
  if (table !== "") expect(schema).toContain(`create table ${table.replaceAll("`", "")} (`);
  const [, name = "", path = ""] = /^`(\w+)` in `([\w/.-]+)`$/.exec(type) ?? [];
  const source = readFileSync(new URL(`src/${path}`, ROOT), "utf8");
  expect(source).toMatch(new RegExp(`^export type ${name}\\b`, "m"));
});
