import { describe, expect, it } from "vitest";
import { findSupport, type SupportContact } from "./support-contact.ts";

describe("a shop's contact", () => {
  it.each<[keyof SupportContact, string, string]>([
    ["supportEmail", " Help@Shop.example ", "help@shop.example"],
    ["supportPhone", "+7 (800) 555-01-02", "+7 (800) 555-01-02"],
    ["supportPhone", "(727) 123 45 67", "(727) 123 45 67"],
    ["supportPhone", "112", "112"],
    ["supportPhone", " 88005550102", "88005550102"],
    ["supportUrl", "https://shop.example/help?a=1", "https://shop.example/help?a=1"],
  ])("is taken: %s %j", (name, text, stored) => {
    expect(findSupport(name, text, "production")).toBe(stored);
  });

  it.each<[keyof SupportContact, string]>([
    ["supportEmail", "help"],
    ["supportEmail", "a@b"],
    ["supportEmail", "help@shop.example?bcc=all@shop.example"],
    ["supportPhone", ""],
    ["supportPhone", "12"],
    ["supportPhone", "1234567890123456"],
    ["supportPhone", "+7 800 TEAPOT"],
    ["supportPhone", "+7+800"],
    ["supportPhone", `1${" ".repeat(30)}23`],
    ["supportPhone", "123\n456"],
    ["supportPhone", "١٢٣٤٥"],
    ["supportUrl", "http://shop.example/"],
    ["supportUrl", "javascript:alert(1)"],
    ["supportUrl", "https://user@shop.example/"],
    ["supportUrl", "shop.example"],
    ["supportUrl", `https://shop.example/${"x".repeat(2048)}`],
  ])("is refused: %s %j", (name, text) => {
    expect(findSupport(name, text, "production")).toBeUndefined();
  });

  it("may be an http page in development", () => {
    expect(findSupport("supportUrl", "http://127.0.0.1:3000/help", "development")).toBe("http://127.0.0.1:3000/help");
  });
});
