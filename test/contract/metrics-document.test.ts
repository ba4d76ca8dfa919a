import { expect, it } from "vitest";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { readDocument } from "./document-commands.ts";

const service = useTestService(useTestDatabase());

it("docs/operations.md lists every metric of ours with its type, and only those", async () => {
  const [, watching = ""] = readDocument("docs/operations.md").split("## Watching\n");
  const rows = [...watching.matchAll(/^\| `(tillgate_\w+)` \| (\w+) \| .+ \|$/gm)];
  const documented = rows.map(([, name, type]) => `${name} ${type}`);
  const answer = await (await fetch(`${service.url()}/metrics`)).text();
  const served = [...answer.matchAll(/^# TYPE (tillgate_\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  expect(served.length).toBeGreaterThan(20);
  expect(documented.toSorted()).toEqual(served.toSorted());
});
