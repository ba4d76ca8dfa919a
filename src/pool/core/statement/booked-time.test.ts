import { describe, expect, it } from "vitest";
import { findDateFormat, readBookedTime } from "./date-format.ts";

function read(date: string, format?: string, time?: string): string {
  const found = format === undefined ? undefined : findDateFormat(format);
  if (format !== undefined && found === undefined) return "no such format";
  const booked = readBookedTime(date, time, found);
  if (!booked.ok) return "refused";
  const { kind, from, to } = booked.value;
  return kind === "local" ? `${from} … ${to}` : `${from.toISOString()} … ${to.toISOString()}`;
}

describe("booking times", () => {
  it.each([
    ["2026-01-31", "2026-01-31 00:00:00.000 … 2026-01-31 23:59:59.999"],
    ["2026-01-31 10:20", "2026-01-31 10:20:00.000 … 2026-01-31 10:20:59.999"],
    ["2026-01-31T10:20:30", "2026-01-31 10:20:30.000 … 2026-01-31 10:20:30.999"],
    ["2026-01-31T10:20:30.1", "2026-01-31 10:20:30.100 … 2026-01-31 10:20:30.199"],
    ["2026-01-31T10:20:30.123456", "2026-01-31 10:20:30.123 … 2026-01-31 10:20:30.123"],
    ["2026-01-31T10:20Z", "2026-01-31T10:20:00.000Z … 2026-01-31T10:20:59.999Z"],
    ["2026-01-31T10:20:30+03:00", "2026-01-31T07:20:30.000Z … 2026-01-31T07:20:30.999Z"],
    ["2026-01-31 23:20:30.500-0330", "2026-02-01T02:50:30.500Z … 2026-02-01T02:50:30.500Z"],
    ["2026-01-31+01:00", "2026-01-30T23:00:00.000Z … 2026-01-31T22:59:59.999Z"],
    ["2024-02-29", "2024-02-29 00:00:00.000 … 2024-02-29 23:59:59.999"],
  ])("%s", (text, expected) => expect(read(text)).toBe(expected));

  it.each([
    ["31.01.2026", "dd.mm.yyyy", "2026-01-31 00:00:00.000 … 2026-01-31 23:59:59.999"],
    ["1.2.2026", "dd.mm.yyyy", "2026-02-01 00:00:00.000 … 2026-02-01 23:59:59.999"],
    ["31.01.26", "dd.mm.yy", "2026-01-31 00:00:00.000 … 2026-01-31 23:59:59.999"],
    ["01/31/2026", "mm/dd/yyyy", "2026-01-31 00:00:00.000 … 2026-01-31 23:59:59.999"],
    ["20260131", "yyyymmdd", "2026-01-31 00:00:00.000 … 2026-01-31 23:59:59.999"],
    ["31.01.2026 9:05", "DD.MM.YYYY HH:MM", "2026-01-31 09:05:00.000 … 2026-01-31 09:05:59.999"],
    ["31/01/2026 10:20:30", "dd/mm/yyyy hh:mm:ss", "2026-01-31 10:20:30.000 … 2026-01-31 10:20:30.999"],
    ["31.01.2026 10:20:30 +03:00", "dd.mm.yyyy hh:mm:ss", "2026-01-31T07:20:30.000Z … 2026-01-31T07:20:30.999Z"],
    ["01/31/2026", "dd/mm/yyyy", "refused"],
    ["31.02.2026", "dd.mm.yyyy", "refused"],
    ["31.01.2026", "dd.mm.yyyy hh:mm", "refused"],
    ["31.01.2026 10:20", "dd.mm.yyyy", "refused"],
    ["31/01/2026", "dd.mm.yyyy", "refused"],
    ["010226", "ddmmyy", "no such format"],
    ["01.02", "dd.mm", "no such format"],
    ["01.02.01", "dd.mm.dd", "no such format"],
  ])("%s as %s", (text, format, expected) => expect(read(text, format)).toBe(expected));

  it("take the time of day from a column of its own", () => {
    expect(read("31.01.2026", "dd.mm.yyyy", "9:05")).toBe("2026-01-31 09:05:00.000 … 2026-01-31 09:05:59.999");
    expect(read("2026-01-31", undefined, "09:05:01Z")).toBe("2026-01-31T09:05:01.000Z … 2026-01-31T09:05:01.999Z");
    expect(read("2026-01-31", undefined, "")).toBe("2026-01-31 00:00:00.000 … 2026-01-31 23:59:59.999");
    for (const time of ["25:00", "9", "09:60", "soon"]) expect(read("2026-01-31", undefined, time)).toBe("refused");
  });

  it.each([
    "",
    "2026-02-31",
    "2025-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-01-31T25:00",
    "2026-01-31T24:00:00",
    "2026-01-31T10:60",
    "2026-01-31T10:20:60",
    "2026-01-31T10:20+15:00",
    "2026-01-31T10:20+03:60",
    "2026-1-31",
    "31.01.2026",
    "0000-01-01",
    "1969-12-31",
    "2026-01-31T10",
    "2026-01-31 10:20 x",
  ])("'%s' is refused", (text) => expect(read(text)).toBe("refused"));
});
