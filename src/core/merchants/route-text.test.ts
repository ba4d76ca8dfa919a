import fc from "fast-check";
import { expect, it } from "vitest";
import { parseRoute, renderRoute } from "./route-text.ts";

it.each([
  ["acme", "acme"],
  ["acme,zenit", "acme,zenit"],
  [" acme , zenit ", "acme,zenit"],
  ["acme*70+zenit*30,backup", "acme*70+zenit*30,backup"],
  ["acme+zenit", "acme+zenit"],
  ["acme*1+zenit*2", "acme+zenit*2"],
  [
    "acme*70[amount<=100000  currency=RUB] + zenit*30[country=RU|KZ bank=sberbank|t-bank], acme",
    "acme*70[amount<=100000 currency=RUB]+zenit*30[country=RU|KZ bank=sberbank|t-bank],acme",
  ],
  ["acme[amount>=100 amount<=100]", "acme[amount>=100 amount<=100]"],
  ["acme[currency=RUB],zenit,acme[currency=KZT]", "acme[currency=RUB],zenit,acme[currency=KZT]"],
])("%s is read, and written as %s", (text, written) => {
  const read = parseRoute(text);
  expect(read.ok && renderRoute(read.value)).toBe(written);
  expect(parseRoute(written)).toEqual(read);
});

it("gives each entry its rank, weight and condition", () => {
  expect(parseRoute("a1*2[amount>=5 bank=x]+b1,c1")).toEqual({
    ok: true,
    value: [
      { provider: "a1", rank: 1, weight: 2, when: { minAmount: 5n, banks: ["x"] } },
      { provider: "b1", rank: 1, weight: 1, when: undefined },
      { provider: "c1", rank: 2, weight: 1, when: undefined },
    ],
  });
});

const CODE = "is not a provider's code";

it.each([
  ["acme,", 6, `"" ${CODE}`],
  ["acme++zenit", 6, `"" ${CODE}`],
  ["Acme+zenit", 1, `"Acme" ${CODE}`],
  ["acme*70", 5, "a weight is for providers that share a place: put + between them"],
  ["acme*0+zenit", 5, "a weight must be a whole number from 1 to 1000"],
  ["acme+zenit*1001", 11, "a weight must be a whole number from 1 to 1000"],
  ["acme+zenit*x", 11, "a weight must be a whole number from 1 to 1000"],
  ["acme[]", 6, "the brackets hold no condition"],
  [
    "acme[amount=5]",
    6,
    "a condition must be like amount>=100, amount<=100, currency=RUB, country=RU|KZ or bank=sberbank",
  ],
  ["acme[amount<=0]", 6, "an amount must be a whole number of minor units from 1 to 10000000000000"],
  ["acme[currency=RUB amount<=1.5]", 19, "an amount must be a whole number of minor units from 1 to 10000000000000"],
  ["acme[amount>=9 amount<=8]", 6, "the smallest amount is above the largest"],
  ["acme[amount<=9 amount<=8]", 16, "amount<= comes twice"],
  ["acme[currency=rub]", 6, '"rub" is no currency: write it like RUB'],
  ["acme[country=RU|]", 6, '"" is no country: write it like RU'],
  ["acme[bank=Sber Bank]", 6, '"Sber" is no bank: write it like sberbank'],
  ["acme[amount<=5", 1, "it must be like acme, acme*70 or acme*70[amount<=100000 currency=RUB]"],
  ["acme]x[", 1, "it must be like acme, acme*70 or acme*70[amount<=100000 currency=RUB]"],
  ["acme+acme", 6, "acme comes before, for every payment that it would take here"],
  ["acme,zenit,acme[amount<=5]", 12, "acme comes before, for every payment that it would take here"],
  ["acme[amount<=5],acme[amount<=5]", 17, "acme comes before, for every payment that it would take here"],
  [Array.from({ length: 21 }, (_, index) => `p${index}x`).join(), 1, "it has more than 20 entries"],
])("%s is refused at character %i: %s", (text, at, message) => {
  expect(parseRoute(text)).toEqual({ ok: false, error: { at, message } });
});

it("any text is a route that is written as it was read, or a fault with its place", () => {
  const piece = fc.constantFrom(
    ...["gate", "pool", "*", "+", ",", "[", "]", "|", "=", "<=", ">=", " ", "amount", "currency", "country", "bank"],
    ...["RUB", "RU", "1", "70", "999999999999999999999", "-1", "__proto__", "constructor", "\u0000", "\u001b[2J", "п"],
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(piece, { maxLength: 24 }).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(text, (written) => {
      const read = parseRoute(written);
      if (read.ok) expect(parseRoute(renderRoute(read.value))).toEqual(read);
      else {
        expect(read.error.at).toBeGreaterThanOrEqual(1);
        expect(read.error.message).not.toMatch(/\p{Cc}/u);
      }
    }),
    { numRuns: 2_000 },
  );
});
