import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { listMethodOffers } from "../../core/merchants/methods.ts";
import { makeRequisites } from "./requisites.ts";

const pagesUrl = "https://pay.example/sandbox";
const offers = listMethodOffers().filter(({ direction, method }) => direction === "payin" && method !== "card-ecom");
const FORMS = {
  card: /^(220000|400000)[0-9]{10}$/,
  phone: /^\+(7|994|996|992)0[0-9]{8,9}$/,
  account: /^([0-9]{20}|[0-9]{22}|[0-9]{10})$/,
  link: /^(https:\/\/pay\.example\/sandbox\/(qr|wallet)\/[0-9a-f]{32}|tel:\*000\*[0-9]{8}%23)$/,
};

it("has requisites of the right form for every method and currency, at the bank that is asked for", () => {
  fc.assert(
    fc.property(fc.constantFrom(...offers), fc.constantFrom(undefined, "vtb", "some-new-bank"), (offer, bank) => {
      const made = makeRequisites({ ...offer, amount: 100n, bank, pagesUrl }, randomInt);
      if (made === undefined) throw new Error("none");
      expect(made.value).toMatch(FORMS[made.type]);
      const parts = [made.holder, made.bank, made.bankName];
      if (made.type === "link") expect(parts).toEqual([null, null, null]);
      else expect(parts).toEqual([expect.any(String), bank ?? expect.any(String), expect.any(String)]);
    }),
  );
});

it("issues cards that pass the Luhn check", () => {
  fc.assert(
    fc.property(fc.constantFrom("RUB", "KZT"), (currency) => {
      const made = makeRequisites({ method: "card-p2p", currency, amount: 1n, bank: undefined, pagesUrl }, randomInt);
      const digits = [...(made?.value ?? "")].reverse().map(Number);
      const sum = digits.reduce((total, digit, index) => {
        const doubled = index % 2 === 1 ? digit * 2 : digit;
        return total + (doubled > 9 ? doubled - 9 : doubled);
      }, 0);
      expect(sum % 10).toBe(0);
    }),
  );
});

it("does not know other methods, nor methods in other currencies", () => {
  for (const [method, currency] of [
    ["card-ecom", "RUB"],
    ["constructor", "RUB"],
    ["sbp-p2p", "NGN"],
    ["account-number", "KZT"],
  ] as const)
    expect(makeRequisites({ method, currency, amount: 1n, bank: undefined, pagesUrl }, randomInt)).toBeUndefined();
});
