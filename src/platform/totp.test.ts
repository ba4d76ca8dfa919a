import { describe, expect, it } from "vitest";
import { base32, findTotpStep, totpCode, totpStep } from "./totp.ts";

/** The vectors of RFC 6238, whose eight digits end in our six. */
const SECRET = Buffer.from("12345678901234567890");
const VECTORS = [
  [59, "287082"],
  [1111111109, "081804"],
  [1111111111, "050471"],
  [1234567890, "005924"],
  [2000000000, "279037"],
  [20000000000, "353130"],
] as const;

it.each(VECTORS)("is %s s after 1970: %s", (seconds, code) => {
  expect(totpCode(SECRET, totpStep(seconds * 1000))).toBe(code);
});

it("writes base32 as RFC 4648 does", () => {
  const pairs = ["f", "fo", "foo", "foob", "fooba", "foobar"].map((text) => base32(Buffer.from(text)));
  expect(pairs).toEqual(["MY", "MZXQ", "MZXW6", "MZXW6YQ", "MZXW6YTB", "MZXW6YTBOI"]);
});

describe("a code", () => {
  const nowMs = 1_700_000_000_000;
  const step = totpStep(nowMs);

  it("is taken from one step before to one after, and from no other", () => {
    const taken = [-2n, -1n, 0n, 1n, 2n].map(
      (around) => findTotpStep(SECRET, totpCode(SECRET, step + around), nowMs, 0n) === step + around,
    );
    expect(taken).toEqual([false, true, true, true, false]);
  });

  it("is not taken for a step that was used, or for one before it", () => {
    expect(findTotpStep(SECRET, totpCode(SECRET, step), nowMs, step)).toBeUndefined();
    expect(findTotpStep(SECRET, totpCode(SECRET, step - 1n), nowMs, step)).toBeUndefined();
    expect(findTotpStep(SECRET, totpCode(SECRET, step + 1n), nowMs, step)).toBe(step + 1n);
  });

  it.each(["", "0", "12345", "1234567", "abcdef"])("is refused: %j", (code) => {
    expect(findTotpStep(SECRET, code, nowMs, 0n)).toBeUndefined();
  });
});
