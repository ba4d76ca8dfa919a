import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NESTING_MAX, parseStrictJson, REQUEST_SHAPE } from "./strict-json.ts";

function parse(text: string | Buffer) {
  return parseStrictJson(Buffer.isBuffer(text) ? text : Buffer.from(text));
}

describe("strict JSON", () => {
  it("reads what JSON.parse reads", () => {
    const text = ' {"a" : [1, -2, 0, true, false, null, "x\\n\\u0041\\ud83d\\ude00", {}, []], "ключ": "😀"}\n';
    expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  it("agrees with JSON.parse on every value it accepts", () => {
    const leaf = fc.oneof(fc.string({ unit: "grapheme" }), fc.maxSafeInteger(), fc.boolean(), fc.constant(null));
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie("node"), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie("node"), { maxKeys: 4 }),
      ),
    })).node;
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (sample, indent) => {
        const text = JSON.stringify(sample, null, indent);
        fc.pre(!text.includes('"__proto__"') && !/(^|[[:, \n])-0([,\]} \n]|$)/.test(text));
        expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
      { numRuns: 2_000 },
    );
  });

  it("never accepts what JSON.parse refuses, nor throws, whatever the bytes", () => {
    const soup = fc.array(fc.constantFrom(...'{}[]:,"\\ue0 19-+.truefalsn\n\t\u0001é'.split("")), { maxLength: 40 });
    fc.assert(
      fc.property(soup, (characters) => {
        const text = characters.join("");
        const result = parse(text);
        if (result.ok) expect(result.value).toEqual(JSON.parse(text));
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    ["empty", ""],
    ["cut short", '{"a":'],
    ["a second value", "{} {}"],
    ["a trailing comma", '{"a":1,}'],
    ["a single quote", "{'a':1}"],
    ["a byte order mark", "\uFEFF{}"],
    ["a raw control character", '{"a":"\u0001"}'],
    ["a wrong escape", '{"a":"\\x41"}'],
    ["a doubled key", '{"a":1,"a":1}'],
    ["a doubled key by escape", '{"a":1,"\\u0061":1}'],
    ["__proto__", '{"__proto__":{}}'],
    ["__proto__ by escape", '{"\\u005f_proto__":{}}'],
    ["half a surrogate pair", '{"a":"\\ud800"}'],
    ["halves the wrong way round", '{"a":"\\ude00\\ud83d"}'],
    ["half a pair in a key", '{"\\udfff":1}'],
    ["a leading zero", '{"a":01}'],
    ["a bare minus", '{"a":-}'],
    ["NaN", '{"a":NaN}'],
  ])("refuses %s", (_name, text) => {
    expect(parse(text)).toMatchObject({ ok: false, error: { kind: "malformed" } });
  });

  it("refuses text that is not UTF-8", () => {
    expect(parse(Buffer.from([0x22, 0xc3, 0x22]))).toMatchObject({ ok: false, error: { kind: "malformed" } });
    expect(parse(Buffer.from('{"a":1}', "utf16le"))).toMatchObject({ ok: false });
    expect(parse(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toMatchObject({ ok: false });
  });

  it.each(["1.0", "1.5", "1e2", "1E400", "-0", "9007199254740992", "-9007199254740992"])(
    "names a member that is %s",
    (number) => {
      expect(parse(`{"payment":{"amount":${number}}}`)).toMatchObject({
        ok: false,
        error: { kind: "values", fields: [{ field: "payment.amount" }] },
      });
    },
  );

  it("of a request, names have at most 64 characters, and no value is an array", () => {
    const read = (text: string) => parseStrictJson(Buffer.from(text), REQUEST_SHAPE);
    expect(read(`{"${"n".repeat(64)}":1}`).ok).toBe(true);
    expect(read(`{"${"n".repeat(65)}":1}`)).toMatchObject({ ok: false, error: { kind: "malformed" } });
    expect(read('{"a":{"b":[1.5,[]]}}')).toMatchObject({
      ok: false,
      error: {
        kind: "values",
        fields: [
          { field: "a.b", code: "wrong_type" },
          { field: "a.b.0", code: "not_integer" },
          { field: "a.b.1", code: "wrong_type" },
        ],
      },
    });
    expect(read(`[${"[],".repeat(1_000)}1]`)).toMatchObject({ ok: false, error: { fields: { length: 32 } } });
  });

  it("allows a depth of eight, and not nine", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(parse(nested(NESTING_MAX)).ok).toBe(true);
    expect(parse(nested(NESTING_MAX + 1)).ok).toBe(false);
    expect(parse(nested(100_000)).ok).toBe(false);
    expect(parse('{"a":'.repeat(100_000)).ok).toBe(false);
  });
});
