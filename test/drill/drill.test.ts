import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
// @ts-expect-error: a tool without types
import { doubledAmounts, longestGap, lostPayments, percentile, tally } from "../../tools/drill/figures.mjs";
// @ts-expect-error: a tool without types
import { fillTemplate } from "../../tools/drill/fill-template.mjs";
// @ts-expect-error: a tool without types
import { readOptions } from "../../tools/drill/options.mjs";
// @ts-expect-error: a tool without types
import { SCENARIOS, SHORT } from "../../tools/drill/scenarios.mjs";
// @ts-expect-error: a tool without types
import { faultsOf, placeReport, renderReport, renderResults, renderTable } from "../../tools/drill/table.mjs";

/** What the drill computes, without a cluster. */
describe("the longest gap", () => {
  it("is between two of the times", () => {
    expect(longestGap([100, 200, 900, 950], 0, 1_000)).toEqual({ ms: 700, fromMs: 200, toMs: 900 });
  });

  it("may be before the first or after the last, and times outside do not count", () => {
    expect(longestGap([600, 700, 5_000], 0, 1_000)).toEqual({ ms: 600, fromMs: 0, toMs: 600 });
    expect(longestGap([100, -50], 0, 1_000)).toEqual({ ms: 900, fromMs: 100, toMs: 1_000 });
  });

  it("is all of it when there was nothing", () => {
    expect(longestGap([], 0, 1_000)).toEqual({ ms: 1_000, fromMs: 0, toMs: 1_000 });
  });
});

it("a percentile is the nearest rank", () => {
  const hundred = Array.from({ length: 100 }, (_, place) => 100 - place);
  expect([percentile(hundred, 99), percentile(hundred, 50), percentile([7], 99), percentile([], 99)]).toEqual([
    99,
    50,
    7,
    undefined,
  ]);
});

it("a tally has the most frequent first", () => {
  expect(tally(["503", "200", "200", "cut off"])).toEqual([
    ["200", 2],
    ["503", 1],
    ["cut off", 1],
  ]);
});

it("a payment is lost when the database does not have it, or has it under another id", () => {
  const acknowledged = new Map(["a", "b", "c"].map((paymentId) => [paymentId, { requestId: `r-${paymentId}` }]));
  const stored = [
    { paymentId: "a", requestId: "r-a" },
    { paymentId: "b", requestId: "r-other" },
  ];
  expect(lostPayments(acknowledged, stored).map(([paymentId]: [string]) => paymentId)).toEqual(["b", "c"]);
});

it("a payout is doubled when its amount left twice", () => {
  expect(doubledAmounts(["10100", "10200", "10100"])).toEqual([["10100", 2]]);
});

describe("templates", () => {
  it("are filled in, but for their comments", () => {
    expect(fillTemplate(`# \${A} is the name\nname: \${A}:\${B}\n; \${A}`, { A: "x", B: 2 })).toBe(
      `# \${A} is the name\nname: x:2\n; \${A}`,
    );
  });

  it("must not drift apart from their values", () => {
    expect(() => fillTemplate(`name: \${A}`, {})).toThrow("needs a value for A");
    expect(() => fillTemplate("name: x", { A: 1 })).toThrow("does not use A");
  });

  it("a primary gives up its key before another server takes it", () => {
    const { bootstrap } = parse(readFileSync("deploy/patroni/patroni.yaml", "utf8"));
    const { ttl, loop_wait, retry_timeout, synchronous_mode_strict, failsafe_mode } = bootstrap.dcs;
    expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl);
    expect([synchronous_mode_strict, failsafe_mode]).toEqual([true, true]);
    const afterTtl = SCENARIOS.find(({ name }: { name: string }) => name === "kill-primary").aimS;
    expect(afterTtl).toBe(ttl + 15);
  });
});

const RESULT = {
  ...{ name: "kill-api", title: "kill -9 of an api", aimS: 5, gapMs: 1_240, p99Ms: 315, inFlightMs: 3_000 },
  answers: [
    ["200", 734],
    ["503", 3],
  ],
  ...{ lost: 0, doubled: 0, callbacksLost: 0, unfinished: 0, unknown: 2, ledger: "correct", errorLines: 0 },
};

describe("the table", () => {
  it("has a row for each scenario", () => {
    const [head = "", rule, row] = renderTable([RESULT]).split("\n");
    expect(head.split("|")).toHaveLength(13);
    expect(rule).toMatch(/^\| ---( \| ---){10} \|$/);
    expect(row).toBe(
      "| kill -9 of an api | 1.2 (5) | 734 × 200, 3 × 503 | 0.32 s | 3.0 s | 0 | 0 | 0 | 2 | correct | 0 |",
    );
  });

  it("replaces what is between the markers, and nothing else", () => {
    const document = "before\n<!-- drill: begin -->\nold\n<!-- drill: end -->\nafter";
    expect(placeReport(document, "new")).toBe("before\n<!-- drill: begin -->\n\nnew\n\n<!-- drill: end -->\nafter");
    expect(() => placeReport("no markers", "new")).toThrow("has no");
    expect(placeReport(readFileSync("docs/reliability.md", "utf8"), "new")).toContain("\n\nnew\n\n");
  });

  it("a machine that stood still is named below it", () => {
    expect(renderResults([{ ...RESULT, stallMs: 900 }])).toBe(renderTable([RESULT]));
    expect(renderResults([{ ...RESULT, stallMs: 70_000 }])).toContain(
      "kill-api: the drill itself did not run for 70.0 s",
    );
  });

  it("what is lost, doubled or wrong is a fault; a missed aim is not", () => {
    expect(faultsOf({ ...RESULT, gapMs: 60_000 })).toEqual([]);
    const broken = { lost: 1, doubled: 2, callbacksLost: 3, unfinished: 4, ledger: "2 violations" };
    expect(faultsOf({ ...RESULT, ...broken })).toEqual([
      "kill-api: 1 acknowledged payments were lost",
      "kill-api: 2 payouts were paid twice",
      "kill-api: 3 callbacks were lost",
      "kill-api: 4 payments did not end",
      "kill-api: the ledger check says 2 violations",
    ]);
  });
});

describe("a restore", () => {
  const restore = {
    ...{ name: "restore", acknowledged: 5, repeated: 5, paused: true, why: "recovery_target", endedWhilePaused: 0 },
    ...{ checked: "passed", paid: 5, doubled: 0, ledger: "correct" },
  };

  it("is a sentence below the table", () => {
    const about = { date: "2026-01-31", commit: "abc", machine: "2 cores", versions: { etcd: "3.4.23" }, rate: 60 };
    const report = renderReport([RESULT, restore], about);
    expect(report).toContain("with etcd 3.4.23, 60 requests a second.");
    expect(report).toContain("noticed it (recovery_target) and started paused");
    expect(report).toContain("5 of 5 paid, 0 of them twice; the ledger check says correct.");
  });

  it("must be noticed, and must send nothing", () => {
    expect(faultsOf(restore)).toEqual([]);
    expect(
      faultsOf({ ...restore, paused: false, endedWhilePaused: 2, checked: "3 violations", paid: 4, doubled: 1 }),
    ).toEqual([
      "restore: the service did not start paused",
      "restore: 2 payouts went on before the resume",
      "restore: restore check did not pass: 3 violations",
      "restore: 4 of 5 payouts were paid",
      "restore: 1 payouts were paid twice",
    ]);
  });
});

describe("options", () => {
  const names = SCENARIOS.map(({ name }: { name: string }) => name);

  it("name scenarios that exist", () => {
    expect(readOptions(["--only", "kill-api,switchover", "--write"], names)).toEqual({
      rate: 60,
      only: ["kill-api", "switchover"],
      write: true,
    });
    expect(SHORT.every((name: string) => names.includes(name))).toBe(true);
  });

  it.each([
    [["--only", "kill-all"], '"kill-all" is not a scenario'],
    [["--only"], '"" is not a scenario'],
    [["--rate", "many"], "--rate is a number"],
    [["kill-api"], "kill-api is not an option"],
  ])("refuse %j", (words, sentence) => {
    expect(readOptions(words, names).fault).toContain(sentence);
  });
});
