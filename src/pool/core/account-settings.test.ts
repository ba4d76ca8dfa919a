import { describe, expect, it } from "vitest";
import { readAccountCode, readAccountNumber, readCountry, readHours, showHours } from "./account-settings.ts";
import { maskAccountNumber, maskHolder } from "./mask-account.ts";

describe("a receiving account's settings", () => {
  it("take hours within a day and over midnight, and say them again", () => {
    expect(readHours("09:00-18:30")).toEqual({ ok: true, value: { opensAt: "09:00:00", closesAt: "18:30:00" } });
    expect(readHours("22:00-06:00")).toEqual({ ok: true, value: { opensAt: "22:00:00", closesAt: "06:00:00" } });
    for (const text of ["always", "00:00-23:59", "22:15-06:45"]) {
      const read = readHours(text);
      expect(read.ok ? showHours(read.value) : read.error).toBe(text);
    }
  });

  it.each(["9:00-18:00", "09:00-24:00", "09:60-18:00", "09:00", "09:00-09:00", "09:00-18:00\n", "Always", ""])(
    "refuse the hours %j",
    (text) => expect(readHours(text).ok).toBe(false),
  );

  it("take codes that an account of the ledger can bear", () => {
    for (const code of ["a", "main-sber", "7", "x".repeat(40)]) expect(readAccountCode(code).ok).toBe(true);
    for (const code of ["", "Main", "a--b", "-a", "a-", "a_b", "x".repeat(41)])
      expect(readAccountCode(code).ok).toBe(false);
  });

  it("take countries by their two letters", () => {
    expect(readCountry("RU")).toEqual({ ok: true, value: "RU" });
    for (const text of ["ru", "RUS", "R1", ""]) expect(readCountry(text).ok).toBe(false);
  });

  it("keep a number in the one form that statements are compared in", () => {
    expect(readAccountNumber("4081 7810-0000")).toEqual({ ok: true, value: "408178100000" });
    expect(readAccountNumber("no number").ok).toBe(false);
  });
});

describe("masks", () => {
  it("hide how long a name is, and all but the end of a number", () => {
    expect(maskHolder("IVAN  PETROVICH I.")).toBe("I*** P*** I***");
    expect(maskHolder("Ян")).toBe("Я***");
    expect(maskAccountNumber("40817810000000001234")).toBe("****************1234");
    expect(maskAccountNumber("1234")).toBe("****");
  });
});
