import { describe, expect, it } from "vitest";
import { ok, type Result } from "../../../core/result.ts";
import { detectStatement } from "./detect-statement.ts";
import { readStatement } from "./read-statement.ts";

const CSV = "booked_at,amount,currency,reference\n";
const CAMT =
  '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>';

describe("the beginning of a file tells", () => {
  it.each([
    [CSV, "csv"],
    [`\uFEFF\n${CSV}`, "csv"],
    ["Bank of Somewhere\nStatement\na;b", "csv"],
    [`\uFEFF${CAMT}`, "camt.053"],
    [CAMT.replace("053", "052"), "camt.052"],
    [CAMT.replace("053", "054"), "camt.054"],
    ["<html>", "not an ISO 20022 camt.053"],
    ["", "empty"],
    [" \n", "empty"],
    ["PK\u0003\u0004,", "spreadsheet"],
    ["%PDF-1.4,", "PDF"],
    ["{1:F01,", "MT940"],
    [":20:x,", "MT940"],
    ["1CClientBankExchange\n", "1C"],
    ['{"a":1,', "JSON"],
    ["a\0,b", "not text"],
    ["hello", "neither"],
  ])("%j: %s", (text, expected) => {
    const detected = detectStatement(text);
    expect(detected.ok ? detected.value : detected.error).toContain(expected);
  });
});

async function read(chunks: readonly Result<string, string>[]) {
  const portions = [];
  for await (const portion of readStatement(chunks)) portions.push(portion);
  return portions;
}

it("reads a short file and a long one, and counts every line", async () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => ok(`2026-01-31,5,EUR,r${index}\n`));
  for (const count of [1, 1_000]) {
    const portions = await read([ok(CSV), ...lines(count)]);
    expect(portions.flatMap((portion) => (portion.ok ? [...portion.value] : []))).toHaveLength(count);
  }
});

it("ends with the error of the file, of its format or of its bytes", async () => {
  const error = { ok: false, error: "bad bytes" } as const;
  expect(await read([ok(CSV), error, ok("x")])).toEqual([error]);
  expect(await read([ok("a,b\n1,2\n".repeat(1_000)), ok("x")])).toMatchObject([{ ok: false }]);
  expect(await read([ok(`%PDF${" ".repeat(5_000)}`), ok("x")])).toMatchObject([{ ok: false }]);
  expect(await read([])).toEqual([{ ok: false, error: "The file is empty." }]);
});
