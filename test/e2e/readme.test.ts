import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { createTillgate, credentialsFromSandboxFile } from "../../sdk/src/index.ts";
import { useTestDatabase } from "../../src/testing/test-database.ts";
import { useTestService } from "../../src/testing/test-service.ts";
import { listCommands, readDocument } from "../contract/document-commands.ts";

/** The README's way through a payment, exactly as it is written there. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const service = useTestService(useTestDatabase());
const readme = readDocument("README.md");
const [, walk = ""] = readme.split("## A payment\n");
const steps = listCommands(walk.split("\n## ")[0] ?? "");

async function run(program: string, ...words: string[]): Promise<string> {
  const sandbox = join(service.stateDir, "sandbox.json");
  const env = { PATH: process.env.PATH, TILLGATE_DATA_DIR: service.stateDir, TILLGATE_SANDBOX: sandbox };
  return (await promisify(execFile)(program, words, { cwd: ROOT, env })).stdout;
}

async function roubles() {
  const credentials = credentialsFromSandboxFile(service.sandbox());
  const { balance } = await createTillgate({ baseUrl: service.url(), credentials }).balance.info();
  const { amount = 0, locked_amount = 0 } = balance.find(({ currency }) => currency === "RUB") ?? {};
  return { amount, locked_amount };
}

describe("the payment of the README", () => {
  it("is a pay-in, a payout and a look at the balance", () => expect(steps).toHaveLength(7));

  it("answers what the comments say, and moves the money", { timeout: 60_000 }, async () => {
    const before = await roubles();
    for (const { command, comments } of steps) {
      const said = [...comments.join("\n").matchAll(/"\w+": (?:"[^"]*"|\d+)/g)].map(([members]) => members);
      expect(said.length).toBeGreaterThan(0);
      // A person asks again when the answer is not there yet; repeating a command never does anything twice.
      await vi.waitFor(
        async () => {
          const printed = await run("sh", "-c", command);
          for (const members of said) expect(printed).toContain(members);
        },
        { timeout: 15_000, interval: 100 },
      );
    }
    expect(await roubles()).toEqual({ ...before, amount: before.amount + 243750 - 101000 });
  });

  it("is shown as the example file has it", () => {
    const shown = [...walk.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, block]) => block);
    const file = readFileSync(join(ROOT, "examples", "payin.mjs"), "utf8");
    expect(shown).toEqual([file.slice(file.indexOf("\n") + 1)]);
  });

  it("works with the SDK", { timeout: 60_000 }, async () => {
    const before = await roubles();
    const lines = (await run(process.execPath, "examples/payin.mjs")).trim().split("\n");
    expect(lines[0]).toMatch(/^The payer sends 250000 to \d{16}$/);
    expect(lines.slice(1)).toEqual(["Pay-in: success, and 243750 of it is ours", "Payout: success"]);
    expect(await roubles()).toEqual({ ...before, amount: before.amount + 243750 - 252500 });
  });
});
