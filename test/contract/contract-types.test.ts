import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
// @ts-expect-error: a tool without types
import { contractFile, contractShapes, contractTypes, OUTPUTS } from "../../tools/contract-types.mjs";

type Output = { readonly file: string };

it.each(OUTPUTS as readonly Output[])(
  "$file is made from the document; after a change: npm run contract-types",
  (output) => {
    const written = readFileSync(new URL(`../../${output.file}`, import.meta.url), "utf8");
    expect(written).toBe(contractFile(output));
  },
);

describe("types made from schemas", () => {
  const ROOT = "#/components/schemas/";
  const typesOf = (schemas: object, isSent = false) => {
    const [wanted] = Object.keys(schemas);
    const text: string = contractTypes({ schemas }, { schemas: [wanted], isSent });
    // Without the head and the spaces, which the formatter sets.
    return text.split("\n").slice(2).join(" ").replace(/\s+/g, " ").trim();
  };
  const words = { type: "string", enum: ["a", "b"] };

  it("leave the lists of answers open, and close those of requests", () => {
    const schemas = { Thing: words };
    expect(typesOf(schemas)).toContain('export type Thing = Open<"a" | "b">;');
    expect(typesOf(schemas, true)).toBe('export type Thing = "a" | "b";');
  });

  it("take undefined for what a request may leave out, and not in answers", () => {
    const schemas = { Thing: { type: "object", properties: { size: { type: "integer" } } } };
    expect(typesOf(schemas)).toBe("export type Thing = { readonly size?: number; };");
    expect(typesOf(schemas, true)).toBe("export type Thing = { readonly size?: number | undefined; };");
  });

  it("say what a member is and its bounds", () => {
    const size = { description: "How big.", type: "integer", minimum: 1, maximum: 2000, default: 7 };
    expect(typesOf({ Thing: { type: "object", required: ["size"], properties: { size } } })).toBe(
      "export type Thing = { /** How big. From 1 to 2,000; 7 when absent. */ readonly size: number; };",
    );
  });

  it("bring along what they refer to, unexported, with null where it is used; plain text is written in place", () => {
    const properties = { word: { $ref: `${ROOT}Word` }, text: { $ref: `${ROOT}Text` } };
    const schemas = {
      Thing: { type: "object", required: ["word", "text"], properties },
      Word: { type: ["string", "null"], enum: ["a", null] },
      Text: { type: "string", pattern: "^.$" },
    };
    expect(typesOf(schemas, true)).toBe(
      'export type Thing = { readonly word: Word | null; readonly text: string; }; type Word = "a";',
    );
  });

  it("name the forms of oneOf by their titles", () => {
    const thing = {
      type: "object",
      required: ["kind"],
      properties: { kind: words, one: { type: "string" }, other: { type: "boolean" } },
      oneOf: [
        { title: "One", required: ["one"], properties: { kind: { const: "a" }, other: false } },
        { title: "Other", required: ["other"], properties: { kind: { const: "b" }, one: false } },
      ],
    };
    expect(typesOf({ Thing: thing })).toBe(
      'export type One = { readonly kind: "a"; readonly one: string; }; ' +
        'export type Other = { readonly kind: "b"; readonly other: boolean; }; ' +
        "export type Thing = One | Other;",
    );
  });

  it("make a form for each word of an if", () => {
    const whenWord = { properties: { terms: { properties: { word: { enum: ["a", "b"] } } } } };
    const thing = {
      type: "object",
      required: ["terms", "to"],
      properties: { terms: { $ref: `${ROOT}Terms` }, to: { $ref: `${ROOT}To` } },
      // biome-ignore lint/suspicious/noThenProperty: the word that schemas use
      allOf: [{ if: whenWord, then: { properties: { to: { required: ["x"], properties: { y: false } } } } }],
    };
    const schemas = {
      Thing: thing,
      Terms: { type: "object", required: ["word"], properties: { word: words } },
      To: { type: "object", properties: { x: { type: "string" }, y: { type: "string" } } },
    };
    const form = (word: string) =>
      `{ readonly terms: Terms & { readonly word: "${word}"; }; readonly to: { readonly x: string; }; }`;
    expect(typesOf(schemas, true)).toBe(
      `export type Thing = ${form("a")} | ${form("b")}; type Terms = { readonly word: "a" | "b"; };`,
    );
  });

  it("take one of several kinds, and members of any name", () => {
    const times = { anyOf: [{ type: "integer" }, { type: "string", const: "always" }] };
    const headers = { type: "object", additionalProperties: { type: "string" } };
    const thing = { type: "object", required: ["times", "headers"], properties: { times, headers } };
    expect(typesOf({ Thing: thing })).toBe(
      'export type Thing = { readonly times: number | "always"; readonly headers: { readonly [name: string]: string }; };',
    );
    const text: string = contractShapes({ schemas: { Thing: thing } }, { shapes: { THING_SHAPE: "Thing" } });
    expect(text.replace(/\s+/g, " ")).toContain('{ "times": "integer|string", "headers": { }, }');
  });

  it("refuse what they do not know", () => {
    expect(() => typesOf({ Thing: { type: "number" } })).toThrow("not known here");
    expect(() => typesOf({ Thing: { type: "object", properties: { x: { $ref: `${ROOT}Gone` } } } })).toThrow(
      "the document has no schema Gone",
    );
  });
});

it("shapes say the kind of each leaf, and mark what may be absent", () => {
  const schemas = {
    Thing: {
      type: "object",
      required: ["word", "parts"],
      properties: {
        word: { type: ["string", "null"], enum: ["a", null] },
        size: { type: "integer" },
        parts: { type: "array", items: { $ref: "#/components/schemas/Part" } },
      },
    },
    Part: { type: "object", required: ["good"], properties: { good: { type: "boolean" } } },
  };
  const text: string = contractShapes({ schemas }, { shapes: { THING_SHAPE: "Thing" } });
  expect(text.replace(/\s+/g, " ")).toContain(
    'export const THING_SHAPE = { "word": "string|null", "size?": "integer", "parts": [{ "good": "boolean", }], } as const',
  );
});
