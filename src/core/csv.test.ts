import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CSV_RECORD_CHARS_MAX, type CsvOptions, openCsv, parseCsv } from "./csv.ts";

function read(chunks: readonly string[], options?: CsvOptions) {
  const reader = openCsv(options);
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()].map(({ kind, value }) => ({
    line: value.line,
    ...(kind === "record" ? { fields: value.fields } : { message: value.message }),
  }));
}

describe("records", () => {
  it.each<[string, string, readonly (readonly string[])[]]>([
    [
      "commas and LF",
      "a,b\n1,2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "semicolons, CRLF and no last line break",
      "a;b\r\n1,5;2",
      [
        ["a", "b"],
        ["1,5", "2"],
      ],
    ],
    [
      "tabs",
      "a\tb\n1,5;\t2",
      [
        ["a", "b"],
        ["1,5;", "2"],
      ],
    ],
    [
      "a byte order mark and blank lines",
      "\uFEFF\n\na;b\n\n1;2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "quotes",
      'a,b\n"x, ""y""\nz",\r\n',
      [
        ["a", "b"],
        ['x, "y"\nz', ""],
      ],
    ],
    [
      "a delimiter in a quoted name",
      '"a,,,b";c\n1;2',
      [
        ["a,,,b", "c"],
        ["1", "2"],
      ],
    ],
    [
      "a quote inside a plain field",
      'a,b\nx"y,2',
      [
        ["a", "b"],
        ['x"y', "2"],
      ],
    ],
    [
      "a last field that is empty",
      'a,b\n"x",',
      [
        ["a", "b"],
        ["x", ""],
      ],
    ],
  ])("%s", (_name, text, fields) => {
    expect(read([text]).map((item) => ("fields" in item ? item.fields : item.message))).toEqual(fields);
  });

  it("count the lines inside quotes and before the header", () => {
    expect(read(['Bank\n"of,X\na,b\n"1\n\n2",3\n4,5'], { skipLines: 2, delimiter: "," })).toEqual([
      { line: 3, fields: ["a", "b"] },
      { line: 4, fields: ["1\n\n2", "3"] },
      { line: 7, fields: ["4", "5"] },
    ]);
  });
});

describe("faults cost one line", () => {
  it.each([
    ["a quote that never ends", 'a,b\n"1,2\n3,4\n', "a quoted field does not end properly"],
    ["a quote that ends in the next line", 'a,b\n"1,2\n3,4"x\n', "text after a quoted field", ["3", '4"x']],
    ["text after a quote", 'a,b\n"1"x,2\n3,4\n', "text after a quoted field"],
    ["a line without an end", `a,b\n${"1".repeat(CSV_RECORD_CHARS_MAX * 3)}\n3,4\n`, "a record is longer"],
    ["a quote without an end", `a,b\n"1\n3,4\n${"\n".repeat(CSV_RECORD_CHARS_MAX)}`, "a record is longer"],
  ])("%s", (_name, text, message, rest = ["3", "4"]) => {
    expect(read([text])).toEqual([
      { line: 1, fields: ["a", "b"] },
      { line: 2, message: expect.stringContaining(message) },
      { line: 3, fields: rest },
    ]);
  });

  it("also when a field goes on for too many lines", () => {
    expect(read([`a,b\n"1${"\n".repeat(50)}",2\n3,4`])).toEqual([
      { line: 1, fields: ["a", "b"] },
      { line: 2, message: expect.stringContaining("or 50 lines") },
      { line: 52, message: "a quoted field does not end properly" },
      { line: 53, fields: ["3", "4"] },
    ]);
    expect(read([`a,b\n"1${"\n".repeat(49)}",2\n3,4`])).toHaveLength(3);
  });

  it("and refuse a text that is read as a whole", () => {
    expect(parseCsv('a,b\n"1"x,2\n3,4\n')).toEqual({
      ok: false,
      error: { line: 2, message: "text after a quoted field" },
    });
  });
});

const anyText = fc.array(fc.constantFrom('"', ",", ";", "\n", "\r", "\r\n", "a", '""', "\t", "\uFEFF"), {
  maxLength: 60,
});

it("gives the same however the text is cut", () => {
  fc.assert(
    fc.property(anyText, fc.nat(3), (pieces, skipLines) => {
      const options = { skipLines };
      const whole = read([pieces.join("")], options);
      expect(read(pieces, options)).toEqual(whole);
      expect(read([...pieces.join("")], options)).toEqual(whole);
    }),
    { numRuns: 1_000 },
  );
});

it("gives the same however a long record is cut", () => {
  const length = fc.integer({ min: CSV_RECORD_CHARS_MAX - 8, max: CSV_RECORD_CHARS_MAX + 8 });
  fc.assert(
    fc.property(length, fc.constantFrom('"', '""', '"x', '"\n', "\r\n", '",', ""), fc.nat(20), (chars, end, back) => {
      const text = `a,b\n"${"x".repeat(chars)}${end}\n1,2\n`;
      const cut = text.length - back;
      expect(read([text.slice(0, cut), text.slice(cut)])).toEqual(read([text]));
    }),
  );
});

it("reads back whatever was written with quotes", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string(), { minLength: 2, maxLength: 2 })), (rows) => {
      const quoted = rows.map((row) => row.map((field) => `"${field.replaceAll('"', '""')}"`).join(";"));
      const text = ["a;b", ...quoted].join("\r\n");
      expect(read([text]).map((item) => ("fields" in item ? item.fields : item.message))).toEqual([
        ["a", "b"],
        ...rows,
      ]);
    }),
  );
});
