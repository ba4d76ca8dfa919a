import { describe, expect, it } from "vitest";
import { NO_SBP_CODE } from "../merchants/bank.ts";
import { readBankMap } from "./bank-map-file.ts";
import { type MatchedBank, matchBanks } from "./match-banks.ts";

function bank(symbol: string, name: string, sbpCode: string = NO_SBP_CODE, countryCode = "RU"): MatchedBank {
  return { symbol, names: [name], sbpCode, countryCode };
}

describe("banks of two lists are matched", () => {
  it("by the file, then the code, then the name within the country", () => {
    const ours = [
      bank("sberbank", "Сбербанк", "100000000111"),
      bank("kaspi-bank", "Kaspi Bank", undefined, "KZ"),
      bank("halyk-bank", "Halyk Bank", undefined, "KZ"),
      bank("vtb", "ВТБ", "100000000005"),
    ];
    const theirs = [
      bank("sber", "Sber", "100000000111"),
      bank("kaspi", "KASPI-bank", undefined, "KZ"),
      bank("halyk-uz", "Halyk Bank", undefined, "UZ"),
      bank("vtb-24", "VTB 24"),
    ];
    expect(matchBanks(ours, theirs, [{ symbol: "vtb", theirSymbol: "vtb-24" }])).toEqual({
      pairs: [
        { symbol: "vtb", theirSymbol: "vtb-24", source: "file" },
        { symbol: "sberbank", theirSymbol: "sber", source: "code" },
        { symbol: "kaspi-bank", theirSymbol: "kaspi", source: "name" },
      ],
      ambiguous: [],
      unmatchedOurs: ["halyk-bank"],
      unmatchedTheirs: ["halyk-uz"],
    });
  });

  it("in any script", () => {
    const [pair] = matchBanks([bank("sberbank", "Сбербанк")], [bank("x", "Sberbank")], []).pairs;
    expect(pair).toEqual({ symbol: "sberbank", theirSymbol: "x", source: "name" });
  });

  it("not by the name where both have codes and these differ", () => {
    const match = matchBanks([bank("a", "Bank", "100000000001")], [bank("b", "Bank", "100000000002")], []);
    expect(match).toMatchObject({ pairs: [], ambiguous: [], unmatchedOurs: ["a"], unmatchedTheirs: ["b"] });
  });

  it.each([
    ["two of theirs for one of ours", ["a"], ["x", "y"]],
    ["two of ours for one of theirs", ["a", "b"], ["x"]],
    ["two for two", ["a", "b"], ["x", "y"]],
  ])("not at all where it is ambiguous: %s", (_name, ours, theirs) => {
    for (const code of ["100000000001", NO_SBP_CODE]) {
      const match = matchBanks(
        ours.map((symbol) => bank(symbol, "Bank", code)),
        theirs.map((symbol) => bank(symbol, "Bank", code)),
        [],
      );
      const by = code === NO_SBP_CODE ? "name" : "code";
      expect(match).toEqual({ pairs: [], ambiguous: [{ by, ours, theirs }], unmatchedOurs: [], unmatchedTheirs: [] });
    }
  });

  it("what hangs together through several names is one riddle", () => {
    const ours = [{ ...bank("a", "First"), names: ["First", "Second"] }, bank("b", "Third")];
    const match = matchBanks(ours, [bank("x", "First"), bank("y", "Second"), bank("z", "Third")], []);
    expect(match.ambiguous).toEqual([{ by: "name", ours: ["a"], theirs: ["x", "y"] }]);
    expect(match.pairs).toEqual([{ symbol: "b", theirSymbol: "z", source: "name" }]);
  });

  it("the file decides what is ambiguous, and the rest of it is then clear", () => {
    const code = "100000000001";
    const match = matchBanks(
      [bank("a", "Bank", code), bank("b", "Bank", code)],
      [bank("x", "Bank", code), bank("y", "Bank", code)],
      [{ symbol: "a", theirSymbol: "y" }],
    );
    expect(match.pairs).toEqual([
      { symbol: "a", theirSymbol: "y", source: "file" },
      { symbol: "b", theirSymbol: "x", source: "code" },
    ]);
  });
});

describe("an operator's file of pairs", () => {
  const known = { ours: new Set(["a", "b"]), theirs: new Set(["x", "y"]) };
  const read = (text: string, theirs: ReadonlySet<string> | undefined = known.theirs) =>
    readBankMap(text, { ...known, theirs });

  it("is read whole", () => {
    expect(read("\uFEFFOurs ; theirs\r\na;x\r\nb;y\r\n")).toEqual({
      ok: true,
      value: [
        { symbol: "a", theirSymbol: "x" },
        { symbol: "b", theirSymbol: "y" },
      ],
    });
    expect(read("ours,theirs\n")).toEqual({ ok: true, value: [] });
  });

  it("may name any bank of theirs before their list was read", () => {
    expect(readBankMap("ours,theirs\na,new\n", { ours: known.ours, theirs: undefined })).toMatchObject({ ok: true });
  });

  it.each([
    ["", "line 1: the header must be ours,theirs"],
    ["theirs,ours\na,x\n", "line 1: the header must be ours,theirs"],
    ["ours,theirs\nc,x\n", 'line 2: there is no bank "c" here'],
    ["ours,theirs\na,z\n", 'line 2: the provider lists no bank "z"'],
    ["ours,theirs\na,\n", "line 2: their symbol must have 1 to 64 characters"],
    ["ours,theirs\na,x,1\n", "line 2: 3 fields where the header has 2"],
    ["ours,theirs\na,x\na,y\n", 'line 3: our bank "a" is on line 2 already'],
    ["ours,theirs\na,x\nb,x\n", 'line 3: their bank "x" is on line 2 already'],
    ['ours,theirs\n"a,x\n', "line 2: a quoted field does not end properly"],
  ])("%j is refused: %s", (text, sentence) => {
    const refused = read(text);
    expect(refused.ok ? "" : refused.error.join("\n")).toContain(sentence);
  });
});
