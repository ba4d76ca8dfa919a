import { describe, expect, it } from "vitest";
import type { Currency } from "../currency.ts";
import { readAmountText } from "./amount-text.ts";
import { findExceeded } from "./approval-rule.ts";
import { BATCH_ROWS_MAX, readBatchFile } from "./batch-file.ts";
import { resultCsvRecord } from "./results-csv.ts";

const RUB = "RUB" as Currency;

function faultsOf(text: string): string[] {
  const read = readBatchFile(text);
  return read.ok ? [] : read.error.map(({ line, code }) => `${line} ${code}`);
}

describe("a file of payouts", () => {
  it.each([
    ["commas", "method,currency,amount,pan\r\ncard-p2p,RUB,10,4242\r\n"],
    ["semicolons and a byte order mark", "\uFEFFmethod;currency;amount;pan\ncard-p2p;RUB;10;4242"],
    ["tabs, capitals and spaces", " Method\tCURRENCY \tamount\tpan\n card-p2p \tRUB\t10\t 4242\t\t\n"],
    ["quotes and empty lines", '"method","currency","amount","pan"\n\n"card-p2p","RUB","10","4242"\n,,,\n'],
  ])("is read with %s", (_name, text) => {
    const read = readBatchFile(text);
    expect(read.ok && read.value.map(({ cells }) => cells)).toEqual([
      { method: "card-p2p", currency: "RUB", amount: "10", pan: "4242" },
    ]);
  });

  it("keeps the lines of the file, also below a cell of several lines", () => {
    const read = readBatchFile('method,currency,amount,description\ncard-p2p,RUB,1,"a\nb"\ncard-p2p,RUB,2,\n');
    expect(read.ok && read.value.map(({ line, cells }) => [line, cells.amount])).toEqual([
      [2, "1"],
      [4, "2"],
    ]);
  });

  it("takes the apostrophe before a plus for a mark of text, and no other", () => {
    const read = readBatchFile("method,currency,amount,phone,name\nsbp-p2p,RUB,1,'+79001234567,'tis\n");
    expect(read.ok && read.value[0]?.cells).toMatchObject({ phone: "+79001234567", name: "'tis" });
  });

  it.each([
    ["", ["1 no_rows"]],
    ["method,currency,amount\n", ["1 no_rows"]],
    ["method,amount\ncard-p2p,10\n", ["1 column_missing"]],
    ["method,currency,amount,colour\n", ["1 unknown_column"]],
    ["method,currency,amount,amount\n", ["1 column_twice"]],
    ["method,currency,amount\ncard-p2p,RUB\n", ["2 cell_count"]],
    ["method,currency,amount\ncard-p2p,RUB,1,9\n", ["2 cell_count"]],
    ['method,currency,amount\ncard-p2p,RUB,"1\ncard-p2p,RUB,2\n', ["2 bad_csv"]],
    ["method,currency,amount\ncard-p2p,RUB,\uFFFD\n", ["1 not_utf8"]],
    [
      `method,currency,amount\n${"card-p2p,RUB,1\n".repeat(BATCH_ROWS_MAX + 1)}`,
      [`${BATCH_ROWS_MAX + 2} too_many_rows`],
    ],
  ])("is refused with the line: %j", (text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });
});

describe("a sum as people write it", () => {
  it.each([
    ["1500", 150_000n],
    ["1500.5", 150_050n],
    ["1500,50", 150_050n],
    ["0.01", 1n],
    ["007", 700n],
  ])("%s", (text, amount) => {
    expect(readAmountText(text, RUB)).toEqual({ ok: true, value: amount });
  });

  it.each(["", "0", "0.00", "-5", "+5", "1 500", "1,500", "1.005", "1.", ".5", "1e3", "٣", "12345678901234", "0x10"])(
    "refuses %j",
    (text) => {
      expect(readAmountText(text, RUB).ok).toBe(false);
    },
  );

  it("follows the currency", () => {
    expect(readAmountText("15.5", "JPY" as Currency).ok).toBe(false);
    expect(readAmountText("15", "JPY" as Currency)).toEqual({ ok: true, value: 15n });
    expect(readAmountText("1.005", "KWD" as Currency)).toEqual({ ok: true, value: 1005n });
    // To some it is a thousand and five.
    expect(readAmountText("1,005", "KWD" as Currency).ok).toBe(false);
  });
});

describe("the limit above which a second person is needed", () => {
  const sum = (amount: bigint, currency = RUB) => ({ currency, amount });

  it("counts the batch and what its author made alone before", () => {
    expect(findExceeded([sum(100n)], [sum(60n), sum(40n)], [])).toEqual([]);
    expect(findExceeded([sum(100n)], [sum(60n), sum(41n)], [])).toEqual([{ currency: RUB, limit: 100n, sum: 101n }]);
    expect(findExceeded([sum(100n)], [sum(1n)], [sum(100n)])).toHaveLength(1);
    expect(findExceeded([sum(0n)], [sum(1n)], [])).toHaveLength(1);
  });

  it("is of one currency, and not of what the batch does not pay", () => {
    const USD = "USD" as Currency;
    expect(findExceeded([], [sum(10n ** 12n)], [])).toEqual([]);
    expect(findExceeded([sum(5n, USD)], [sum(100n)], [sum(100n, USD)])).toEqual([]);
  });
});

it("writes no formula into the file of results", () => {
  const line = resultCsvRecord({
    ...{ line: 2, paymentId: "=1+1", method: "card-p2p", currency: RUB, amount: 150n as never, mask: "+7*45" },
    ...{ bank: "@bank", description: '-2,"x"', state: "refused", requestId: null, paymentState: null },
    ...{ errorCode: "insufficient_balance", error: "=no" },
  });
  expect(line).toBe(`2,'=1+1,refused,,,,card-p2p,RUB,1.50,'+7*45,'@bank,"'-2,""x""",insufficient_balance,'=no\r\n`);
});
