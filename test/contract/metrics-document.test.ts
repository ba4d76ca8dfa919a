import { expect, it } from "vitest";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { readDocument } from "./document-commands.ts";
import { listPanels, readDashboard } from "./monitoring-files.ts";

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

it("every metric that a rule or a panel in deploy/monitoring reads is one that the service has", async () => {
  const answer = await (await fetch(`${service.url()}/metrics`)).text();
  const served = new Map([...answer.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", type]) => [name, type]));
  const isServed = (name: string) =>
    served.has(name) || (name.endsWith("_bucket") && served.get(name.slice(0, -"_bucket".length)) === "histogram");
  const rules = readDocument("deploy/monitoring/alerts.yml");
  const expressions = listPanels(readDashboard()).flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const named = [rules, ...expressions].flatMap((text) => text.match(/\b(tillgate|nodejs|process)_\w+/g) ?? []);
  expect(new Set(named).size).toBeGreaterThan(40);
  expect([...new Set(named)].filter((name) => !isServed(name))).toEqual([]);
  const shown = new Set(expressions.flatMap((text) => text.match(/\btillgate_\w+/g) ?? []));
  const ours = [...served.keys()].filter((name) => name.startsWith("tillgate_"));
  expect(ours.filter((name) => !shown.has(name) && !shown.has(`${name}_bucket`))).toEqual([]);
});
