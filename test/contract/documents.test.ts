import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { understand } from "../../src/cli/kit/run.ts";
import { loadConfig } from "../../src/config.ts";
import { listCommands, readDocument as read, wordsOf } from "./document-commands.ts";

/** Commands and settings in the documents are real ones. What they do is tested where the program is started. */
function commandsIn(document: string): string[] {
  const inline = [...read(document).matchAll(/`((?:\.\/)?tillgate [a-z][^`]*)`/g)].map(([, command]) => command ?? "");
  const blocks = listCommands(read(document)).map(({ command }) => command);
  return [...blocks.filter((command) => /^(\.\/)?tillgate /.test(command)), ...inline];
}

const documents = [
  "README.md",
  "examples/README.md",
  "examples/shop/README.md",
  "docs/operations.md",
  "docs/account.md",
  "docs/callbacks.md",
  "docs/cli.md",
  "docs/cards.md",
  "docs/ledger.md",
  "docs/widget.md",
  "docs/pool.md",
  "docs/providers.md",
  "docs/connectors.md",
  "docs/sandbox.md",
  "docs/performance.md",
  "docs/reliability.md",
  "CONTRIBUTING.md",
  ...readdirSync(new URL("../../docs/guides/", import.meta.url)).map((file) => `docs/guides/${file}`),
];
const commands = documents.flatMap((document) => commandsIn(document).map((command) => [document, command] as const));

describe("commands in the documents", () => {
  it("are found", () => expect(commands.length).toBeGreaterThan(8));

  it.each(commands)("%s: %s", (_document, command) => {
    const [typed = ""] = command.split(" < ");
    const words = wordsOf(typed).slice(1);
    if (words[0]?.startsWith("--")) return;
    expect(() => understand(words)).not.toThrow();
  });
});

it("every npm script that a document names is there", () => {
  const { scripts } = JSON.parse(read("package.json"));
  for (const document of documents) {
    for (const [, name] of read(document).matchAll(/npm run ([a-z:-]*[a-z])/g))
      expect(Object.keys(scripts)).toContain(name);
  }
});

it("docs/operations.md lists every setting, and only real ones", () => {
  const [, table = ""] = read("docs/operations.md").split("## Settings");
  const listed = new Set(
    [...(table.split("## Production")[0] ?? "").matchAll(/`((?:TILLGATE_)?[A-Z_]{4,})`/g)].map(([, name]) => name),
  );
  const seen = new Set<string>();
  const env = new Proxy<Record<string, string>>(
    {},
    { get: (_target, name) => void seen.add(String(name)) as undefined },
  );
  loadConfig(env, "/");
  for (const name of seen) expect(listed.has(name) || name === "TILLGATE_AUTH_FAILURES_PER_SECOND", name).toBe(true);
  for (const name of listed) expect(seen.has(name ?? ""), name).toBe(true);
});
