import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../../commands.ts";
import type { Command } from "../command.ts";
import { bashCompletion } from "./bash.ts";
import { completionTable } from "./completion-table.ts";
import { fishCompletion } from "./fish.ts";
import { zshCompletion } from "./zsh.ts";

const table = completionTable(COMMANDS);
const A_COMMAND: Command = { name: "a", summary: "", arguments: [], options: {}, run: async () => 0 };
const home = mkdtempSync(join(tmpdir(), "tillgate-completion-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function isOnTheMachine(shell: string): boolean {
  return spawnSync(shell, ["-c", "exit 0"]).status === 0;
}

/** The words that bash itself offers for each of these lines; its own function is called as bash calls it for the Tab key. */
function completeInBash(lines: readonly (readonly string[])[]): string[][] {
  const script = join(home, "tillgate.bash");
  writeFileSync(script, bashCompletion(table));
  const asks = lines.map((words) => {
    const array = words.map((word) => `'${word}'`).join(" ");
    return `COMP_WORDS=(${array}); COMP_CWORD=${words.length - 1}; COMPREPLY=(); _tillgate; echo "\${COMPREPLY[*]}"`;
  });
  const program = `set -eu\nsource '${script}'\nset +e\n${asks.join("\n")}\n`;
  const { stdout, stderr, status } = spawnSync("bash", ["--norc", "-c", program], { cwd: home, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ").filter((word) => word !== ""));
}

describe.skipIf(!isOnTheMachine("bash"))("completion by a real bash", () => {
  beforeAll(() => {
    writeFileSync(join(home, "keys.json"), "{}");
    writeFileSync(join(home, "my vectors.json"), "{}");
  });

  it("completes commands, options and fixed words", () => {
    const expected: [string[], string[]][] = [
      [
        ["tillgate", "pay"],
        ["payin", "payout", "payment"],
      ],
      [["./tillgate", "trig"], ["trigger"]],
      [
        ["tillgate", "project", ""],
        ["create", "list", "show", "set"],
      ],
      [["tillgate", "callback", "key", "r"], ["rotate"]],
      [["tillgate", "payout", "l"], ["list"]],
      [
        ["tillgate", "payout", "1000.00", "K"],
        ["KZT", "KGS"],
      ],
      [["tillgate", "payin", "2500.00", "RUB", "--w"], ["--wait"]],
      [
        ["tillgate", "trigger", "payout.dispute"],
        [
          "payout.dispute",
          "payout.dispute.payout_failed",
          "payout.dispute.incorrect_requisites",
          "payout.dispute.payout_timeout",
        ],
      ],
      [["tillgate", "call", "/api/v1/bal"], ["/api/v1/balance/info"]],
      [["tillgate", "call", "/x", "--algorithm", "HMAC-SHA512-"], ["HMAC-SHA512-V2"]],
      [["tillgate", "call", "/x", "--algorithm", "=", "RSA-SHA256-"], ["RSA-SHA256-V2"]],
      [
        ["tillgate", "project", "create", "--book", ""],
        ["test", "live"],
      ],
      [["tillgate", "project", "create", "--book", "test", "--n"], ["--name"]],
      [["tillgate", "call", "--credentials", "k"], ["keys.json"]],
      [
        ["tillgate", "vectors", "check", "my"],
        ["my", "vectors.json"],
      ],
      [
        ["tillgate", "pause", "provider", ""],
        ["sandbox", "pool"],
      ],
      [
        ["tillgate", "completion", ""],
        ["bash", "zsh", "fish"],
      ],
      [["tillgate", "payin", ""], []],
      [["tillgate", "payin", "--payment-id", "p"], []],
      [["tillgate", "nonsense", ""], []],
      [["tillgate", "call", "/x; touch $(echo bad)", "--ver"], ["--verbose"]],
    ];
    const offered = completeInBash(expected.map(([words]) => words));
    expect(expected.map(([words], index) => [words, offered[index]])).toEqual(expected);
  });

  it("knows every command by its words, and every option of it", () => {
    const asks = table.flatMap(({ name }) => [
      ["tillgate", ...name.split(" ")],
      ["tillgate", ...name.split(" "), "--"],
    ]);
    const offered = completeInBash(asks);
    for (const [index, { name, options }] of table.entries()) {
      expect([name, offered[2 * index]]).toEqual([name, expect.arrayContaining([name.split(" ").at(-1)])]);
      expect([name, offered[2 * index + 1]]).toEqual([name, options.map((option) => option.name)]);
    }
  });
});

describe.each([
  ["bash", bashCompletion],
  ["zsh", zshCompletion],
  ["fish", fishCompletion],
] as const)("the script for %s", (shell, render) => {
  it("has every command, option and fixed word", () => {
    const script = render(table);
    for (const { name, options, arguments: values } of table) {
      for (const word of name.split(" ")) expect(script).toContain(word);
      for (const { name: option } of options)
        expect(script).toContain(shell === "fish" ? `-l ${option.slice(2)} ` : option);
      for (const value of values) if (value.kind === "words") expect(script).toContain(value.words.join(" "));
    }
  });

  it.skipIf(!isOnTheMachine(shell))("is read by the shell without a fault", () => {
    const file = join(home, `tillgate.${shell}`);
    writeFileSync(file, render(table));
    const { status, stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  });
});

it("no help can end the quotes of a fish script", () => {
  const [line = ""] = fishCompletion(completionTable([{ ...A_COMMAND, summary: "it's \\' here" }]))
    .split("\n")
    .filter((each) => each.includes("here"));
  expect(line).toMatch(/-d 'it\\'s \\\\\\' here'$/);
});

it("a fixed word that a shell would read otherwise is a fault of the command table", () => {
  const command = { ...A_COMMAND, arguments: ["X"], argumentWords: { X: ["$(reboot)"] } };
  expect(() => completionTable([command])).toThrow("cannot be completed");
});
