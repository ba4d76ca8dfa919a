import { expect, it } from "vitest";
import { findProviderUrlFault } from "./provider-url.ts";

it.each([
  ["https://pay.acme.example", undefined, undefined],
  ["https://pay.acme.example:8443/gate", undefined, undefined],
  ["http://127.0.0.1:8080", "must be a URL that begins with https://", undefined],
  ["http://localhost:8080", "must be a URL that begins with https://", undefined],
  [
    "http://pay.acme.example",
    "must be a URL that begins with https://",
    "must begin with https://; http:// is for a provider on this machine only",
  ],
  ["https://10.0.0.7", "must not lead to an address that is not public", undefined],
  [
    "https://a.example/?",
    "must not hold a query, which is ? and what follows",
    "must not hold a query, which is ? and what follows",
  ],
  ["ftp://a.example", "must be a URL that begins with https://", "must be a URL that begins with http:// or https://"],
])("%s: in production %s, in development %s", (text, production, development) => {
  expect(findProviderUrlFault(text, "production")).toBe(production);
  expect(findProviderUrlFault(text, "development")).toBe(development);
});
