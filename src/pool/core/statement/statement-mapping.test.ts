import fc from "fast-check";
import { expect, it } from "vitest";
import { checkStatementMapping } from "./statement-mapping.ts";

const COLUMNS = { booked_at: "d", amount: "a", currency: "c", reference: "r" };

function faults(value: unknown): string {
  const read = checkStatementMapping(value);
  return read.ok ? "" : read.error.join("\n");
}

it.each([
  [{ columns: COLUMNS }],
  [{}],
  [{ columns: { booked_at: "d", credit: "+", debit: "-", reference: "r" }, currency: "EUR", skipLines: 3 }],
  [
    {
      columns: { ...COLUMNS, time: "t" },
      dateFormat: "dd.mm.yyyy",
      decimal: ",",
      delimiter: "\t",
      encoding: "windows-1251",
    },
  ],
])("takes %j", (mapping) => expect(faults(mapping)).toBe(""));

it.each<[unknown, string]>([
  [[], "must be a JSON object"],
  [null, "must be a JSON object"],
  [{ colums: {} }, '"colums" is not a setting'],
  [{ columns: [] }, "columns must be an object"],
  [{ columns: { ...COLUMNS, sum: "s" } }, '"sum" is not a column'],
  [{ columns: { ...COLUMNS, payer: "" } }, "payer must be a text"],
  [{ columns: { ...COLUMNS, payer: 5 } }, "payer must be a text"],
  [{ columns: { ...COLUMNS, payer: " R " } }, "named twice"],
  [{ columns: { amount: "a", currency: "c", reference: "r" } }, "booked_at is missing"],
  [{ columns: { booked_at: "d", amount: "a", currency: "c" } }, "reference is missing"],
  [{ columns: { booked_at: "d", currency: "c", reference: "r" } }, "amount is missing"],
  [{ columns: { ...COLUMNS, credit: "x", debit: "y" } }, "either credit and debit"],
  [{ columns: { booked_at: "d", currency: "c", reference: "r", credit: "x" } }, "need each other"],
  [{ columns: { booked_at: "d", amount: "a", reference: "r" } }, "either the column of the currency"],
  [{ columns: COLUMNS, currency: "EUR" }, "either the column of the currency"],
  [{ currency: "eur" }, "ISO 4217"],
  [{ dateFormat: "dd.mm" }, "dateFormat must be"],
  [{ columns: { ...COLUMNS, time: "t" }, dateFormat: "dd.mm.yyyy hh:mm" }, "must not have a time"],
  [{ decimal: ";" }, "decimal must be"],
  [{ delimiter: "|" }, "delimiter must be"],
  [{ encoding: "koi8-r" }, "encoding must be"],
  [{ skipLines: -1 }, "skipLines must be"],
  [{ skipLines: 1.5 }, "skipLines must be"],
  [{ creditWords: ["in"] }, "only for files with a column of the direction"],
  [{ columns: { ...COLUMNS, direction: "x" }, creditWords: [] }, "must be a list"],
  [{ columns: { ...COLUMNS, direction: "x" }, creditWords: ["a"], debitWords: [" A "] }, "stands in both"],
])("refuses %j: %s", (mapping, fault) => expect(faults(mapping)).toContain(fault));

it("lists every fault, and never throws", () => {
  expect(faults({ decimal: 1, delimiter: 2, skipLines: "x", columns: { time: "t" } }).split("\n")).toHaveLength(7);
  fc.assert(fc.property(fc.anything(), (value) => typeof checkStatementMapping(value).ok === "boolean"));
});
