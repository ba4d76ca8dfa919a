import { expect, it } from "vitest";
import { findPasswordFault } from "./password-rules.ts";

const EMAIL = "anna.petrova@bluewhale.example";
const codeOf = (password: string) => findPasswordFault(password, EMAIL)?.code;

it.each([
  "password1234",
  "Password123!",
  "P@ssw0rd2026!",
  "passwordpassword",
  "password password",
  "qwerty123456",
  "qwertyuiop123",
  "123456789012",
  "1234567890-=",
  "aaaaaaaaaaaa",
  "abababababab",
  "abcabcabcabc",
  "abcdefghijkl",
  "zxcvbnm,./12",
  "administrator1",
  "Admin2026!!!!",
  "letmein12345",
  "iloveyou2026",
  "Welcome2026!!",
  "changeme1234",
  "Tillgate2026!",
  "tillgatepayments",
  "annapetrova1",
  "bluewhale2026",
  "Пароль123456",
  "йцукенгшщзхъ",
  "qazwsxedc123",
  "supersecret1!",
])("refuses %j", (password) => {
  expect(codeOf(password)).toBe("password_common");
});

it.each([
  "seven green bottles",
  "a long walk to the shore",
  "xK9#mQ2$vL7p",
  "correct horse battery staple",
  "вечерний трамвай едет",
  "hTq7rWm2ZkPd",
  "owner shop money trees",
])("takes %j", (password) => {
  expect(codeOf(password)).toBeUndefined();
});

it("counts characters as people do", () => {
  expect(codeOf("elevenchars")).toBe("password_too_short");
  expect(codeOf("🦊🐢🦉🐝🦀🐙🦋🐌🐞🦎🐍🦖")).toBeUndefined();
  expect(codeOf("🦊🐢🦉🐝🦀🐙🦋🐌🐞🦎🐍")).toBe("password_too_short");
  expect(codeOf("xK9#mQ2$vL7p".repeat(11))).toBe("password_too_long");
});
