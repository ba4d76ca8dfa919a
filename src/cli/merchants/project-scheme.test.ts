import { expect, it } from "vitest";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";

const { db } = useTestDatabase();
const tillgate = openCommandLine(db);
const { print } = outcomesOf(tillgate);

/** One line: what the weakness is, and the command that ends it. */
const WARNING = /^Signature scheme 1 does not bind the path: .* Require scheme 2: tillgate (project set \S+ .*)$/m;

async function aNewProject(): Promise<{ readonly id: string; readonly printed: string }> {
  const { merchant_id } = JSON.parse(await print("merchant", "create", "Shop", "--json"));
  const printed = await print("project", "create", "--merchant", merchant_id, "--name", "Web", "--book", "live");
  return { id: /project (\S+)/.exec(printed)?.[1] ?? "", printed };
}

it("project create and project show say that scheme 1 does not bind the path, and how to require scheme 2", async () => {
  const { id, printed } = await aNewProject();
  expect(printed).toMatch(WARNING);
  const shown = await print("project", "show", id);
  const command = WARNING.exec(shown)?.[1] ?? "";
  expect(command).toContain(id);
  // The command that the line names does what it says, and then there is nothing left to say.
  await print(...command.split(" "));
  expect(JSON.parse(await print("project", "show", id, "--json"))).toMatchObject({ scheme2_only: true });
  expect(await print("project", "show", id)).not.toMatch(WARNING);
});

it("the one who allows scheme 1 again is told too", async () => {
  const { id } = await aNewProject();
  expect(await print("project", "set", id, "--scheme2-only", "on")).not.toMatch(WARNING);
  expect(await print("project", "set", id, "--scheme2-only", "off")).toMatch(WARNING);
  expect(await print("project", "set", id, "--rate", "5")).not.toMatch(WARNING);
});
