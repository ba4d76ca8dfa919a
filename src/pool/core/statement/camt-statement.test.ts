import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openCamtStatement } from "./camt-statement.ts";
import type { StatementItem } from "./statement-item.ts";

type Read = { readonly items: readonly StatementItem[]; readonly failure: string | undefined };

function feed(chunks: readonly string[]): Read {
  const reader = openCamtStatement();
  const items: StatementItem[] = [];
  for (const next of [...chunks.map((chunk) => () => reader.push(chunk)), reader.end]) {
    const portion = next();
    if (!portion.ok) return { items, failure: portion.error };
    items.push(...portion.value);
  }
  return { items, failure: undefined };
}

const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08";
const ACCOUNT = "<Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct>";

function documentOf(inside: string, namespace = NAMESPACE): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}"><BkToCstmrStmt><GrpHdr/><Stmt>${inside}</Stmt></BkToCstmrStmt></Document>`;
}

/** Parts of an entry in the order of the schema; a test replaces or removes some. */
function entry(changes: Record<string, string> = {}): string {
  const parts = {
    NtryRef: "<NtryRef>N-1</NtryRef>",
    Amt: '<Amt Ccy="EUR">12.30</Amt>',
    CdtDbtInd: "<CdtDbtInd>CRDT</CdtDbtInd>",
    RvslInd: "",
    Sts: "<Sts><Cd>BOOK</Cd></Sts>",
    BookgDt: "<BookgDt><Dt>2026-01-31</Dt></BookgDt>",
    AcctSvcrRef: "<AcctSvcrRef>B-1</AcctSvcrRef>",
    NtryDtls: "",
    ...changes,
  };
  return `<Ntry>${Object.values(parts).join("")}</Ntry>`;
}

function read(inside: string): readonly StatementItem[] {
  const { items, failure } = feed([documentOf(inside)]);
  if (failure !== undefined) throw new Error(failure);
  return items;
}

function details(...transactions: readonly string[]): string {
  return `<NtryDtls>${transactions.map((inside) => `<TxDtls>${inside}</TxDtls>`).join("")}</NtryDtls>`;
}

describe("an entry", () => {
  it("becomes a line", () => {
    const parties = "<RltdPties><Dbtr><Pty><Nm>Ann &amp; Bo</Nm></Pty></Dbtr><Cdtr><Nm>Us</Nm></Cdtr></RltdPties>";
    const remittance = "<RmtInf><Ustrd>for</Ustrd><Ustrd><![CDATA[<5>]]></Ustrd></RmtInf>";
    expect(read(ACCOUNT + entry({ NtryDtls: details(parties + remittance) }))).toEqual([
      {
        kind: "line",
        value: {
          line: 1,
          account: "DE02120300000000202051",
          direction: "credit",
          isReversal: false,
          amount: 1230n,
          currency: "EUR",
          reference: "B-1",
          payer: "Ann & Bo; for <5>",
          booked: { kind: "local", from: "2026-01-31 00:00:00.000", to: "2026-01-31 23:59:59.999" },
        },
      },
    ]);
  });

  it.each<[string, Record<string, string>, object]>([
    ["a status as in the first versions", { Sts: "<Sts>BOOK</Sts>" }, { reference: "B-1" }],
    [
      "an instant",
      { BookgDt: "<BookgDt><DtTm>2026-01-31T10:00:00+01:00</DtTm></BookgDt>" },
      { booked: { kind: "instant", from: new Date("2026-01-31T09:00:00Z") } },
    ],
    [
      "a debit",
      {
        CdtDbtInd: "<CdtDbtInd>DBIT</CdtDbtInd>",
        NtryDtls: details("<RltdPties><Dbtr><Nm>Us</Nm></Dbtr><Cdtr><Nm>Them</Nm></Cdtr></RltdPties>"),
      },
      { direction: "debit", payer: "Them" },
    ],
    ["the entry's reference", { AcctSvcrRef: "" }, { reference: "N-1" }],
    ["the entry's reference for none", { AcctSvcrRef: "<AcctSvcrRef>NONREF</AcctSvcrRef>" }, { reference: "N-1" }],
    [
      "the transaction's reference",
      {
        AcctSvcrRef: "",
        NtryRef: "",
        NtryDtls: details("<Refs><AcctSvcrRef>T-1</AcctSvcrRef><EndToEndId>E</EndToEndId></Refs>"),
      },
      { reference: "T-1" },
    ],
    [
      "the payer's reference",
      { AcctSvcrRef: "", NtryRef: "", NtryDtls: details("<Refs><EndToEndId>E</EndToEndId></Refs>") },
      { reference: "E" },
    ],
    ["other text", { Extra: "<AddtlNtryInf>Fee</AddtlNtryInf>" }, { payer: "Fee" }],
    [
      "elements of others",
      {
        Extra: '<x:Amt xmlns:x="urn:x" Ccy="USD">1</x:Amt>',
        Amt: '<x:Amt xmlns:x="urn:x" Ccy="USD">1</x:Amt><Amt Ccy="EUR">12.3</Amt>',
      },
      { amount: 1230n, currency: "EUR" },
    ],
  ])("with %s", (_name, changes, expected) => {
    expect(read(entry(changes))).toMatchObject([{ kind: "line", value: expected }]);
  });

  it("that takes a booking back keeps the direction that it says, and the parties change places", () => {
    const parties = "<RltdPties><Dbtr><Nm>Payer</Nm></Dbtr><Cdtr><Nm>Payee</Nm></Cdtr></RltdPties>";
    const reversal = { RvslInd: "<RvslInd>true</RvslInd>", NtryDtls: details(parties) };
    expect(read(entry(reversal) + entry({ ...reversal, CdtDbtInd: "<CdtDbtInd>DBIT</CdtDbtInd>" }))).toMatchObject([
      { value: { direction: "credit", isReversal: true, payer: "Payee" } },
      { value: { direction: "debit", isReversal: true, payer: "Payer" } },
    ]);
  });

  it.each<[string, Record<string, string>, string]>([
    ["pending", { Sts: "<Sts><Cd>PDNG</Cd></Sts>" }, "not booked yet"],
    ["for information", { Sts: "<Sts>INFO</Sts>" }, "not booked yet"],
    ["without a status", { Sts: "" }, "no status"],
    ["without an amount", { Amt: "" }, "amount is missing"],
    ["over nothing", { Amt: '<Amt Ccy="EUR">0.00</Amt>' }, "zero"],
    ["over a negative amount", { Amt: '<Amt Ccy="EUR">-5.00</Amt>' }, "cannot be read"],
    ["over too fine an amount", { Amt: '<Amt Ccy="EUR">5.001</Amt>' }, "more decimals"],
    ["in no currency", { Amt: "<Amt>5.00</Amt>" }, "currency"],
    ["without a direction", { CdtDbtInd: "" }, "neither credit nor debit"],
    ["without a date", { BookgDt: "" }, "booking date is missing"],
    ["on a day that does not exist", { BookgDt: "<BookgDt><Dt>2026-02-30</Dt></BookgDt>" }, "exists"],
    [
      "without a reference",
      { AcctSvcrRef: "", NtryRef: "", NtryDtls: details("<Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>") },
      "reference is missing",
    ],
  ])("%s is refused, and the next is read", (_name, changes, reason) => {
    expect(read(entry(changes) + entry())).toMatchObject([
      { kind: "refused", value: { line: 1, reason: expect.stringContaining(reason) } },
      { kind: "line", value: { line: 2 } },
    ]);
  });
});

describe("a batch", () => {
  const transaction = (reference: string, amount: string, more = "") =>
    `<Refs>${reference}</Refs><Amt Ccy="EUR">${amount}</Amt>${more}`;
  const own = (text: string) => `<AcctSvcrRef>${text}</AcctSvcrRef>`;
  const payers = (text: string) => `<EndToEndId>${text}</EndToEndId>`;

  it.each<[string, readonly string[], readonly [string, string, bigint][]]>([
    [
      "the bank's references",
      [transaction(own("T-1"), "12.00"), transaction(own("T-2"), "0.30")],
      [
        ["credit", "T-1", 1200n],
        ["credit", "T-2", 30n],
      ],
    ],
    [
      "the payers' references",
      [transaction(payers("E"), "12.00"), transaction(payers("F"), "0.30")],
      [
        ["credit", "B-1/E", 1200n],
        ["credit", "B-1/F", 30n],
      ],
    ],
    [
      "a charge in it",
      [transaction(own("T-1"), "12.50"), transaction(own("T-2"), "0.20", "<CdtDbtInd>DBIT</CdtDbtInd>")],
      [
        ["credit", "T-1", 1250n],
        ["debit", "T-2", 20n],
      ],
    ],
    [
      "amounts as in the first versions",
      [
        `<Refs>${own("T-1")}</Refs><AmtDtls><TxAmt><Amt Ccy="EUR">12.00</Amt></TxAmt></AmtDtls>`,
        transaction(own("T-2"), "0.30"),
      ],
      [
        ["credit", "T-1", 1200n],
        ["credit", "T-2", 30n],
      ],
    ],
  ])("with %s becomes a line for each transaction", (_name, transactions, expected) => {
    const items = read(entry({ NtryDtls: details(...transactions) }));
    expect(items).toMatchObject(
      expected.map(([direction, reference, amount]) => ({
        kind: "line",
        value: { line: 1, direction, reference, amount },
      })),
    );
  });

  it.each<[string, readonly string[]]>([
    ["another sum", [transaction(own("T-1"), "12.00"), transaction(own("T-2"), "0.29")]],
    ["one reference twice", [transaction(payers("E"), "12.00"), transaction(payers("E"), "0.30")]],
    ["one reference missing", [transaction(own("T-1"), "12.00"), transaction("", "0.30")]],
    ["one amount missing", [transaction(own("T-1"), "12.30"), `<Refs>${own("T-2")}</Refs>`]],
    ["one amount of nothing", [transaction(own("T-1"), "12.30"), transaction(own("T-2"), "0.00")]],
    ["another currency", [transaction(own("T-1"), "12.00"), transaction(own("T-2"), "0.30").replace("EUR", "USD")]],
  ])("with %s stays one line", (_name, transactions) => {
    expect(read(entry({ NtryDtls: details(...transactions) }))).toMatchObject([
      { kind: "line", value: { reference: "B-1", amount: 1230n } },
    ]);
  });

  it("of thousands is split too", () => {
    const transactions = Array.from({ length: 5_000 }, (_, index) => transaction(own(`T-${index}`), "0.01"));
    expect(read(entry({ Amt: '<Amt Ccy="EUR">50.00</Amt>', NtryDtls: details(...transactions) }))).toHaveLength(5_000);
  });
});

it("balances come with their sign, for each statement and its account", () => {
  const balance = (code: string, amount: string, indicator: string, more = "") =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry>${more}</Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd><Dt><Dt>2026-01-31</Dt></Dt></Bal>`;
  const second = "</Stmt><Stmt><Acct><Id><Othr><Id>408178</Id></Othr></Id></Acct>";
  const inside = [
    ACCOUNT,
    balance("PRCD", "5.00", "DBIT"),
    balance("CLAV", "1.00", "CRDT"),
    balance("CLBD", "2.00", "CRDT", "<SubTp><Cd>INTM</Cd></SubTp>"),
    second,
    balance("OPBD", "0.00", "CRDT"),
    balance("CLBD", "7.30", "CRDT"),
    balance("CLBD", "x", "CRDT"),
  ];
  const value = { currency: "EUR", day: "2026-01-31" };
  expect(read(inside.join(""))).toEqual([
    { kind: "balance", value: { ...value, account: "DE02120300000000202051", which: "opening", amount: -500n } },
    { kind: "balance", value: { ...value, account: "408178", which: "opening", amount: 0n } },
    { kind: "balance", value: { ...value, account: "408178", which: "closing", amount: 730n } },
    { kind: "refused", value: { line: 0, reason: "the closing balance cannot be read: the amount cannot be read" } },
  ]);
});

describe("a file", () => {
  it.each(["02", "04", "08", "13"])("of version %s is read, with prefixes too", (version) => {
    const namespace = NAMESPACE.replace("08", version);
    expect(feed([documentOf(entry(), namespace)]).items).toHaveLength(1);
    const prefixed = documentOf(entry(), namespace)
      .replace(/<(\/?)([A-Z])/g, "<$1c:$2")
      .replace("xmlns=", "xmlns:c=");
    expect(feed([prefixed]).items).toHaveLength(1);
  });

  it.each([
    ["camt.052", documentOf("", NAMESPACE.replace("053", "052")), "camt.052"],
    ["camt.054", documentOf("", NAMESPACE.replace("053", "054")), "camt.054"],
    ["pain.001", documentOf("", NAMESPACE.replace("camt.053", "pain.001")), "pain.001 and not camt.053"],
    ["other XML", "<html/>", "not a camt.053 Document"],
    ["no statement", `<Document xmlns="${NAMESPACE}"/>`, "no statement"],
    ["a DOCTYPE", `<!DOCTYPE Document [<!ENTITY a "b">]>${documentOf(entry()).slice(39)}`, "DOCTYPE"],
    ["an entity", documentOf(entry({ NtryRef: "<NtryRef>&secret;</NtryRef>" })), "not well-formed"],
    ["deep nesting", documentOf("<a>".repeat(100)), "nested deeper"],
    ["an endless text", documentOf(`<a>${"x".repeat(1_100_000)}</a>`), "more than 1048576"],
    ["an endless entry", documentOf(`<Ntry>${"<a/>".repeat(10_001)}</Ntry>`), "too many parts"],
    ["no end", documentOf(entry()).slice(0, -5), "cut off"],
    ["nothing", "", "cut off"],
  ])("is refused for %s", (_name, text, sentence) => expect(feed([text]).failure).toContain(sentence));

  it("may have a text as long as the bound, however it is cut", () => {
    const text = documentOf(`<a>${"x".repeat(1_048_570)}</a>`);
    expect(feed([text]).failure).toBeUndefined();
    expect(feed([text.slice(0, 40_000), text.slice(40_000, -70), text.slice(-70)]).failure).toBeUndefined();
  });

  it("that breaks hands over what stood before the break, and says where without repeating it", () => {
    const { items, failure } = feed([documentOf(`${entry()}<Ntry><NtryRef>408178&x;</NtryRef></Ntry>`)]);
    expect(items).toHaveLength(1);
    expect(failure).toMatch(/line 2, column [0-9]+/);
    expect(failure).not.toContain("408178");
  });

  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(
        entry(),
        ACCOUNT,
        entry({ Sts: "" }),
        "</Stmt><Stmt>",
        "<Ntry>",
        "</Ntry>",
        "&amp;",
        "<!-- x -->",
      ),
      fc.string({ unit: "binary" }),
    ),
    { maxLength: 12 },
  );

  it("gives the same however it is cut, and never throws", () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = documentOf(parts.join(""));
        const whole = feed([text]);
        expect(feed(text.match(/.{1,7}/gsu) ?? [])).toEqual(whole);
        expect(feed(text.split(""))).toEqual(whole);
      }),
      { numRuns: 200 },
    );
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => feed([`<${text}`]).failure !== undefined));
  });
});
