import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Currency } from "../currency.ts";
import { openRegister, type RegisterItem } from "./register-file.ts";
import {
  PROTOCOL_STATUSES,
  type RegisterMapping,
  readRegisterColumns,
  readRegisterStatuses,
} from "./register-mapping.ts";

const PLAIN: RegisterMapping = {
  columns: new Map(),
  statuses: PROTOCOL_STATUSES,
  amounts: "minor",
  currency: undefined,
};
const HEADER = "payment_id,status,amount,currency,fee,type";

function read(text: string, mapping: RegisterMapping = PLAIN, cut?: number): RegisterItem[] | string {
  const reader = openRegister(mapping);
  const pieces = cut === undefined ? [text] : [text.slice(0, cut), text.slice(cut)];
  const items: RegisterItem[] = [];
  for (const portion of [...pieces.map(reader.push), reader.end()]) {
    if (!portion.ok) return portion.error;
    items.push(...portion.value);
  }
  return items;
}

function resultOf<T>(result: { ok: true; value: T } | { ok: false; error: string }): T {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

describe("a register", () => {
  it("in the words of the protocol, wherever the file is cut", () => {
    const text = `${HEADER}\nr-1,success,1500,RUB,15,payin\nr-2,decline,,RUB,,payout\nr-3,dispute,7,rub,0,payin\n`;
    const whole = read(text);
    expect(whole).toEqual([
      entry({
        line: 2,
        reference: "r-1",
        status: "success",
        word: "success",
        amount: 1500n,
        fee: 15n,
        direction: "payin",
      }),
      entry({ line: 3, reference: "r-2", status: "decline", word: "decline", amount: 0n, direction: "payout" }),
      entry({ line: 4, reference: "r-3", status: "open", word: "dispute", amount: 7n, fee: 0n, direction: "payin" }),
    ]);
    fc.assert(fc.property(fc.nat(text.length), (cut) => void expect(read(text, PLAIN, cut)).toEqual(whole)));
  });

  it("in a provider's own words, with columns that are of no interest", () => {
    const mapping = {
      columns: resultOf(readRegisterColumns("payment_id=Order ID, amount=Sum,fee=Commission,status=State")),
      statuses: resultOf(readRegisterStatuses("success=PAID|Settled,decline=FAILED,open=NEW")),
      amounts: "decimal" as const,
      currency: "RUB" as Currency,
    };
    const text = "Date;Order ID;State;Sum;Commission\n1.1.;r-1;settled;1500,50;0,00\n1.1.;r-2;FAILED;0.00;\n";
    expect(read(text, mapping)).toEqual([
      entry({ line: 2, reference: "r-1", status: "success", word: "settled", amount: 150050n, fee: 0n }),
      entry({ line: 3, reference: "r-2", status: "decline", word: "FAILED", amount: 0n }),
    ]);
  });

  it.each([
    ["r,success,15.00,RUB,,payin", "the amount must be a whole number of minor units"],
    ["r,success,-15,RUB,,payin", "the amount must be a whole number"],
    ["r,success,,RUB,,payin", "the amount must be a whole number"],
    ["r,success,0,RUB,,payin", "the amount of a success is zero"],
    ["r,success,99999999999999,RUB,,payin", "the amount must be a whole number of minor units up to"],
    ["r,success,5,RUB,x,payin", "the fee must be a whole number"],
    ["r,PAID,5,RUB,,payin", 'the status "PAID" is not known'],
    ["r,success,5,RUR,,payin", "the currency is not an ISO 4217 code"],
    [" ,success,5,RUB,,payin", "the payment_id is missing"],
    ["r,success,5,RUB,,refund", "the type is neither payin nor payout"],
    ["r,success,5,RUB", "the line has 4 fields where the header has 6"],
    ['r,"success,5,RUB,,payin', "quoted field"],
  ])("a line %j is refused, and the next one is read", (line, reason) => {
    expect(read(`${HEADER}\n${line}\nnext,success,5,RUB,,payin\n`)).toMatchObject([
      { kind: "refused", value: { line: 2, reason: expect.stringContaining(reason) } },
      { kind: "line", value: { reference: "next" } },
    ]);
  });

  it.each([
    ["", PLAIN, "The file has no header."],
    ["status,amount,currency\n", PLAIN, "no column payment_id"],
    ["payment_id,status,amount\n", PLAIN, "--currency RUB"],
    ["payment_id,status,amount,amount,currency\n", PLAIN, "amount twice"],
    [`${HEADER}\n`, { ...PLAIN, columns: new Map([["fee", "Commission"]] as const) }, "no column Commission"],
    ['"payment_id\n', PLAIN, "line 1 cannot be read"],
  ])("%j is refused whole", (text, mapping, sentence) => {
    expect(read(text, mapping)).toContain(sentence);
  });
});

describe("what the options say of it", () => {
  it.each([
    ["payment_id", "must be such as"],
    ["id=ID", "must be such as"],
    ["payment_id=", "must be such as"],
    ["payment_id=A,payment_id=B", "names payment_id twice"],
    ["payment_id=A,amount=a", "names one column of the file twice"],
  ])("--columns %s is refused", (text, reason) => {
    const refused = readRegisterColumns(text);
    expect(refused.ok ? "" : refused.error).toContain(reason);
  });

  it.each([
    ["PAID", "must be such as"],
    ["paid=PAID", "must be such as"],
    ["success=PAID|", "has an empty word"],
    ["success=PAID,decline=paid", 'has the word "paid" twice'],
  ])("--statuses %s is refused", (text, reason) => {
    const refused = readRegisterStatuses(text);
    expect(refused.ok ? "" : refused.error).toContain(reason);
  });
});

function entry(value: object): unknown {
  return { kind: "line", value: { currency: "RUB", fee: undefined, direction: undefined, ...value } };
}
