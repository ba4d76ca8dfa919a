import { describe, expect, it } from "vitest";
import { createTillgate, credentialsFromSandboxFile } from "../../sdk/src/index.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { listCommands, readDocument } from "../contract/document-commands.ts";
import { walkOf } from "./document-walk.ts";

/** The README's way through a payment, exactly as it is written there. */
const service = useTestService(useTestDatabase());
const { run, follow } = walkOf(service);
const readme = readDocument("README.md");
const [, walk = ""] = readme.split("## A payment\n");
const steps = listCommands(walk.split("\n## ")[0] ?? "");

async function roubles() {
  const credentials = credentialsFromSandboxFile(service.sandbox());
  const { balance } = await createTillgate({ baseUrl: service.url(), credentials }).balance.info();
  const { amount = 0, locked_amount = 0 } = balance.find(({ currency }) => currency === "RUB") ?? {};
  return { amount, locked_amount };
}

describe("the payment of the README", () => {
  it("is a pay-in, a payout and a look at the balance", () => expect(steps).toHaveLength(7));

  it("answers what the comments say, and moves the money", { timeout: 240_000 }, async () => {
    const before = await roubles();
    await follow(steps);
    expect(await roubles()).toEqual({ ...before, amount: before.amount + 243750 - 101000 });
  });

  it("is shown as the example file has it", () => {
    const shown = [...walk.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, block]) => block);
    const file = readDocument("examples/payin.mjs");
    expect(shown).toEqual([file.slice(file.indexOf("\n") + 1)]);
  });

  it("works with the SDK", { timeout: 240_000 }, async () => {
    const before = await roubles();
    const lines = (await run(process.execPath, "examples/payin.mjs")).trim().split("\n");
    expect(lines[0]).toMatch(/^The payer sends 250000 to \d{16}$/);
    expect(lines.slice(1)).toEqual(["Pay-in: success, and 243750 of it is ours", "Payout: success"]);
    expect(await roubles()).toEqual({ ...before, amount: before.amount + 243750 - 252500 });
  });
});
