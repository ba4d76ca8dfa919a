import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { API_PATHS } from "./api-paths.ts";
import { explainRefusal } from "./explain-answer.ts";

const contract = parse(readFileSync(new URL("../../../docs/openapi.yaml", import.meta.url), "utf8"));

test("the paths are those of the contract", () => {
  const merchants = Object.keys(contract.paths).filter(
    (path) => path.startsWith("/api/") || path.startsWith("/sandbox/api/"),
  );
  expect(API_PATHS.toSorted()).toEqual(merchants.toSorted());
});

function explain(code: string | undefined, given: { path?: string; date?: string } = {}) {
  const text = code === undefined ? "<html>" : JSON.stringify({ status: "error", code });
  return explainRefusal({ path: given.path ?? "/x", text, date: given.date, sentAtMs: 1_706_182_847_000 });
}

test.each([
  ["/api/v1/balance/inf", "Did you mean /api/v1/balance/info?"],
  ["/balance/info", "Did you mean /api/v1/balance/info?"],
  ["/api/v1/payment/p2p/payin/", "Did you mean /api/v1/payment/p2p/payin?"],
  ["/v1/payments", "The calls of merchants are below /api/v1, such as /api/v1/balance/info"],
])("a path that is not there, %s, is answered with one that is", (path, sentence) =>
  expect(explain("not_found", { path })).toContain(sentence),
);

test("a clock that differs is told by how much", () => {
  const behind = { date: "Thu, 25 Jan 2024 11:50:47 GMT" };
  expect(explain("timestamp_out_of_window", behind)).toBe(
    "This machine's clock is 600 s behind the service's. Set it.",
  );
  const ahead = { date: "Thu, 25 Jan 2024 11:30:47 GMT" };
  expect(explain("timestamp_out_of_window", ahead)).toBe(
    "This machine's clock is 600 s ahead of the service's. Set it.",
  );
  expect(explain("timestamp_out_of_window")).toBe("Set this machine's clock.");
});

test("an answer of another server is told as one", () => {
  expect(explain(undefined)).toContain("This is not an answer of Tillgate's API.");
});

test("a wrong key is explained, and what explains itself is not", () => {
  expect(explain("signature_invalid")).toContain("vectors check");
  expect(explain("validation_failed")).toBeUndefined();
});
