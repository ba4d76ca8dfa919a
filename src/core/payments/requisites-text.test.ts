import { describe, expect, it } from "vitest";
import type { Requisites } from "../connector.ts";
import type { Currency } from "../currency.ts";
import type { Minor } from "../money.ts";
import { maskRequisites, requisitesFromText, requisitesToText, wireRequisites } from "./requisites-text.ts";

const CARD: Requisites = {
  type: "card",
  value: "2200123456783456",
  holder: "IVAN I.",
  bank: "sberbank",
  bankName: "Sberbank",
};
const bare = (type: Requisites["type"], value: string): Requisites => ({
  type,
  value,
  holder: undefined,
  bank: undefined,
  bankName: undefined,
});

describe("the sealed text", () => {
  it.each([CARD, bare("phone", "+79001234567"), bare("account", "4081"), bare("link", "tel:*000*1%23")])(
    "is read back as it was: %j",
    (requisites) => expect(requisitesFromText(requisitesToText(requisites))).toStrictEqual(requisites),
  );

  it.each([
    "",
    "2200123456783456",
    "null",
    "[]",
    '{"type":"cash","value":"1"}',
    '{"type":"card"}',
    '{"type":"toString"}',
  ])("that is damaged is a bug whose error does not show it: %j", (text) => {
    expect(() => requisitesFromText(text)).toThrow(
      /^the sealed (requisites have an unknown form|text is not a JSON object)$/,
    );
  });
});

describe("what merchants see", () => {
  const wire = (requisites: Requisites) => wireRequisites(requisites, 250_000n as Minor, "RUB" as Currency);

  it("is everything that is known", () => {
    expect(wire(CARD)).toStrictEqual({
      type: "card",
      pan: "2200123456783456",
      holder: "IVAN I.",
      bank: "sberbank",
      bank_name: "Sberbank",
      amount: 250_000,
      currency: "RUB",
    });
  });

  it.each([
    ["phone", "phone", "+79001234567"],
    ["account", "account_number", "40817810099910004312"],
    ["link", "url", "https://pay.example/qr/1"],
  ] as const)("of a %s stands in the member %s, without what is not known", (type, member, value) => {
    expect(wire(bare(type, value))).toStrictEqual({ type, [member]: value, amount: 250_000, currency: "RUB" });
  });
});

describe("masked", () => {
  it.each([
    ["card", "2200123456783456", "220012******3456"],
    ["card", "2200 1234 5678 3456", "220012******3456"],
    ["card", "123456789012", "123456**9012"],
    ["card", "12345678901", "*******8901"],
    ["card", "1234", "****"],
    ["phone", "+79001234567", "+7********67"],
    ["phone", "+994501234567", "+994*******67"],
    ["phone", "+996700123456", "+996*******56"],
    ["phone", "+2348012345678", "+234********78"],
    ["phone", "+541123456789", "+54********89"],
    ["phone", "89001234567", "*********67"],
    ["phone", "+71", "***"],
    ["account", "40817810099910004312", "****************4312"],
    ["account", "4312", "****"],
    ["link", "https://pay.example/qr/12345?token=1", "https://pay.example"],
    ["link", "https://user:word@pay.example:8443/qr", "https://pay.example:8443"],
    ["link", "bank100000000111://qr.example/AS1000", "bank100000000111://qr.example"],
    ["link", "mailto:ivan@shop.example", "mailto:"],
    ["link", "not a link", "***"],
    ["link", "tel:*000*12345678%23", "tel:***********78%23"],
    ["link", "tel:+79001234567", "tel:+*********67"],
    ["link", "TEL:%31%32%33%34%23", "TEL:**%33%34%23"],
    ["link", "tel:12", "tel:12"],
  ] as const)("%s %s shows as %s", (type, value, shown) => {
    expect(maskRequisites(bare(type, value))).toStrictEqual(bare(type, shown));
  });

  it("the holder and the bank stay", () => {
    expect(maskRequisites(CARD)).toStrictEqual({ ...CARD, value: "220012******3456" });
  });
});
