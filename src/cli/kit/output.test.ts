import { expect, test } from "vitest";
import { keyState, shortToken } from "../merchants/key-view.ts";
import { renderPairs, renderTable } from "./output.ts";

test("a table is aligned, without blanks at the ends of its lines", () => {
  const columns = [{ title: "CURRENCY" }, { title: "AVAILABLE", align: "right" }, { title: "NAME" }] as const;
  const rows = [
    ["RUB", "98000", "Рубль"],
    ["JPY", "5", ""],
  ];
  expect(renderTable(columns, rows)).toBe(
    ["CURRENCY  AVAILABLE  NAME", "RUB           98000  Рубль", "JPY               5"].join("\n"),
  );
  expect(renderTable(columns, [])).toBe("CURRENCY  AVAILABLE  NAME");
});

test("pairs are aligned", () => {
  expect(
    renderPairs([
      ["key", "1"],
      ["x-access-token", "2"],
    ]),
  ).toBe("key             1\nx-access-token  2");
});

const nowMs = Date.parse("2026-06-01T00:00:00Z");
const at = (text: string) => new Date(text);

test.each([
  ["active", { notBefore: at("2026-01-01"), notAfter: null, revokedAt: null }],
  ["active", { notBefore: at("2026-06-01"), notAfter: at("2026-07-01"), revokedAt: null }],
  ["not yet", { notBefore: at("2026-06-02"), notAfter: null, revokedAt: null }],
  ["expired", { notBefore: at("2026-01-01"), notAfter: at("2026-06-01"), revokedAt: null }],
  ["revoked", { notBefore: at("2026-06-02"), notAfter: at("2026-07-01"), revokedAt: at("2026-05-01") }],
])("a key is %s", (state, key) => expect(keyState(key, nowMs)).toBe(state));

test("a shortened RSA token keeps characters that differ from key to key", () => {
  expect(shortToken(`MIIBIjANBgkq${"A".repeat(300)}u29HYHDQHhX7MwIDAQAB`)).toBe("MIIBIj…u29HYHDQHhX7MwIDAQAB");
});

test("what somebody else wrote cannot move the cursor or turn a line around", () => {
  const nasty = "a\u001b[2Jb\u202ec\nd";
  expect(renderTable([{ title: "X" }], [[nasty]])).toBe("X\na\ufffd[2Jb\ufffdc\ufffdd");
  expect(renderPairs([["x", nasty]])).toBe("x  a\ufffd[2Jb\ufffdc\ufffdd");
});
