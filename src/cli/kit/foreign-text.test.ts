import { expect, test } from "vitest";
import { foreignJson, showForeignText, showMerchantText } from "./foreign-text.ts";

test.each([
  ["plain", "plain"],
  ["  two\r\n\tlines ", "two lines"],
  ["\u001b[2J\u0007wiped", "\\u001b[2J\\u0007wiped"],
  ["\u009b31mred", "\\u009b31mred"],
  ["\u202egpj.exe", "\\u202egpj.exe"],
  ["\u2067x\u2069\u200f", "\\u2067x\\u2069\\u200f"],
  ['{"pan":"2200123412343456"}', '{"pan":"220012******3456"}'],
  ["40817810099910004312 and 79001234567", "408178**********4312 and 79001234567"],
  ["Оплачено 💳", "Оплачено 💳"],
])("%j is shown as %s", (text, shown) => expect(showForeignText(text, 100)).toBe(shown));

test("what a merchant named is shown with its numbers, and otherwise as safely", () => {
  expect(showMerchantText("order 20260131000017", 100)).toBe("order 20260131000017");
  expect(showMerchantText("a\u001b[2J\u202eb", 100)).toBe("a\\u001b[2J\\u202eb");
});

test("long texts are cut by characters, not by halves of them", () => {
  expect(showForeignText("💳".repeat(10), 4)).toBe("💳💳💳…");
  expect(showForeignText("💳".repeat(4), 4)).toBe("💳💳💳💳");
});

test("JSON keeps its value, and holds nothing that moves a cursor", () => {
  const value = { text: "a\u001b[2J\u009b1m\u202e\u2028\n", list: ["ü", 1, null] };
  const shown = foreignJson(value, 2);
  expect(JSON.parse(shown)).toEqual(value);
  expect(shown).not.toMatch(/(?!\n)\p{Cc}|[\u202e\u2028]/u);
  expect(foreignJson(value)).not.toContain("\n");
});
