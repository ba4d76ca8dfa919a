import { expect, it } from "vitest";
import { openLog } from "./log.ts";
import { Secret } from "./secret.ts";

function logged(record: object): string {
  const lines: string[] = [];
  openLog({ level: "info", destination: { write: (line) => lines.push(line) } }).info(record, "text");
  return lines.join("");
}

it("hides members that may hold a secret, however deep they lie", () => {
  const line = logged({
    hmac_secret: "hunter2",
    card: { pan: "4242424242424242" },
    request: { headers: [{ "x-access-signature": "hunter2" }], body: { receiver: { phone: "hunter2" } } },
    wrapped: { value: new Secret("hunter2") },
    deep: { a: { b: { c: { d: { e: { f: "hunter2" } } } } } },
  });
  expect(line).not.toContain("hunter2");
  expect(line).not.toContain("4242");
  expect(line).toContain("[redacted]");
  expect(line).toContain("[secret]");
});

it("leaves the rest as it is", () => {
  const line = JSON.parse(logged({ status: 200, list: [1, { a: null }], at: new Date(0) }));
  expect(line).toMatchObject({
    level: "info",
    msg: "text",
    status: 200,
    list: [1, { a: null }],
    at: "1970-01-01T00:00:00.000Z",
  });
});
