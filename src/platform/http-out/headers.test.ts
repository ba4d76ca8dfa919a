import { expect, test } from "vitest";
import { findSafeHeaders } from "./headers.ts";

test("headers go out in lower case, and no compressed answer is asked for", () => {
  expect(findSafeHeaders({ "X-Access-Token": "a b\tc", "content-type": "application/json", empty: "" })).toEqual([
    ...["accept-encoding", "identity"],
    ...["x-access-token", "a b\tc"],
    ...["content-type", "application/json"],
    ...["empty", ""],
  ]);
});

test.each([...["a\r\nx-injected: 1", "a\nb", "a\rb", "a\u0000b", "\u007f", "ключ", "\u00e9", "a\u2028b", "\u010a"]])(
  "the value %j is refused",
  (value) => expect(findSafeHeaders({ "x-note": value })).toBeUndefined(),
);

test.each(["", "x note", "x-note:", "x\r\ny", "x\ny", "имя", "x\u0000", "(x)", "x/y"])(
  "the name %j is refused",
  (name) => expect(findSafeHeaders({ [name]: "1" })).toBeUndefined(),
);

test.each([
  ...["host", "Host", "Connection", "content-length", "Transfer-Encoding", "te", "trailer", "Upgrade", "expect"],
  ...["keep-alive", "Accept-Encoding", "proxy-authorization", "proxy-connection"],
])("%s is not the caller's to set", (name) => expect(findSafeHeaders({ [name]: "1" })).toBeUndefined());

test("a header cannot be given twice in two spellings", () => {
  expect(findSafeHeaders({ "x-note": "1", "X-Note": "2" })).toBeUndefined();
});
