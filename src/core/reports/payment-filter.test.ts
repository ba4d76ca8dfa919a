import { describe, expect, it } from "vitest";
import { readPaymentQuestion } from "./payment-filter.ts";

function faultsOf(query: Record<string, string>): string[] {
  const question = readPaymentQuestion(query);
  return question.ok ? [] : (question.error.fields ?? []).map(({ field, code }) => `${field} ${code}`);
}

describe("the parameters of a list of payments", () => {
  it("are refused when they are not known, all of them at once", () => {
    expect(faultsOf({ stauts: "success", limit: "5", min: "x" })).toEqual([
      "stauts unknown_member",
      "limit unknown_member",
      "min bad_format",
    ]);
  });

  it("are refused when they have a wrong form", () => {
    const wrong = [
      ...[{ direction: "in" }, { status: "" }, { status: "succes" }, { status: "success," }, { method: "cash" }],
      ...[{ currency: "rub" }, { min: "0" }, { min: "-1" }, { min: "1.5" }, { max: "99999999999999999" }],
      ...[{ from: "yesterday" }, { from: "2026-02-30" }, { to: "2026-01-01T00:00:00+03:00" }, { project: "x" }],
      ...[{ customer: "" }, { customer: "a\u0000" }, { q: "x".repeat(256) }, { sort: "fee" }, { order: "up" }],
      ...[{ cursor: "x" }, { cursor: `${"a".repeat(32)}.` }, { constructor: "x" }, { toString: "x" }],
    ] as Record<string, string>[];
    for (const query of wrong) expect(faultsOf(query), JSON.stringify(query)).toHaveLength(1);
  });

  it("are refused when they contradict each other", () => {
    expect(faultsOf({ min: "5", max: "4" })).toEqual(["max not_allowed"]);
    expect(faultsOf({ from: "2026-01-02", to: "2026-01-01" })).toEqual(["to not_allowed"]);
    expect(faultsOf({ from: "2026-01-02", to: "2026-01-02" })).toEqual([]);
  });

  it("take a status for all of its states, and a day as whole", () => {
    const question = readPaymentQuestion({ status: "dispute", from: "2026-01-01", to: "2026-01-31" });
    if (!question.ok) throw new Error(question.error.description);
    const { states, from, to } = question.value.filter;
    expect(states).toHaveLength(6);
    expect([from, to]).toEqual([new Date("2026-01-01T00:00:00Z"), new Date("2026-02-01T00:00:00Z")]);
  });
});
