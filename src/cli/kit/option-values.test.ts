import { expect, test } from "vitest";
import { readAmount, readInstant, readNetwork } from "./option-values.ts";

test.each([
  ["1", 1n],
  ["0150", 150n],
  ["10000000000000", 10_000_000_000_000n],
])("the amount %s is read whole", (text, amount) => expect(readAmount(text, "AMOUNT")).toBe(amount));

test.each(["", "0", "10000000000001", "99999999999999999999", "1.0", "1e3", "+5", " 5", "5 ", "٣", "0x10"])(
  "%j is no amount",
  (text) => expect(() => readAmount(text, "AMOUNT")).toThrow("AMOUNT must be a whole number of minor units"),
);

test.each([
  ["2026-01-31", "2026-01-31T00:00:00.000Z"],
  ["2028-02-29", "2028-02-29T00:00:00.000Z"],
  ["2026-01-31T10:00Z", "2026-01-31T10:00:00.000Z"],
  ["2026-01-31T10:00:05.250Z", "2026-01-31T10:00:05.250Z"],
  ["2026-01-01T01:00:00+03:00", "2025-12-31T22:00:00.000Z"],
])("the time %s is %s", (text, instant) => expect(readInstant(text, "TIME").toISOString()).toBe(instant));

test.each(["", "tomorrow", "2026-02-29", "2026-13-01", "2026-1-1", "2026-01-31T10:00:00", "2026-01-31T25:00Z", "0"])(
  "%j is no time",
  (text) => expect(() => readInstant(text, "TIME")).toThrow("TIME must be a time such as"),
);

test.each(["192.0.2.7", "192.0.2.0/24", "0.0.0.0/0", "2001:db8::1", "2001:db8::/32"])("%s is an address", (text) =>
  expect(readNetwork(text, "IP")).toBe(text),
);

test.each(["", "1", "10/8", "010.0.0.1", "0x7f.1", "192.0.2.0/33", "192.0.2.0/", "fe80::1%eth0", "shop.example"])(
  "%j is no address",
  (text) => expect(() => readNetwork(text, "IP")).toThrow("IP must be an address or a network"),
);
