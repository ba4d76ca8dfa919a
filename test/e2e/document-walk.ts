import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, vi } from "vitest";
import type { TestService } from "../../src/testing/service/test-service.ts";
import type { DocumentCommand } from "../contract/document-commands.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Runs what a document shows, as it stands there, against a service of the test's own. */
export function walkOf(service: TestService) {
  const options = () => ({
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      TILLGATE_DATA_DIR: service.stateDir,
      TILLGATE_SANDBOX: join(service.stateDir, "sandbox.json"),
    },
  });
  const run = async (program: string, ...words: string[]) =>
    (await promisify(execFile)(program, words, options())).stdout;
  return {
    run,
    /** Every command answers what the comments below it say. */
    follow: async (steps: readonly DocumentCommand[]): Promise<void> => {
      for (const { command, comments } of steps) {
        const said = [...comments.join("\n").matchAll(/"\w+": (?:"[^"]*"|\d+)/g)].map(([members]) => members);
        expect(said.length).toBeGreaterThan(0);
        // A person asks again when the answer is not there yet; repeating a command never does anything twice. Each time costs
        // half a second of processor time, which the service needs to get there.
        await vi.waitFor(
          async () => {
            const printed = await run("sh", "-c", command);
            for (const members of said) expect(printed).toContain(members);
          },
          { timeout: 60_000, interval: 500 },
        );
      }
    },
    /** A program that waits for somebody: `hear` is given each line it prints. Answers all of them. */
    converse: async (words: readonly string[], hear: (line: string) => Promise<unknown>): Promise<string[]> => {
      const child = spawn(process.execPath, words, { ...options(), stdio: ["ignore", "pipe", "inherit"] });
      const lines: string[] = [];
      for await (const line of createInterface({ input: child.stdout })) {
        lines.push(line);
        await hear(line);
      }
      return lines;
    },
  };
}
