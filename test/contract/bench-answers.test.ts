import { expect, it } from "vitest";
import { askAll, inRounds } from "../../bench/ask.mjs";

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
