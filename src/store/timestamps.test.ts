import pg from "pg";
import { describe, expect, it } from "vitest";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { readUtcTimestamp } from "./timestamps.ts";

const TIMESTAMPTZ_OID = 1184;
const { db } = useTestDatabase();
const byLibrary = pg.types.getTypeParser(TIMESTAMPTZ_OID, "text");

describe("a timestamp in UTC", () => {
  it.each([
    "2026-11-15 23:01:02.345678+00",
    "2026-11-15 23:01:02.5+00",
    "2026-11-15 23:01:02.04+00",
    "2026-11-15 23:01:02+00",
    "2024-02-29 00:00:00+00",
    "9999-12-31 23:59:59.999999+00",
    "0100-01-01 00:00:00+00",
  ])("%s is read as the library reads it", (text) => {
    expect(readUtcTimestamp(text)).toEqual(byLibrary(text));
  });

  it("keeps its milliseconds, which a multiplication would round down", () => {
    expect(readUtcTimestamp("2026-11-15 23:01:02.283+00")?.toISOString()).toBe("2026-11-15T23:01:02.283Z");
  });
});

describe("what has another form is left to the library", () => {
  it.each([
    "2026-11-15 23:01:02+03",
    "2026-11-15 23:01:02.5-05:30",
    "0044-03-15 12:00:00+00 BC",
    "0044-03-15 12:00:00+00",
    "12026-11-15 23:01:02+00",
    "infinity",
    "-infinity",
  ])("%s", (text) => {
    expect(readUtcTimestamp(text)).toBeUndefined();
  });
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
