import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { RUNBOOKS } from "../../src/app/alerts/alert-runbooks.ts";
import { ATTENTION_ENTRIES } from "../../src/core/attention/attention.ts";
import { longIt } from "../../src/testing/run/run-form.ts";
import { readDocument } from "./document-commands.ts";
import { listPanels, readDashboard } from "./monitoring-files.ts";

/** `deploy/monitoring`: what Prometheus and Grafana are given, without either of them. */
type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
};
type RuleFile = { readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[] };

const rules = (parse(readDocument("deploy/monitoring/alerts.yml")) as RuleFile).groups.flatMap((group) => group.rules);
const dashboard = readDashboard();

it("every alert has a section in docs/operations.md that its runbook_url names, and every section an alert", () => {
  const [, section = ""] = readDocument("docs/operations.md").split("## Alerts and what to do\n");
  const headings = [...section.matchAll(/^### (\w+)$/gm)].map(([, name = ""]) => name);
  expect(rules.length).toBeGreaterThan(30);
  expect(headings).toEqual(rules.map(({ alert }) => alert));
  for (const { alert, labels, annotations } of rules) {
    expect(annotations.runbook_url).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    expect(["page", "ticket"]).toContain(labels.severity);
  }
});

it("every entry of attention has an alert that says what to do", () => {
  const alerts = rules.map(({ alert }) => alert);
  expect(ATTENTION_ENTRIES.filter((entry) => !alerts.includes(RUNBOOKS[entry].alert))).toEqual([]);
});

it("every alert is tried by a test that expects it to fire", () => {
  const tried = readDocument("deploy/monitoring/alerts.test.yml");
  expect(rules.filter(({ alert }) => !tried.includes(`alertname="${alert}", alertstate="firing"`))).toEqual([]);
});

it("the dashboard has panels with ids of their own, that do not overlap and read the chosen data source", () => {
  const { panels, templating } = dashboard;
  const ids = panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(templating.list.map(({ name }) => name)).toEqual(["datasource", "book"]);
  const taken = new Set<string>();
  for (const { gridPos, title } of panels) {
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect(taken.has(`${x} ${y}`), title).toBe(false);
        taken.add(`${x} ${y}`);
      }
    }
  }
  for (const { title, datasource, targets, description } of listPanels(dashboard)) {
    const from = [datasource, ...targets.map((target) => target.datasource)];
    expect(new Set(from.map((each) => each?.uid)), title).toEqual(new Set(["$" + "{datasource}"]));
    expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
    expect(description, title).not.toBe("");
  }
});

function hasPromtool(): boolean {
  try {
    execFileSync("promtool", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const isMissing = !hasPromtool();
if (isMissing) {
  process.stderr.write("\nSKIPPED: the rules in deploy/monitoring need promtool, which this machine lacks.\n\n");
}

describe.skipIf(isMissing)("promtool", () => {
  const file = (name: string) => fileURLToPath(new URL(`../../deploy/monitoring/${name}`, import.meta.url));
  const promtool = (...words: string[]) => execFileSync("promtool", words, { encoding: "utf8", stdio: "pipe" });

  it("accepts the configuration and its rules", () => {
    expect(promtool("check", "config", file("prometheus.yml"))).toContain(`SUCCESS: ${rules.length} rules found`);
  });

  longIt("finds that each rule fires when it should, and not when it should not", { timeout: 180_000 }, () => {
    expect(promtool("test", "rules", file("alerts.test.yml"))).toContain("SUCCESS");
  });

  it("can read every expression of the dashboard", () => {
    const directory = mkdtempSync(join(tmpdir(), "tillgate-dashboard-"));
    const expressions = listPanels(dashboard).flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const recorded = expressions.map((expr, place) => ({
      ...{ record: "panel:expr", expr: expr.replaceAll("$book", "live") },
      labels: { place: String(place) },
    }));
    // YAML reads JSON too.
    const text = JSON.stringify({ groups: [{ name: "panels", rules: recorded }] });
    writeFileSync(join(directory, "panels.yml"), text);
    try {
      expect(expressions.length).toBeGreaterThan(40);
      expect(promtool("check", "rules", join(directory, "panels.yml"))).toContain(`${expressions.length} rules found`);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
