import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { USUAL_WAYS } from "../../src/connectors/conformance-ways.ts";
import { PROVIDER_KINDS } from "../../src/core/providers.ts";
import { readDocument } from "./document-commands.ts";
import { listTables, rowsOf } from "./markdown-blocks.ts";

/** The code that docs/connectors.md shows is the example's own, which is compiled and held to the conformance suite. */
const document = readDocument("docs/connectors.md");
const FILE = /`(examples\/connector\/[\w.-]+)`/g;
const blocks = [...document.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(({ index, 1: code = "" }) => ({
  code,
  // The file that was named last.
  file: [...document.slice(0, index).matchAll(FILE)].at(-1)?.[1] ?? "",
}));

describe("docs/connectors.md", () => {
  it("shows code of each part of the connector", () => {
    const parts = readdirSync(new URL("../../examples/connector/", import.meta.url)).filter(
      (name) => !name.startsWith("acme-"),
    );
    expect(parts.length).toBeGreaterThan(4);
    expect([...new Set(blocks.map(({ file }) => file))].sort()).toEqual(
      parts.map((name) => `examples/connector/${name}`).sort(),
    );
  });

  it.each(blocks)("$file is shown as it is: $code", ({ code, file }) => {
    expect(readDocument(file)).toContain(code);
  });

  it("names every function of the port that a connector must have", () => {
    const [, port = ""] = /export type Connector = \{([\s\S]*?)^\};/m.exec(readDocument("src/core/connector.ts")) ?? [];
    const needed = [...port.matchAll(/^ {2}readonly (\w+): \(?/gm)].map(([, name = ""]) => name);
    expect(needed).toContain("sendPayout");
    for (const name of needed.filter((each) => each !== "code")) expect(document).toContain(`| \`${name}\` |`);
  });

  it("names every way in which a provider may differ, with the usual one", () => {
    const rows = rowsOf(listTables(document), "way", "usual").map(([way, usual = ""]) => [way, usual.split(":")[0]]);
    expect(rows).toEqual(Object.entries(USUAL_WAYS).map(([way, usual]) => [way, String(usual)]));
  });

  it("says where a kind of provider is named", () => {
    expect(PROVIDER_KINDS.length).toBeGreaterThan(0);
    const [, step = ""] = document.split("## Step 7: plugging it in");
    const places = [...step.matchAll(/\]\(\.\.\/([\w./-]+)\)/g)].map(([, path = ""]) => path);
    const naming = places.filter((path) => new RegExp(PROVIDER_KINDS[0], "i").test(readDocument(path)));
    expect(naming).toEqual(places);
  });
});
