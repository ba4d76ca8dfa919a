import { expect, it } from "vitest";
import { parseCsv } from "../../core/csv.ts";
import type { Currency } from "../../core/currency.ts";
import type { Minor } from "../../core/money.ts";
import { type SheetLine, writePayoutSheet } from "./payout-sheet.ts";

const BANK = { name: "Сбер, банк", sbpCode: "100000000111", isSbpBank: true };

function line(change: Partial<SheetLine>): SheetLine {
  return {
    code: "TG-0123456789AB",
    requestId: "r",
    receiver: { type: "card", pan: "4242424242424242", holder: undefined },
    bank: undefined,
    amount: 123_450n as Minor,
    currency: "RUB" as Currency,
    ...change,
  };
}

function cellsOf(...lines: SheetLine[]): readonly (readonly string[])[] {
  const read = parseCsv(writePayoutSheet(lines));
  if (!read.ok) throw new Error(read.error.message);
  return read.value.slice(1).map(({ fields }) => fields);
}

it("has a line for each receiver, as banks read it", () => {
  const name = 'Иванов; "Иван"';
  const account = { type: "account", accountNumber: "40817810", bank: "sber", name } as const;
  expect(
    cellsOf(
      line({ receiver: { type: "card", pan: "4242424242424242", holder: "IVAN I" } }),
      line({ receiver: { type: "phone", phone: "+79001234567", bank: "sber" }, bank: BANK }),
      line({
        receiver: account,
        bank: { ...BANK, isSbpBank: false },
        amount: 5n as Minor,
        currency: "JPY" as Currency,
      }),
    ),
  ).toEqual([
    ["TG-0123456789AB", "card", "4242424242424242", "", "", "IVAN I", "1234.50", "RUB", "r"],
    ["TG-0123456789AB", "phone", "79001234567", "Сбер, банк", "100000000111", "", "1234.50", "RUB", "r"],
    ["TG-0123456789AB", "account", "40817810", "Сбер, банк", "", name, "5", "JPY", "r"],
  ]);
});

it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("https://x","y")'])(
  "nobody's name computes: %j",
  (holder) => {
    const [cells] = cellsOf(line({ receiver: { type: "card", pan: "4242424242424242", holder } }));
    expect(cells?.[5]).toBe(`'${holder}`);
  },
);
