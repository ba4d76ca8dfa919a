import { expect, it } from "vitest";
import { askAll, inRounds, oneByOne } from "../../bench/ask.mjs";
import { asMarkdown, asText } from "../../bench/report.mjs";

/** A benchmark that fails says what it has, and the next one is asked. */
const answer = (question: string) => ({ question, rows: [], notes: [] });

it("asks the next question after one that failed, and names those that did", async () => {
  const printed: string[] = [];
  const questions = {
    first: async () => answer("how fast?"),
    second: () => Promise.reject(new Error("deadlock detected")),
    third: async () => answer("how many?"),
  };
  const { results, failed } = await askAll(questions, ({ question, failure }) => {
    printed.push(failure === undefined ? question : `${question}: ${failure}`);
  });
  expect(printed).toEqual(["how fast?", "second: deadlock detected", "how many?"]);
  expect(Object.keys(results)).toEqual(["first", "second", "third"]);
  expect(failed).toEqual(["second"]);
});

it("answers the rounds before one that failed, with the reason", async () => {
  const measure = async (round: number) => {
    if (round === 2) throw new Error("deadlock detected");
    return round;
  };
  expect(await inRounds(5, measure)).toEqual({ rounds: [0, 1], failure: "round 3 of 5: deadlock detected" });
  expect(await inRounds(2, measure)).toEqual({ rounds: [0, 1], failure: undefined });
  await expect(inRounds(3, () => measure(2))).rejects.toThrow("deadlock detected");
});

it("answers the items before one that failed, with the reason", async () => {
  const items = [{ name: "create" }, { name: "info" }, { name: "balance" }];
  const measure = async ({ name }: { name: string }) => {
    if (name === "info") throw new Error("the server closed a connection");
    return name.length;
  };
  expect(await oneByOne(items, measure)).toEqual({
    figures: { create: 6 },
    failure: "the server closed a connection",
  });
});

it("shows the columns that have figures, and says what failed", () => {
  const rows = [
    { name: "create", ratio: 1.234, of: "bare transaction", aim: 1, met: true, perSecond: 4321.9 },
    { name: "bare transaction", perSecond: 3500 },
  ];
  const published = { question: "how fast?", rows, notes: ["A note."], published: true, failure: "round 2: no\nmore" };
  expect(asMarkdown("calls", published)).toBe(
    [
      "### calls",
      "How fast?.",
      [
        "|  | ratio | of | aim | met | a second |",
        "|---|---:|---:|---:|---:|---:|",
        "| create | 1.23 | bare transaction | 1.00 | yes | 4322 |",
        "| bare transaction |  |  |  |  | 3500 |",
      ].join("\n"),
      "A note.",
      "**Failed:** round 2: no",
    ].join("\n\n"),
  );
  expect(asText({ ...published, columns: [["each", "perSecond", 1]] })).toContain("bare transaction  3500.0");
});
