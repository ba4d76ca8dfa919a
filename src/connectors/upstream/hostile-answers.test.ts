import { describe, expect, it } from "vitest";
import { UPSTREAM_DEFAULTS } from "../../core/upstream-settings.ts";
import { openUpstreamBooks } from "./books.ts";
import type { BankNames } from "./options.ts";
import { openQuestion } from "./question.ts";
import { toPayinState, toRequisitesAnswer } from "./translate.ts";
import { toChargeOutcome } from "./translate-charge.ts";
import { readPayment, type WirePayment } from "./wire.ts";

/** A gateway that lies, or that was taken over: what it says reaches payers, merchants and operators. */
const BANKS: BankNames = { toTheirs: () => undefined, toOurs: () => undefined };
const SETTINGS = { ...UPSTREAM_DEFAULTS, merchantId: "m", projectId: "p" };

function payment(state: string, change: object = {}, terms: object = {}): WirePayment {
  const [status, sub_status = null] = state.split(":");
  const body = {
    ...{ project_id: "p", payment_id: "r", status, sub_status, decline_code: null },
    payment: { method: "card-p2p", amount: 250_000, currency: "RUB", fee: 6_250, ...terms },
    ...change,
  };
  const read = readPayment(Buffer.from(JSON.stringify(body)));
  if (read === undefined) throw new Error("not readable");
  return read;
}

function issued(requisites: object, mode: "development" | "production" = "production") {
  const answer = toRequisitesAnswer(payment("processing:awaiting_confirm", { requisites }), BANKS, mode);
  return answer.kind === "issued" ? answer.requisites : answer.kind;
}

describe("requisites", () => {
  it.each([
    { type: "link", url: "http://bank.example/pay" },
    { type: "link", url: "javascript:alert(1)" },
    { type: "link", url: "JaVaScRiPt:alert(1)" },
    { type: "link", url: "data:text/html,x" },
    { type: "link", url: "intent://pay#Intent;scheme=bank;end" },
    { type: "link", url: "https://bank.example@evil.example/" },
    { type: "link", url: "https://bank.example\\@evil.example/" },
    { type: "link", url: "https://bank.example/\nx" },
    { type: "link", url: "https://bank.example/?a=1;status:{status:success" },
    { type: "link", url: "tel:+7900<script>" },
    { type: "card", pan: "pay to 4242 by telegram @thief" },
    { type: "card", pan: "<img src=x onerror=alert(1)>" },
    { type: "card", pan: "4242\u202e4242\u202c42424242" },
    { type: "card", pan: "4242424242424242\u0000" },
    { type: "card", pan: "javascript:alert(1)" },
    { type: "phone", phone: "+7900\r\n1234567" },
    { type: "phone", phone: "call us" },
    { type: "account", account_number: "40817;status:success" },
    { type: "account", account_number: "\ud800" },
    { type: "__proto__", pan: "4242424242424242" },
  ])("that no payer may be shown: %j", (requisites) => {
    expect(issued(requisites)).toBe("unknown");
  });

  it("a page of this machine is a link in development only", () => {
    const requisites = { type: "link", url: "http://127.0.0.1:8080/sandbox/pay" };
    expect([issued(requisites), issued(requisites, "development")]).toEqual([
      "unknown",
      expect.objectContaining({ value: requisites.url }),
    ]);
  });

  it.each([
    { type: "card", pan: "4242 4242 4242 4242" },
    { type: "card", pan: "220000******8506" },
    { type: "phone", phone: "+7 (900) 123-45-67" },
    { type: "account", account_number: "DE89 3704 0044 0532 0130 00" },
    { type: "account", account_number: "mi.alias.mp" },
    { type: "link", url: "https://qr.example/AS1?type=01#x" },
    { type: "link", url: "tel:*123*45%23" },
  ])("that are as they should be: %j", (requisites) => {
    expect(issued(requisites)).toMatchObject({ value: Object.values(requisites)[1] });
  });

  it("names lose what hides or disguises text, and what a signature of scheme 1 could be read otherwise by", () => {
    const names = {
      holder: " IVAN\u202eI.\u0000\n;status:{status:success ",
      bank_name: `\u0007\ud800Sber${"x".repeat(500)}`,
    };
    const shown = issued({ type: "card", pan: "4242424242424242", ...names });
    expect(shown).toMatchObject({
      holder: "IVAN I. ,status:{status:success",
      bankName: expect.stringMatching(/^Sberx{96,}$/),
    });
    expect(issued({ type: "card", pan: "4242424242424242", holder: "\u202e\u0000" })).toMatchObject({
      holder: undefined,
    });
  });
});

describe("where a payer's browser is sent", () => {
  const HOSTILE = [
    "javascript:alert(1)",
    "data:text/html,x",
    "http://acs.example/",
    "https://acs.example@evil.example/",
  ];
  it.each(HOSTILE)("never to %s", (url) => {
    const three_ds = { version: "2.2.0", acs_url: url, creq: "c", three_ds_session_data: "s" };
    const old = { version: "1.0.2", acs_url: "https://acs.example/", pa_req: "p", md: "m", term_url: url };
    const challenged = (integration: object) =>
      toChargeOutcome(payment("processing:awaiting_3ds_result", { integration }), SETTINGS).kind;
    expect(challenged({ three_ds })).toBe("unknown");
    expect(challenged({ three_ds: old })).toBe("unknown");
    expect(challenged({ redirect_url: url })).toBe("unknown");
  });

  it("to the issuer over https, or in development over http", () => {
    const three_ds = { version: "2.2.0", acs_url: "http://127.0.0.1/acs", creq: "c", three_ds_session_data: "s" };
    const at = (integration: object) => payment("processing:awaiting_3ds_result", { integration });
    expect(toChargeOutcome(at({ three_ds }), SETTINGS, "development").kind).toBe("challenge");
    expect(toChargeOutcome(at({ redirect_url: "https://gate.example/3ds" }), SETTINGS).kind).toBe("redirect");
  });
});

it.each(["c;status:{status:success", "c\u0000", "c\u001b[2J"])("an issuer's message %j is none", (text) => {
  const three_ds = { version: "2.2.0", acs_url: "https://acs.example/", creq: "c", three_ds_session_data: "s" };
  const old = {
    version: "1.0.2",
    acs_url: "https://acs.example/",
    pa_req: "p",
    md: "m",
    term_url: "https://acs.example/",
  };
  const outcome = (of: object) =>
    toChargeOutcome(payment("processing:awaiting_3ds_result", { integration: { three_ds: of } }), SETTINGS).kind;
  expect([outcome(three_ds), outcome({ ...old, pa_req: "p+/=\r\nq" })]).toEqual(["challenge", "challenge"]);
  for (const hostile of [{ creq: text }, { three_ds_session_data: text }]) {
    expect(outcome({ ...three_ds, ...hostile })).toBe("unknown");
  }
  for (const hostile of [{ pa_req: text }, { md: text }]) expect(outcome({ ...old, ...hostile })).toBe("unknown");
});

it.each(["-271821-04-20T00:00:00.000Z", "0000-01-01", "1970-01-01T00:00:00Z", "+275760-09-13T00:00:00.000Z"])(
  "money that is said to have come %s came now",
  (updated_at) => {
    const nowMs = Date.parse("2026-01-31T10:00:00.000Z");
    const state = toPayinState(payment("success", { updated_at }), BANKS, nowMs);
    expect(state).toMatchObject({ total: { receivedAt: new Date(nowMs) } });
  },
);

describe("sums that are none", () => {
  it.each([
    { amount: -1 },
    { amount: 0 },
    { amount: 1.5 },
    { amount: 9_007_199_254_740_993n.toString() },
    { amount: 2 ** 53 },
    { fee: -1 },
    { fee: 1e300 },
    { received_amount: -5 },
  ])("%j makes the answer unreadable", (terms) => {
    expect(() => payment("success", {}, terms)).toThrow("not readable");
  });

  it("`__proto__` is a member like any other that is not known", () => {
    const text = '{"__proto__":{"status":"success"},"project_id":"p","payment_id":"r"}';
    expect(readPayment(Buffer.from(text))).toBeUndefined();
  });
});

describe("books", () => {
  const booksOf = (body: unknown) => {
    const ask = async () => ({ kind: "answered", status: 200, body: Buffer.from(JSON.stringify(body)) }) as const;
    return openUpstreamBooks({ ask }, "p", openQuestion({ ask }, "p"));
  };

  it("currencies that money cannot be held in are left out: no figure of them can be shown", async () => {
    const balance = ["RUB", "USDT", "rub", "XXX", "\u001b[2J", "R\u0000B"].map((currency) => ({
      ...{ currency, amount: 5, locked_amount: 0 },
    }));
    expect(await booksOf({ balance }).readBalances()).toEqual([{ currency: "RUB", amount: 5n, lockedAmount: 0n }]);
  });

  it("an entry in such a currency is not understood", async () => {
    const books = booksOf(payment("success", {}, { currency: "USDT" }));
    expect(await books.readEntry({ direction: "payin", reference: "r" })).toEqual({ kind: "unknown" });
  });
});
