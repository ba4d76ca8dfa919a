import { expect, it } from "vitest";
import { hasRight, RIGHTS, ROLES } from "../../src/core/people/rights.ts";
import { readDocument } from "./document-commands.ts";

it("docs/account.md has the table of roles and rights as it is enforced", () => {
  const rows = readDocument("docs/account.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const enforced = RIGHTS.map((right) => [
    `\`${right}\``,
    ...ROLES.map((role) => (hasRight(role, right) ? "yes" : "")),
  ]);
  expect(rows).toEqual(enforced);
});
