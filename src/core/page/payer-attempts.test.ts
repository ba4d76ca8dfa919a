import { expect, it } from "vitest";
import { payerAttempts, type ShownChoice } from "./payer-attempts.ts";

const CHOSEN = new Date("2026-01-31T10:00:00.000Z");
const ENDED = new Date("2026-01-31T10:01:00.000Z");
const card: ShownChoice = {
  ...{ number: 1, method: "card-ecom", bank: null, mask: "400000******9995", brand: "visa" },
  ...{ chosenAt: CHOSEN, endedAt: ENDED, declineCode: "insufficient_funds" },
};
const transfer: ShownChoice = {
  ...{ number: 2, method: "sbp-p2p", bank: "sberbank", mask: null, brand: null },
  ...{ chosenAt: ENDED.toISOString(), endedAt: null, declineCode: null },
};

it("is left out before the first choice", () => {
  expect([undefined, null, []].map((choices) => payerAttempts("processing:new", choices))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it("names the card or the bank, and the times as text, whichever way they came", () => {
  expect(payerAttempts("processing:awaiting_confirm", [card, transfer])).toEqual([
    {
      ...{ number: 1, method: "card-ecom", card: { pan: "400000******9995", brand: "visa" } },
      ...{ status: "decline", decline_code: "insufficient_funds" },
      ...{ created_at: "2026-01-31T10:00:00.000Z", ended_at: "2026-01-31T10:01:00.000Z" },
    },
    {
      ...{ number: 2, method: "sbp-p2p", bank: "sberbank", status: "processing", decline_code: null },
      ...{ created_at: "2026-01-31T10:01:00.000Z", ended_at: null },
    },
  ]);
});

it.each([
  ["processing:new", "processing"],
  ["processing:paid", "processing"],
  ["dispute:confirm_timeout", "dispute"],
  ["success", "success"],
] as const)(
  "in %s: the choice that is not over has the payment's status, and an earlier one stays declined",
  (state, status) => {
    expect(payerAttempts(state, [card, transfer])).toMatchObject([{ status: "decline" }, { status }]);
  },
);

it("has the payment's decline code where the payment ended with it", () => {
  const last = { ...transfer, endedAt: ENDED, declineCode: "expired" };
  expect(payerAttempts("decline", [card, last])).toMatchObject([
    { status: "decline", decline_code: "insufficient_funds" },
    { status: "decline", decline_code: "expired" },
  ]);
});
