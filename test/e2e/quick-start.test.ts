import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, vi } from "vitest";
import { dataPlace } from "../../src/testing/run/data-place.ts";
import { longIt, shortIt } from "../../src/testing/run/run-form.ts";
import { type DocumentCommand, listCommands, readDocument } from "../contract/document-commands.ts";
import { openTranscript } from "./document-transcript.ts";

/**
 * The quick start as it is written, with its very commands, from a fresh clone to the callback of a success: `npm start` installs
 * and builds, as it does for a reader. `npm test` follows the README, which has the same calls.
 */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const document = readDocument("docs/guides/quick-start.md");
const START_TIMEOUT_MS = 600_000;

let clone = "";
const running: ChildProcess[] = [];

function makeClone(): void {
  clone = mkdtempSync(join(dataPlace(), "tillgate-quick-start-"));
  chmodSync(clone, 0o755);
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: ROOT, encoding: "utf8" });
  // A file that is removed and not committed yet is still listed, and so is a linked node_modules.
  const isThere = (file: string) => file !== "node_modules" && existsSync(join(ROOT, file));
  const input = files.trim().split("\n").filter(isThere).join("\n");
  execFileSync("sh", ["-c", 'tar -cf - -T - | tar -xf - -C "$1"', "sh", clone], { cwd: ROOT, input });
}

afterAll(async () => {
  for (const child of running.splice(0).reverse()) await stop(child);
  rmSync(clone, { recursive: true, force: true });
});

/** What the reader's shell has. The port is any free one: another program may have 8080. */
const options = () => ({ cwd: clone, env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: "0" } });

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

/** In a terminal of its own, which the reader leaves open. */
async function leaveRunning(command: string, until: string): Promise<() => string> {
  const child = spawn("sh", ["-c", `exec ${command}`], options());
  running.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  await vi.waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`${command} ended:\n${output}`);
      expect(output).toContain(until);
    },
    { timeout: START_TIMEOUT_MS, interval: 50 },
  );
  return () => output;
}

/** What the comments below a command say that it prints: members of JSON, or else their words. */
function expectedOf({ comments }: DocumentCommand): string[] {
  const members = [...comments.join("\n").matchAll(/"\w+": (?:"[^"]*"|\d+)/g)].map(([member]) => member);
  return members.length > 0 ? members : comments.map((comment) => comment.replace(/^# /, ""));
}

async function runInShell(step: DocumentCommand): Promise<void> {
  const expected = expectedOf(step);
  expect(expected).not.toEqual([]);
  // A reader asks again when the answer is not there yet; repeating a call never does anything twice.
  await vi.waitFor(
    async () => {
      const { stdout } = await promisify(execFile)("sh", ["-c", step.command], options());
      for (const text of expected) expect(stdout).toContain(text);
    },
    { timeout: 120_000, interval: 500 },
  );
}

longIt("leads from a fresh clone to the callback of a success", { timeout: 900_000 }, async () => {
  makeClone();
  const commands = listCommands(document);
  expect(commands.map(({ command }) => command.split(" ").slice(0, 2).join(" "))).toEqual([
    "npm start",
    "./tillgate call",
    "./tillgate listen",
    ...Array.from({ length: 4 }, () => "./tillgate call"),
    "sh examples/call.sh",
    "node examples/payin.mjs",
  ]);
  let heard = () => "";
  for (const step of commands) {
    if (step.command === "npm start") await leaveRunning(step.command, "Tillgate is running");
    else if (step.command.startsWith("./tillgate listen")) heard = await leaveRunning(step.command, "from now on");
    else await runInShell(step);
  }
  const shown = /^```text\n([\s\S]*?)^```/m.exec(document)?.[1] ?? "";
  await vi.waitFor(
    () => {
      const lines = heard()
        .split("\n")
        .filter((line) => line.includes("  order-1  "));
      const pair = openTranscript().pair(shown, lines.join("\n"));
      expect(pair.printed).toBe(pair.shown);
    },
    { timeout: 60_000, interval: 100 },
  );
  expect(shown).toContain("#5  success");
});

shortIt("names its own address, the desk's and the shop's as the service has them", () => {
  const addresses = [...document.matchAll(/http:\/\/127\.0\.0\.1:8080(\/[\w/]*)?/g)].map(([, path = "/"]) => path);
  expect(new Set(addresses)).toEqual(new Set(["/", "/sandbox", "/sandbox/shop"]));
});
