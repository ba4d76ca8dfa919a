import { describe, expect, it } from "vitest";
import { findAccent, findWidgetOrigin } from "./page-look.ts";

describe("an accent", () => {
  it.each([
    ["#1A56db", "#1a56db"],
    ["#fff", undefined],
    ["1a56db", undefined],
    ["#1a56db;", undefined],
    ["red", undefined],
  ])("%s is %s", (text, accent) => expect(findAccent(text)).toBe(accent));
});

describe("an origin", () => {
  it.each([
    "https://shop.example",
    "https://shop.example:8443",
    "https://xn--e1afmkfd.example",
    "https://[2001:db8::1]",
  ])("is %s", (origin) => expect(findWidgetOrigin(origin, "production")).toBe(origin));

  it("is http in development only", () => {
    expect(findWidgetOrigin("http://127.0.0.1:3000", "development")).toBe("http://127.0.0.1:3000");
    expect(findWidgetOrigin("http://127.0.0.1:3000", "production")).toBeUndefined();
  });

  // What has a meaning of its own in a content security policy cannot come in by a host's name.
  it.each(["https://*.shop.example", "https://a;sandbox", "https://a,b", "https://a'b", "https://shop.example/", "*"])(
    "is not %s",
    (origin) => expect(findWidgetOrigin(origin, "development")).toBeUndefined(),
  );
});
