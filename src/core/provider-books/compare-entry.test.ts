import { describe, expect, it } from "vitest";
import type { Currency } from "../currency.ts";
import type { Minor } from "../money.ts";
import type { PaymentState } from "../payments/states.ts";
import { type AttemptFacts, compareEntry, type OurEntry, ourEntryOf, type TheirEntry } from "./compare-entry.ts";

const RUB = "RUB" as Currency;
const minor = (amount: number) => BigInt(amount) as Minor;

const FACTS: AttemptFacts = {
  ...{ reference: "r", direction: "payin", currency: RUB, fee: null, outcome: "taken", state: "success" },
  ...{ isPresent: true, requested: minor(1000), moved: minor(1000) },
};

describe("an attempt in our books", () => {
  it.each<[string, Partial<AttemptFacts>, Partial<OurEntry>]>([
    ["that succeeded", {}, { status: "success", amount: minor(1000), mayBeAbsent: false }],
    ["that brought another sum", { moved: minor(400) }, { status: "success", amount: minor(400) }],
    ["that is under way", { state: "processing:paid", moved: minor(0) }, { status: "open", mayBeAbsent: false }],
    ["in dispute", { state: "dispute:different_amount", moved: minor(400) }, { status: "open", amount: minor(400) }],
    ["that was declined", { state: "decline", moved: minor(0) }, { status: "decline", mayBeAbsent: false }],
    ["settled another way", { state: "success", moved: minor(0) }, { status: "decline", amount: minor(1000) }],
    ["declined, and paid late", { state: "decline", moved: minor(1000) }, { status: "success" }],
    ["that was refused", { outcome: "refused", moved: minor(0) }, { status: "decline", mayBeAbsent: true }],
    ["never told", { outcome: "open", state: "decline", moved: minor(0) }, { status: "decline", mayBeAbsent: true }],
    ["before another one", { isPresent: false, state: "processing:paid", moved: minor(0) }, { status: "decline" }],
    ["before another one, paid late", { isPresent: false, state: "processing:new" }, { status: "success" }],
  ])("%s", (_name, change, expected) => {
    expect(ourEntryOf({ ...FACTS, ...change })).toMatchObject(expected);
  });
});

describe("two entries", () => {
  const ours = (change: Partial<OurEntry> = {}): OurEntry => ({ ...ourEntryOf(FACTS), fee: minor(10), ...change });
  const THEIRS: TheirEntry = { status: "success", word: "ok", amount: minor(1000), currency: RUB, fee: minor(10) };

  it.each<[string, Partial<OurEntry>, Partial<TheirEntry>, string[]]>([
    ["agree", {}, {}, []],
    ["agree where the fee is not told", {}, { fee: undefined }, []],
    ["agree where no fee is noted, and none is charged", { fee: null }, { fee: minor(0) }, []],
    ["differ in the sum", {}, { amount: minor(999) }, ["other_amount"]],
    ["differ in the fee", { fee: null }, {}, ["other_fee"]],
    ["differ in both", {}, { amount: minor(1), fee: minor(1) }, ["other_amount", "other_fee"]],
    ["differ in the status, whatever the sum", {}, { status: "decline", amount: minor(1) }, ["other_status"]],
    ["differ in the currency, whatever else", {}, { currency: "EUR" as Currency, status: "open" }, ["other_currency"]],
  ])("%s", (_name, mine, change, kinds) => {
    expect(compareEntry(ours(mine), { ...THEIRS, ...change })).toEqual(kinds);
  });

  it.each<PaymentState>(["decline", "processing:paid"])("of what is %s agree whatever the sum", (state) => {
    const mine = ourEntryOf({ ...FACTS, state, moved: minor(0) });
    expect(compareEntry(mine, { ...THEIRS, status: mine.status, amount: minor(1) })).toEqual([]);
  });
});
