import fc from "fast-check";
import { expect, it } from "vitest";
import { type CanonicalValue, canonicalJson } from "./canonical-json.ts";

/** Values as a request can carry them, with few names, so that equal ones are often met. */
const names = fc.oneof(fc.constantFrom("a", "b", "aa", "10", "9", "é", "😀", "\uffff", "__proto__"), fc.string());
const { value: anyValue } = fc.letrec<{ value: CanonicalValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<CanonicalValue>(null, true, false, 0, 1, "", "1", "a", [], {}),
    fc.string({ unit: "binary" }),
    fc.maxSafeInteger(),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(names, tie("value"), { maxKeys: 5 }),
  ),
}));

/** The same value with its members written in the opposite order. */
function turned(value: CanonicalValue): CanonicalValue {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, member]): [string, CanonicalValue] => [name, turned(member)]);
  return Object.fromEntries(entries.reverse());
}

it("is one text for each value: members sorted at any depth, lists as they are", () => {
  const value = { b: [{ d: 1, c: "x" }, 2, [null]], a: { é: true, z: false, Z: {} }, "10": 0, "9": '"' };
  expect(canonicalJson(value)).toBe(
    '{"10":0,"9":"\\"","a":{"Z":{},"z":false,"é":true},"b":[{"c":"x","d":1},2,[null]]}',
  );
});

it("sorts by code unit, not by code point", () => {
  expect(canonicalJson({ "\uffff": 1, "😀": 2 })).toBe('{"😀":2,"\uffff":1}');
});

it("equal values have equal texts, whatever the order of their members", () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      expect(canonicalJson(turned(value))).toBe(canonicalJson(value));
    }),
  );
});

it("nothing is lost: the text reads back as the value, so different values have different texts", () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(plain(value));
    }),
  );
});

it("two values have one text exactly when they are equal", () => {
  fc.assert(
    fc.property(anyValue, anyValue, (one, other) => {
      expect(canonicalJson(one) === canonicalJson(other)).toBe(isEqual(one, other));
    }),
  );
});

it.each([
  [100, "100"],
  [true, 1],
  [null, {}],
  [{}, []],
  [{ a: "1,b:2" }, { a: "1", b: "2" }],
  [
    [1, 2],
    [2, 1],
  ],
  [[[1], 2], [[1, 2]]],
  [{ a: {} }, {}],
] satisfies [CanonicalValue, CanonicalValue][])("%j and %j are not the same", (one, other) => {
  expect(canonicalJson(one)).not.toBe(canonicalJson(other));
});

it("leaves out the members at the given paths and no others", () => {
  const body = { card: { pan: "1", cvv: "123", x: { cvv: "4" } }, cvv: "5", "card.cvv": "6", list: [{ cvv: "7" }] };
  expect(canonicalJson(body, ["card.cvv"])).toBe(
    '{"card":{"pan":"1","x":{"cvv":"4"}},"card.cvv":"6","cvv":"5","list":[{"cvv":"7"}]}',
  );
  expect(canonicalJson({ card: { cvv: "123" } }, ["card.cvv"])).toBe(canonicalJson({ card: {} }, ["card.cvv"]));
  expect(canonicalJson({ card: "123" }, ["card.cvv"])).toBe('{"card":"123"}');
  expect(canonicalJson({ card: { cvv: "1" }, a: 1, b: 2 }, ["card", "b"])).toBe('{"a":1}');
});

/** Without the prototypes that fast-check gives its objects, which are no part of the value. */
function plain(value: CanonicalValue): CanonicalValue {
  return JSON.parse(JSON.stringify(value)) as CanonicalValue;
}

function isEqual(one: CanonicalValue, other: CanonicalValue): boolean {
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [Object.entries(one), new Map<string, CanonicalValue>(Object.entries(other))];
  return (
    left.length === right.size &&
    left.every(([name, member]) => {
      const counterpart = right.get(name);
      return counterpart !== undefined && isEqual(member, counterpart);
    })
  );
}
