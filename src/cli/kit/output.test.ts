import { expect, test } from "vitest";
import { shortToken } from "../merchants/key-view.ts";
import { renderPairs, renderTable } from "./output.ts";

test("a table is aligned, without spaces at the ends of its lines", () => {
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

test("a shortened RSA token keeps characters that differ from key to key", () => {
  expect(shortToken(`MIIBIjANBgkq${"A".repeat(300)}u29HYHDQHhX7MwIDAQAB`)).toBe("MIIBIj…u29HYHDQHhX7MwIDAQAB");
});

test("what somebody else wrote cannot move the cursor or turn a line around", () => {
  const nasty = "a\u001b[2Jb\u202ec\nd";
  expect(renderTable([{ title: "X" }], [[nasty]])).toBe("X\na\ufffd[2Jb\ufffdc\ufffdd");
  expect(renderPairs([["x", nasty]])).toBe("x  a\ufffd[2Jb\ufffdc\ufffdd");
});
