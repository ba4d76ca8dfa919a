import pg from "pg";
import { expect, it } from "vitest";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { parseUtcTimestamp } from "./timestamps.ts";

const TIMESTAMPTZ_OID = 1184;
const parseByDriver = pg.types.getTypeParser(TIMESTAMPTZ_OID, "text");
const { db } = useTestDatabase();

it.each([
  "2026-11-15 23:38:41+00",
  "2026-11-15 23:38:41.1+00",
  "2026-11-15 23:38:41.12+00",
  "2026-11-15 23:38:41.123+00",
  "2026-11-15 23:38:41.999999+00",
  "2024-02-29 00:00:00.000001+00",
  "1999-12-31 23:59:59.5+00",
  "9999-12-31 23:59:59+00",
])("reads %s as the driver does", (text) => {
  expect(parseUtcTimestamp(text)).toEqual(parseByDriver(text));
});

it.each([
  "infinity",
  "-infinity",
  "2026-11-15 23:38:41+03",
  "2026-11-15 23:38:41.5+05:30",
  "0044-03-15 12:00:00+00 BC",
  "10000-01-01 00:00:00+00",
  "",
])("leaves %j to the driver", (text) => {
  expect(parseUtcTimestamp(text)).toBeUndefined();
});

it("is what the database gives, in every zone of the session", async () => {
  for (const zone of ["UTC", "Asia/Kolkata"]) {
    const [row] = await db.transaction(async (tx) => {
      await tx.run({ text: `set local timezone = '${zone}'` });
      return tx.run<{ at: Date; never: Date | null }>({
        text: "select '2026-11-15 23:38:41.123456+00'::timestamptz as at, null::timestamptz as never",
      });
    });
    expect(row).toEqual({ at: new Date("2026-11-15T23:38:41.123Z"), never: null });
  }
});
