import { describe, expect, it } from "vitest";
import { makeSymbol, NO_SBP_CODE, transliterate } from "./bank.ts";
import { readBankFile } from "./bank-import.ts";
import { findLookFaults } from "./bank-look.ts";
import { readLookFile } from "./bank-look-file.ts";
import { BANK_SEED } from "./bank-seed.ts";

describe("symbols", () => {
  it.each([
    ["Sberbank", "sberbank"],
    ["T-Bank", "t-bank"],
    ["Credit Bank of Moscow", "credit-bank-of-moscow"],
    ["Bank DOM.RF", "bank-dom-rf"],
    ["Сбербанк", "sberbank"],
    ["Банк «Санкт-Петербург»", "bank-sankt-peterburg"],
    ["ЩЁЛКОВСКИЙ", "shchelkovskiy"],
    ["Banco Nación", "banco-nacion"],
    ["  --  ", ""],
  ])("%s → %s", (name, symbol) => expect(transliterate(name)).toBe(symbol));

  it("take the code behind them on a clash, then a number, and stay within 64 characters", () => {
    const facts = { name: "Сбербанк", sbpCode: "100000000999", countryCode: "RU" };
    expect(makeSymbol(facts, new Set())).toBe("sberbank");
    expect(makeSymbol(facts, new Set(["sberbank"]))).toBe("sberbank-100000000999");
    expect(makeSymbol(facts, new Set(["sberbank", "sberbank-100000000999"]))).toBe("sberbank-100000000999-2");
    expect(makeSymbol({ ...facts, sbpCode: NO_SBP_CODE, countryCode: "AZ" }, new Set(["sberbank"]))).toBe(
      "sberbank-az",
    );
    expect(makeSymbol({ ...facts, name: "银行" }, new Set())).toBe("bank-100000000999");
    const long = { ...facts, name: "х".repeat(64) };
    const plain = makeSymbol(long, new Set());
    expect(plain).toHaveLength(64);
    expect(makeSymbol(long, new Set([plain])).length).toBeLessThanOrEqual(64);
  });
});

describe("the first banks", () => {
  it("are 35 in the fast payment system and 67 outside, each once", () => {
    expect(BANK_SEED.filter((bank) => bank.sbpCode !== NO_SBP_CODE)).toHaveLength(35);
    expect(BANK_SEED.filter((bank) => bank.sbpCode === NO_SBP_CODE)).toHaveLength(67);
    expect(new Set(BANK_SEED.map((bank) => transliterate(bank.name))).size).toBe(102);
  });
});

describe("how the first banks look", () => {
  it("is free of faults, and each has a name in English; those of Russian readers in Russian too", () => {
    for (const bank of BANK_SEED) {
      expect([bank.name, findLookFaults(bank)]).toEqual([bank.name, []]);
      expect(bank.names.en).toBe(bank.name);
      if (!["NG", "AR"].includes(bank.countryCode)) expect([bank.name, bank.names.ru]).toEqual([bank.name, anyText()]);
    }
  });

  it("gives no place among the popular ones of a country twice", () => {
    const places = BANK_SEED.filter(({ popularity }) => popularity !== null);
    expect(new Set(places.map(({ countryCode, popularity }) => `${countryCode} ${popularity}`)).size).toBe(
      places.length,
    );
  });
});

const anyText = () => expect.stringMatching(/\p{Script=Cyrillic}/u);

describe("a file of looks", () => {
  const file = (...banks: unknown[]) => JSON.stringify({ banks });

  it("is read with what it says, and nothing else", () => {
    const entry = {
      symbol: "t-bank",
      names: { ru: "Т-Банк" },
      aliases: ["Тинькофф"],
      popularity: null,
      image: "t.png",
    };
    expect(readLookFile(file(entry))).toEqual({ ok: true, value: [{ place: "banks[0]", ...entry }] });
  });

  it("is told from other files", () => {
    for (const text of ["{", "[]", "name,sbp_code,country_code", memberList({ bankName: "a" })])
      expect(readLookFile(text)).toBeUndefined();
  });

  it.each([
    ["no bank", file(), "lists no bank"],
    ["no list", '{"banks": {}}', "must be a list"],
    ["no object", file(1), "banks[0]: each bank must be an object"],
    ["no symbol", file({}), 'banks[0]: "symbol" is missing'],
    ["an unknown member", file({ symbol: "a", logo: "x" }), 'banks[0]: "logo" is not known'],
    ["an unknown language", file({ symbol: "a", names: { de: "A" } }), '"de" is no language'],
    ["an empty name", file({ symbol: "a", names: { ru: "" } }), "1 to 64 characters"],
    ["a name that is no text", file({ symbol: "a", names: { ru: 1 } }), '"names" must be an object of names'],
    ["many aliases", file({ symbol: "a", aliases: Array(13).fill("b") }), "at most 12 aliases"],
    ["a long alias", file({ symbol: "a", aliases: ["x".repeat(65)] }), "1 to 64 characters"],
    ["a broken popularity", file({ symbol: "a", popularity: 1.5 }), "whole number from 1 to 1000"],
    ["another colour", file({ symbol: "a", colour: "red" }), "must be like #1a56db"],
    ["the same bank twice", file({ symbol: "a" }, { symbol: "a" }), "banks[1]: a is listed before"],
    ["the key of every object", '{"banks": [{"symbol": "a", "__proto__": 1}]}', "is not known"],
  ])("is refused for %s", (_name, text, fault) => {
    const read = readLookFile(text);
    expect(read?.ok === false ? read.error.join("\n") : "").toContain(fault);
  });
});

const memberList = (...banks: object[]) => JSON.stringify({ version: "1.0", dictionary: banks });

describe("a file of banks", () => {
  it("is read as the official member list", () => {
    const text = memberList({ bankName: "Сбербанк", logoURL: "x", schema: "bank100000000111", package_name: "y" });
    expect(readBankFile(`\uFEFF${text}`)).toMatchObject({
      ok: true,
      value: [{ name: "Сбербанк", sbpCode: "100000000111", countryCode: "RU" }],
    });
  });

  it("is read as CSV, with either separator, quotes and any order of columns", () => {
    const text = 'country_code;name;sbp_code\r\nKZ;"Bank; with ""quotes""";\r\nRU;Plain;100000000777\r\n';
    expect(readBankFile(text)).toMatchObject({
      ok: true,
      value: [
        { name: 'Bank; with "quotes"', sbpCode: NO_SBP_CODE, countryCode: "KZ" },
        { name: "Plain", sbpCode: "100000000777", countryCode: "RU" },
      ],
    });
  });

  it.each([
    ["a long name", `name,sbp_code,country_code\n${"x".repeat(65)},,KZ`, "line 2: the name"],
    ["a short code", "name,sbp_code,country_code\na,1,KZ", "line 2: the code"],
    ["a country in lower case", "name,sbp_code,country_code\na,,kz", "line 2: the country"],
    ["a missing field", "name,sbp_code,country_code\na,b", "line 2: 2 fields"],
    ["the same bank twice", "name,sbp_code,country_code\na,,KZ\nA,,KZ", "line 3: the same bank as line 2"],
    ["another header", "name,code\na,b", "line 1: the header"],
    ["an open quote", 'name,sbp_code,country_code\n"a,,KZ', "line 2: a quoted field"],
    ["nothing", "name,sbp_code,country_code\n", "the file lists no bank"],
    ["broken JSON", "{", "cannot be read as JSON"],
    ["other JSON", "[]", "the member list must be"],
    ["a member without a code", memberList({ bankName: "a", schema: "bank1" }), "dictionary[0]: schema"],
    ["a member without a name", memberList({ schema: "bank100000000111" }), "dictionary[0]: bankName"],
  ])("is refused whole for %s, with the place", (_name, text, fault) => {
    const read = readBankFile(text);
    expect(read.ok).toBe(false);
    expect(read.ok ? "" : read.error.join("\n")).toContain(fault);
  });
});
