import { describe, expect, it } from "vitest";
import type { PayinRequest, PayoutReceiver, PayoutRequest } from "../../core/connector.ts";
import type { Currency } from "../../core/currency.ts";
import type { Minor } from "../../core/money.ts";
import { UPSTREAM_DEFAULTS } from "../../core/upstream-settings.ts";
import type { BankNames } from "./options.ts";
import {
  fromPayinRequest,
  fromPayoutRequest,
  type Situation,
  toPayinState,
  toPayoutState,
  toRequisitesAnswer,
} from "./translate.ts";
import type { WirePayment } from "./wire.ts";

const BANKS: BankNames = {
  toTheirs: (symbol) => ({ sberbank: "sber" })[symbol],
  toOurs: (symbol) => ({ sber: "sberbank" })[symbol],
};
const SITUATION: Situation = {
  settings: { ...UPSTREAM_DEFAULTS, merchantId: "m", projectId: "p" },
  callbackUrl: () => "https://ours.example/provider/behind/callback",
  banks: () => BANKS,
};
const NOW_MS = Date.parse("2026-01-31T10:00:00.000Z");
const PAYIN: PayinRequest = {
  reference: "r",
  projectId: "ours",
  method: "card-p2p",
  amount: 250_000n as Minor,
  currency: "RUB" as Currency,
  bank: undefined,
  expiresAt: new Date(NOW_MS),
  lifetimeS: 900,
  customer: { id: "c" },
};

function payment(state: string, change: Partial<WirePayment> = {}, terms: object = {}): WirePayment {
  const [status = "", sub_status = null] = state.split(":");
  return {
    ...{ project_id: "p", payment_id: "r", status, sub_status, decline_code: null },
    payment: { method: "card-p2p", amount: 250_000, requested_amount: 250_000, currency: "RUB", fee: 6_250, ...terms },
    updated_at: "2026-01-31T09:59:00.000Z",
    ...change,
  };
}

const CARD = { type: "card", pan: "2200123412341234", holder: "IVAN I.", bank: "sber", bank_name: "Sber" };

describe("a pay-in that is asked for", () => {
  it("says all that the protocol demands, and the same in every repeat", () => {
    const body = fromPayinRequest(SITUATION, PAYIN);
    expect(body).toEqual({
      general: { project_id: "p", payment_id: "r", merchant_callback_url: SITUATION.callbackUrl() },
      payment: { method: "card-p2p", amount: 250_000, currency: "RUB", lifetime: 900 },
      customer: { id: "c", ip_address: "0.0.0.0" },
    });
    // Later, when less of its time is left.
    expect(fromPayinRequest(SITUATION, { ...PAYIN, expiresAt: new Date(NOW_MS + 1) })).toEqual(body);
  });

  it.each([
    [1, 300],
    [600, 600],
    [5_000, 900],
  ])("with a lifetime of %i s lives %i s there", (lifetimeS, lifetime) => {
    expect(fromPayinRequest(SITUATION, { ...PAYIN, lifetimeS })).toMatchObject({ payment: { lifetime } });
  });

  it("names the bank as the gateway does; one that it does not know is left out, or ends the attempt", () => {
    const withBank = (symbol: string, required: boolean) =>
      fromPayinRequest(SITUATION, { ...PAYIN, bank: { symbol, required } });
    expect(withBank("sberbank", true)).toMatchObject({ sender: { bank: "sber" } });
    expect(withBank("other", false)).not.toHaveProperty("sender");
    expect(withBank("other", true)).toEqual({ notMade: "bank_unknown" });
  });
});

describe("the answer to it", () => {
  it.each([
    ["processing:new", {}, "pending"],
    ["processing:requisites", {}, "pending"],
    ["processing:awaiting_confirm", { requisites: CARD }, "issued"],
    ["decline", { decline_code: "no_requisites" }, "none"],
    ["decline", { decline_code: "provider_declined" }, "none"],
    ["decline", { requisites: CARD }, "unknown"],
    ["processing:awaiting_confirm", { requisites: { type: "pigeon", pan: "1" } }, "unknown"],
    ["processing:awaiting_confirm", { requisites: { type: "link", url: "javascript:alert(1)" } }, "unknown"],
    ["processing:invented", {}, "unknown"],
    ["constructor", {}, "unknown"],
    ["processing:payout_process", {}, "unknown"],
  ])("%s %j is %s", (state, change, kind) => {
    expect(toRequisitesAnswer(payment(state, change), BANKS).kind).toBe(kind);
  });

  it.each([
    [CARD, { type: "card", value: CARD.pan, holder: "IVAN I.", bank: "sberbank", bankName: "Sber" }],
    [
      { ...CARD, bank: "other" },
      { type: "card", bank: undefined, bankName: "Sber" },
    ],
    [
      { type: "phone", phone: "+79990000000" },
      { type: "phone", value: "+79990000000" },
    ],
    [
      { type: "account", account_number: "40817" },
      { type: "account", value: "40817" },
    ],
    [
      { type: "link", url: "https://qr.example/1" },
      { type: "link", value: "https://qr.example/1" },
    ],
    [
      { type: "link", url: "tel:*123*45%23" },
      { type: "link", value: "tel:*123*45%23" },
    ],
  ])("shows where to pay to: %j", (requisites, shown) => {
    const answer = toRequisitesAnswer(payment("processing:awaiting_confirm", { requisites }), BANKS);
    expect(answer).toMatchObject({ kind: "issued", requisites: shown });
  });
});

describe("the money of a pay-in", () => {
  const AT = new Date("2026-01-31T09:59:00.000Z");
  const SUMS = { amount: 240_000, received_amount: 250_000 };
  it.each([
    ["processing:awaiting_confirm", {}, { kind: "open" }],
    // The gateway waits for room in our balance there. What we counted while it was in dispute was not taken back.
    ["processing:paid", { received_amount: 250_000 }, { kind: "open" }],
    ["dispute:different_amount", { received_amount: 7 }, { kind: "open", total: { amount: 7n, receivedAt: AT } }],
    // What came after the end is not credited.
    ["success", SUMS, { kind: "open", total: { amount: 240_000n }, fee: 6_250n }],
    ["decline", { received_amount: 7 }, { kind: "declined", total: { amount: 0n } }],
  ])("in %s %j", (state, terms, expected) => {
    const found = toPayinState(payment(state, {}, terms), BANKS, NOW_MS);
    expect(found).toMatchObject(expected);
    for (const member of ["fee", "total"]) expect(member in found).toBe(member in expected);
  });

  it("came when the gateway says so, and never later than now", () => {
    for (const updated_at of ["2027-01-01T00:00:00.000Z", "yesterday"]) {
      const found = toPayinState(payment("success", { updated_at }), BANKS, NOW_MS);
      expect(found).toMatchObject({ total: { receivedAt: new Date(NOW_MS) } });
    }
  });
});

describe("a payout", () => {
  const receivers: readonly [PayoutReceiver, object][] = [
    [
      { type: "card", pan: "4242424242424242", holder: "A B" },
      { pan: "4242424242424242", card_holder: "A B" },
    ],
    [{ type: "phone", phone: "+7", bank: undefined }, { phone: "+7" }],
    [
      { type: "phone", phone: "+7", bank: "sberbank" },
      { phone: "+7", bank: "sber" },
    ],
    [
      { type: "account", accountNumber: "1", bank: "sberbank", name: "N" },
      { account_number: "1", bank: "sber", name: "N" },
    ],
  ];
  const request = (receiver: PayoutReceiver): PayoutRequest => ({ ...PAYIN, receiver });
  it.each(receivers)("goes to %j", (receiver, wire) => {
    expect(fromPayoutRequest(SITUATION, request(receiver))).toMatchObject({ receiver: wire });
  });
  it("to a bank that the gateway does not know cannot be made", () => {
    const receiver = { type: "phone", phone: "+7", bank: "other" } as const;
    expect(fromPayoutRequest(SITUATION, request(receiver))).toEqual({ notMade: "bank_unknown" });
  });

  it.each([
    ["processing:new", null, { kind: "pending" }],
    ["processing:payout_process", null, { kind: "pending" }],
    ["dispute:payout_timeout", null, { kind: "pending" }],
    ["dispute:payout_failed", null, { kind: "may_have_left" }],
    ["dispute:incorrect_requisites", null, { kind: "receiver_wrong" }],
    ["success", null, { kind: "approved", fee: 6_250n }],
    ["decline", "insufficient_funds", { kind: "declined", reason: "insufficient_funds" }],
    ["decline", "operator", { kind: "declined", reason: "other" }],
    ["processing:paid", null, { kind: "unknown" }],
    ["success:invented", null, { kind: "unknown" }],
  ])("in %s (%s)", (state, decline_code, outcome) => {
    const requested = { amount: 250_000n, currency: "RUB" };
    expect(toPayoutState(payment(state, { decline_code }))).toEqual({ ...outcome, requested });
  });

  it("that was paid with another sum than was asked for is left to an operator", () => {
    expect(toPayoutState(payment("success", {}, { amount: 249_999 }))).toMatchObject({ kind: "may_have_left" });
  });
});
