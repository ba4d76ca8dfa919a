import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openCsvStatement } from "./csv-statement.ts";
import type { StatementItem, StatementReader } from "./statement-item.ts";
import { checkStatementMapping, type StatementMapping } from "./statement-mapping.ts";

const HEADER = "booked_at,account,amount,currency,reference,payer";

function feed(reader: StatementReader, chunks: readonly string[]): StatementItem[] | string {
  const items: StatementItem[] = [];
  for (const portion of [...chunks.map(reader.push), reader.end()]) {
    if (!portion.ok) return portion.error;
    items.push(...portion.value);
  }
  return items;
}

function read(text: string, mapping?: StatementMapping): StatementItem[] {
  const items = feed(openCsvStatement(mapping), [text]);
  if (typeof items === "string") throw new Error(items);
  return items;
}

function checked(value: unknown): StatementMapping {
  const mapping = checkStatementMapping(value);
  if (!mapping.ok) throw new Error(mapping.error.join("\n"));
  return mapping.value;
}

describe("a statement in our own columns", () => {
  it("becomes lines, credits and debits", () => {
    const text = `\uFEFF Reference ;BOOKED_AT;amount;currency;payer\r\nR-1;2026-01-31;"1 234,50";RUB;"Ivan; ""IP"""\r\nR-2;2026-01-31T10:00Z;-5.00;eur;\r\n`;
    expect(read(text)).toEqual([
      {
        kind: "line",
        value: {
          line: 2,
          account: undefined,
          direction: "credit",
          isReversal: false,
          amount: 123450n,
          currency: "RUB",
          reference: "R-1",
          payer: 'Ivan; "IP"',
          booked: { kind: "local", from: "2026-01-31 00:00:00.000", to: "2026-01-31 23:59:59.999" },
        },
      },
      {
        kind: "line",
        value: {
          line: 3,
          account: undefined,
          direction: "debit",
          isReversal: false,
          amount: 500n,
          currency: "EUR",
          reference: "R-2",
          payer: undefined,
          booked: {
            kind: "instant",
            from: new Date("2026-01-31T10:00:00.000Z"),
            to: new Date("2026-01-31T10:00:59.999Z"),
          },
        },
      },
    ]);
  });

  it.each([
    ["too few fields", "2026-01-31,40817810000000000001,5", "3 fields where the header has 6"],
    ["a date that is none", "2026-02-31,40817810000000000001,5,RUB,r,Ivan", "date and time that exists"],
    ["a date in another form", "31.01.2026,40817810000000000001,5,RUB,r,Ivan", "ISO 8601"],
    ["no currency", "2026-01-31,40817810000000000001,5,RUR,r,Ivan", "currency"],
    ["nothing", "2026-01-31,40817810000000000001,0.00,RUB,r,Ivan", "zero"],
    ["too much", "2026-01-31,40817810000000000001,100000000001,RUB,r,Ivan", "too large"],
    ["an amount that is two", '2026-01-31,40817810000000000001,"1,234",RUB,r,Ivan', "one separator"],
    ["no account", "2026-01-31,,5,RUB,r,Ivan", "account is missing"],
    ["no reference", "2026-01-31,40817810000000000001,5,RUB, ,Ivan", "reference is missing"],
    ["a reference that is none", "2026-01-31,40817810000000000001,5,RUB,NOTPROVIDED,Ivan", "reference is missing"],
    ["a long reference", `2026-01-31,40817810000000000001,5,RUB,${"r".repeat(256)},Ivan`, "longer than 255"],
    ["a reference in two lines", '2026-01-31,40817810000000000001,5,RUB,"r\ns",Ivan', "control characters"],
    ["a reference that turns", "2026-01-31,40817810000000000001,5,RUB,r\u202es,Ivan", "control characters"],
    [
      "a year of five digits",
      "9999-12-31T23:59:59-05:00,40817810000000000001,5,RUB,r,Ivan",
      "date and time that exists",
    ],
    ["an open quote", '2026-01-31,"40817810000000000001,5,RUB,r,Ivan', "quoted field"],
  ])("a line with %s is refused in words that repeat none of it, and the next is read", (_name, line, reason) => {
    const items = read(`${HEADER}\n${line}\n2026-01-31,1,5,RUB,next,\n`);
    expect(items).toMatchObject([
      { kind: "refused", value: { line: 2, reason: expect.stringContaining(reason) } },
      { kind: "line", value: { reference: "next" } },
    ]);
    expect(JSON.stringify(items[0])).not.toMatch(/4081|Ivan/);
  });

  it("keeps the longest reference, and cuts and cleans what the payer wrote", () => {
    const reference = "r".repeat(255);
    const [item] = read(`${HEADER}\n2026-01-31,1,5,RUB,${reference},"a\nb${"x".repeat(2_000)}"`);
    expect(item).toMatchObject({ value: { reference, payer: `a b${"x".repeat(997)}` } });
    expect(read(`${HEADER}\n2026-01-31,1,5,RUB,r,${"x".repeat(999)}😀`)).toMatchObject([
      { value: { payer: "x".repeat(999) } },
    ]);
  });

  it.each([
    ["nothing", "", "no header"],
    ["a column missing", "booked_at,amount,currency\n", "missing: reference"],
    ["a column too many", `${HEADER},comment\n`, "not known: comment"],
    ["a column twice", `${HEADER},amount\n`, "there twice: amount"],
    ["a broken header", '"booked_at,amount\n', "line 1 cannot be read"],
  ])("is refused whole for %s", (_name, text, sentence) => {
    expect(feed(openCsvStatement(), [text])).toContain(sentence);
  });

  it("is refused whole without a header, and the sentence repeats no data", () => {
    const sentence = feed(openCsvStatement(), ["2026-01-31,Ivan Petrov,5,RUB,r,4081\n"]);
    expect(sentence).toContain("looks like data");
    expect(sentence).toContain("booked_at, account, amount, currency, reference, payer");
    expect(sentence).not.toMatch(/Ivan|4081/);
  });
});

describe("a statement in a bank's columns", () => {
  it("has credit and debit apart, a letterhead, other dates, and a running balance", () => {
    const mapping = checked({
      columns: {
        booked_at: "Дата",
        time: "Время",
        credit: "Приход",
        debit: "Расход",
        reference: "№",
        payer: "Назначение",
        balance: "Остаток",
      },
      currency: "RUB",
      dateFormat: "dd.mm.yyyy",
      decimal: ",",
      skipLines: 2,
    });
    const text = [
      "ПАО Банк; выписка",
      "",
      "№;Дата;Время;Приход;Расход;Остаток;Назначение;Прочее",
      "1;31.01.2026;10:20;1.000;;1.500,00;от Ивана;x",
      "2;01.02.2026;;0,00;-200,5;1.299,50;возврат;",
      "3;01.02.2026;;5;5;1.299,50;обе;",
      "4;01.02.2026;;;;1.299,50;ни одной;",
    ];
    const items = read(text.join("\n"), mapping);
    expect(items).toMatchObject([
      { kind: "line", value: { line: 4, direction: "credit", amount: 100000n, payer: "от Ивана" } },
      { kind: "line", value: { line: 5, direction: "debit", amount: 20050n } },
      { kind: "refused", value: { line: 6, reason: "the line has both a credit and a debit" } },
      { kind: "refused", value: { line: 7, reason: "the amount is zero" } },
    ]);
    expect(items).toHaveLength(4);
    expect(read(text.slice(0, 5).join("\n"), mapping).slice(2)).toEqual([
      {
        kind: "balance",
        value: { account: undefined, which: "opening", amount: 50000n, currency: "RUB", day: "2026-01-31" },
      },
      {
        kind: "balance",
        value: { account: undefined, which: "closing", amount: 129950n, currency: "RUB", day: "2026-02-01" },
      },
    ]);
    const newestFirst = [...text.slice(0, 3), text[4], text[3]].join("\n");
    expect(read(newestFirst, mapping).slice(2)).toEqual(read(text.slice(0, 5).join("\n"), mapping).slice(2));
    const broken = text.slice(0, 5).join("\n").replace("1.299,50", "1.299,51");
    expect(read(broken, mapping)).toHaveLength(2);
  });

  it("has a column of the direction", () => {
    const columns = { booked_at: "d", amount: "a", direction: "dc", currency: "c", reference: "r" };
    const mapping = checked({ columns, creditWords: ["Haben"], debitWords: ["Soll"] });
    const line = (amount: string, word: string) => `2026-01-31,${amount},${word},EUR,r`;
    const lines = [line("5", "haben"), line("5", "SOLL"), line("-5", "Soll"), line("-5", "Haben"), line("5", "credit")];
    expect(read(["d,a,dc,c,r", ...lines].join("\n"), mapping)).toMatchObject([
      { value: { direction: "credit", amount: 500n } },
      { value: { direction: "debit", amount: 500n } },
      { value: { direction: "debit", amount: 500n } },
      { value: { reason: "the amount is negative and the direction says credit" } },
      { value: { reason: "the direction is none of the words for credit and debit" } },
    ]);
    expect(read(["d,a,dc,c,r", line("5", "CR"), line("5", "Дебет")].join("\n"), checked({ columns }))).toMatchObject([
      { value: { direction: "credit" } },
      { value: { direction: "debit" } },
    ]);
  });

  it("lets a word that was given win over a usual one", () => {
    const columns = { booked_at: "d", amount: "a", direction: "dc", currency: "c", reference: "r" };
    const text = "d,a,dc,c,r\n2026-01-31,5,D,EUR,r1\n2026-01-31,5,Debit,EUR,r2";
    expect(read(text, checked({ columns, creditWords: ["D"] }))).toMatchObject([
      { value: { direction: "credit" } },
      { value: { direction: "debit" } },
    ]);
  });

  it("may have our columns and only the decimal sign said", () => {
    expect(read(`${HEADER}\n2026-01-31,1,1.234,KWD,r,`, checked({ decimal: "." }))).toMatchObject([
      { value: { amount: 1234n } },
    ]);
    const mapping = checked({ currency: "JPY" });
    expect(read("booked_at,amount,reference\n2026-01-31,7,r", mapping)).toMatchObject([{ value: { currency: "JPY" } }]);
  });

  it("says which of the mapped columns are missing", () => {
    const mapping = checked({ columns: { booked_at: "When", amount: "Sum", reference: "Ref" }, currency: "EUR" });
    expect(feed(openCsvStatement(mapping), ["When,Total,Ref\n"])).toBe(
      "The header cannot be understood (missing: Sum). Found are When, Total, Ref. Needed are When, Sum, Ref.",
    );
  });
});

const pieces = fc.array(
  fc.oneof(
    fc.constantFrom(`${HEADER}\n`, "2026-01-31,", "1,", "5.00,", "RUB,", "r1,", "Ivan\n", '"', "\r\n", ";", "\uFEFF"),
    fc.constant("2026-01-31,1,-7.00,RUB,r2,x\n"),
    fc.string({ unit: "binary" }),
  ),
  { maxLength: 40 },
);

it("gives the same however the file is cut, and never throws", () => {
  fc.assert(
    fc.property(pieces, fc.boolean(), (parts, hasHeader) => {
      const all = hasHeader ? [`${HEADER}\n`, ...parts] : parts;
      const whole = feed(openCsvStatement(), [all.join("")]);
      expect(feed(openCsvStatement(), all)).toEqual(whole);
      expect(feed(openCsvStatement(), all.join("").split(""))).toEqual(whole);
    }),
    { numRuns: 500 },
  );
});
