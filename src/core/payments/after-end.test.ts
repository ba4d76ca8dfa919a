import { describe, expect, it } from "vitest";
import type { Minor } from "../money.ts";
import { AFTER_END, judgeEnd, PROVIDER_WORDS, type UnprovenEnd, unprovenEndAfter } from "./after-end.ts";

/** Every cell a second time, as a picture: `=` agrees, P is posted, ! is an alert, ? is asked again. */
//                     mo ot no ne re pe un
// biome-ignore format: a picture
const PICTURE: Record<UnprovenEnd, string> = {
  elsewhere:        "P  P  =  =  =  ?  ?",
  through_provider: "=  !  !  !  !  ?  ?",
  declined:         "P  P  =  =  =  ?  ?",
};
const VERDICTS: Record<string, string> = { "=": "agrees", P: "post", "!": "alert", "?": "ask" };

const cells = (Object.entries(PICTURE) as [UnprovenEnd, string][]).flatMap(([ended, row]) =>
  row.split(/ +/).map((cell, index) => [ended, PROVIDER_WORDS[index] ?? "unknown", VERDICTS[cell]] as const),
);

describe("what a provider says after the end", () => {
  it.each(cells)("%s, %s → %s", (ended, word, verdict) => {
    const state = ended === "declined" ? "decline" : "success";
    expect(judgeEnd({ state, unprovenEnd: ended }, word)).toBe(verdict);
  });

  it("has all its cells in the picture", () => {
    expect(Object.keys(PICTURE)).toEqual(Object.keys(AFTER_END));
    expect(cells).toHaveLength(PROVIDER_WORDS.length * Object.keys(AFTER_END).length);
  });

  it.each(PROVIDER_WORDS)("%s is judged alike where the provider itself ended it", (word) => {
    expect(judgeEnd({ state: "success", unprovenEnd: null }, word)).toBe(AFTER_END.through_provider[word]);
    expect(judgeEnd({ state: "decline", unprovenEnd: null }, word)).toBe(AFTER_END.declined[word]);
  });
});

describe("an end by hand", () => {
  const sent = { provider: "first", reference: "r", receivedAmount: 0n as Minor, unprovenEnd: null };

  it("must be proved by the provider that has the request", () => {
    expect(unprovenEndAfter(sent, "operator_settled", "clearing:manual")).toBe("elsewhere");
    expect(unprovenEndAfter(sent, "operator_settled", "clearing:other")).toBe("elsewhere");
    expect(unprovenEndAfter(sent, "operator_settled", "clearing:first")).toBe("through_provider");
    expect(unprovenEndAfter(sent, "operator_declined", undefined)).toBe("declined");
  });

  it("needs no proof where no provider has a request, or the money had arrived", () => {
    for (const event of ["operator_settled", "operator_declined", "operator_cancelled"])
      expect(unprovenEndAfter({ ...sent, reference: null }, event, "clearing:manual")).toBeNull();
    const paid = { ...sent, receivedAmount: 400n as Minor };
    expect(unprovenEndAfter(paid, "operator_settled", "clearing:manual")).toBeNull();
  });

  it("stays what it was, whatever happens later", () => {
    const ended = { ...sent, unprovenEnd: "elsewhere" } as const;
    for (const event of ["approved", "contradicted", "received_other"])
      expect(unprovenEndAfter(ended, event, undefined)).toBe("elsewhere");
  });
});
