import { expect, it } from "vitest";
import { newId } from "../platform/new-id.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { plainArray } from "./plain-array.ts";

const { db } = useTestDatabase();

it("the server reads the items that were put in, in their order", async () => {
  const rows = [
    { id: newId(), sum: 9_007_199_254_740_993n, count: 0 },
    { id: newId(), sum: null, count: undefined },
    { id: newId(), sum: -1n, count: 7 },
  ];
  const found = await db.run<{ id: string; sum: bigint | null; count: number | null }>({
    text: "select * from unnest($1::uuid[], $2::bigint[], $3::integer[]) as t (id, sum, count)",
    values: [
      plainArray(rows, ({ id }) => id),
      plainArray(rows, ({ sum }) => sum),
      plainArray(rows, ({ count }) => count),
    ],
  });
  expect(found).toEqual(rows.map(({ id, sum, count }) => ({ id, sum, count: count ?? null })));
});

it("no items are an empty array", async () => {
  const [row] = await db.run<{ size: number }>({
    text: "select cardinality($1::bigint[]) as size",
    values: [plainArray([], () => 1)],
  });
  expect(row).toEqual({ size: 0 });
});
