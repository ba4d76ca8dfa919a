import { expect, it } from "vitest";
import { newId } from "../platform/new-id.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { arrayText } from "./array-text.ts";

const { db } = useTestDatabase();

/** The library's way and ours, read by the same server. */
async function readBack(type: string, items: readonly unknown[]): Promise<unknown[]> {
  const rows = await db.run<{ item: unknown }>({
    text: `select item from unnest($1::${type}[]) with ordinality as t (item, place) order by place`,
    values: [arrayText(items)],
  });
  return rows.map(({ item }) => item);
}

it.each([
  ["text", ["", " ", "NULL", "null", '"', "\\", '\\"', "{a,b}", "a,b", "é€😀", "line\nbreak\ttab", "'", "$1", "\\x41"]],
  ["uuid", [newId(), newId(), null]],
  ["bigint", [9_007_199_254_740_993n, -1n, 0n, null]],
  ["integer", [1, 0, -7, null]],
  ["float8", [0.1, -1e300, 1e-300]],
  ["boolean", [true, false, null]],
  ["bytea", [Buffer.from([0, 1, 92, 34, 255]), Buffer.alloc(0), null]],
  ["timestamptz", [new Date("2026-11-16T09:00:00.123Z"), new Date(0), null]],
  ["jsonb", [{ a: 'x"y\\z', b: [1, null] }, { "{": "}" }]],
])("what is put in as %s comes out", async (type, items) => {
  expect(await readBack(type, items)).toEqual(items);
});

it("what is not there is null, and no items are an empty array", async () => {
  expect(await readBack("text", [undefined, "a"])).toEqual([null, "a"]);
  expect(await readBack("text", [])).toEqual([]);
});

it("JSON text is kept as it was written", async () => {
  const text = JSON.stringify({ url: 'https://example.com/?a="b"\\', n: 1 });
  const [row] = await db.run<{ text: string }>({
    text: "select item::text as text from unnest($1::json[]) as item",
    values: [arrayText([text])],
  });
  expect(row).toEqual({ text });
});

it("arrays of arrays stay so", async () => {
  const [row] = await db.run<{ list: string[][] }>({
    text: "select $1::text[][] as list",
    values: [
      [
        ["a", '"'],
        ["c", "d"],
      ],
    ],
  });
  expect(row).toEqual({
    list: [
      ["a", '"'],
      ["c", "d"],
    ],
  });
});

it("a time that is none is refused, not written as something else", () => {
  expect(() => arrayText([new Date(Number.NaN)])).toThrow(RangeError);
});
