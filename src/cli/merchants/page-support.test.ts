import { expect, it } from "vitest";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";

const { db } = useTestDatabase();
const tillgate = openCommandLine(db);
const { print } = outcomesOf(tillgate);

async function aProjectId(): Promise<string> {
  const { merchant_id } = JSON.parse(await print("merchant", "create", "Shop", "--json"));
  const made = await print("project", "create", "--merchant", merchant_id, "--name", "Web", "--book", "live", "--json");
  return JSON.parse(made).project_id;
}

it("the shop's contact is set, shown, and removed", async () => {
  const id = await aProjectId();
  const contact = ["--support-email", "Help@shop.example", "--support-phone", "+7 800 555-01-02"];
  const changed = await print("project", "set", id, ...contact, "--support-url", "https://shop.example/help");
  expect(changed).toMatch(
    /support-email +help@shop\.example\n.*support-phone +\+7 800 555-01-02\n.*support-url +https:/s,
  );
  await print("project", "set", id, "--support-phone", "none");
  const shown = await print("project", "show", id);
  expect(shown).toMatch(/support-email +help@shop\.example/);
  expect(shown).toMatch(/support-phone +none/);
});

it.each([
  ["--support-email", "shop", "--support-email must be an e-mail address"],
  ["--support-phone", "call", "--support-phone must be a phone number"],
  ["--support-url", "http://shop.example", "--support-url must be the address of a page"],
])("%s %s is refused, and nothing is changed", async (option, value, words) => {
  const id = await aProjectId();
  const { exitCode, errors } = await tillgate("project", "set", id, "--name", "Other", option, value);
  expect([exitCode, errors]).toEqual([2, expect.stringContaining(words)]);
  expect(await print("project", "show", id)).toMatch(/name +Web/);
});
