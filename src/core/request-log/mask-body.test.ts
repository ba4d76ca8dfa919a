import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BODY_CHARACTERS_MAX, maskBody } from "./mask-body.ts";
import { ANSWER_RULES, REQUEST_RULES } from "./mask-rules.ts";

const PAN = "4242424242424242";
const masked = (body: unknown, rules = REQUEST_RULES) => JSON.parse(maskBody(JSON.stringify(body), rules).text);

describe("a request that is logged", () => {
  it("keeps what a developer looks for, and hides cards, requisites, names and codes", () => {
    const body = {
      general: {
        project_id: "019cad1e00007000800000000000002a",
        payment_id: `order-${PAN}`,
        merchant_callback_url: "https://shop.example/callbacks?token=secret",
      },
      payment: { method: "card-ecom", amount: 250_000, currency: "RUB", description: `Order paid by ${PAN}` },
      card: { pan: PAN, cvv: "739", card_holder: "ZINAIDA Q", expiry_month: 12, expiry_year: 2041 },
      receiver: { phone: "+79001234567", account_number: "40817810099910004312", name: "Анна", bank: "sberbank" },
      customer: {
        id: "c-1",
        email: "a@b.example",
        ip_address: "192.0.2.1",
        browser: { user_agent: "x", language: "ru" },
      },
    };
    expect(masked(body)).toEqual({
      general: {
        project_id: body.general.project_id,
        payment_id: `order-${PAN}`,
        merchant_callback_url: "https://shop.example/callbacks?...",
      },
      payment: { method: "card-ecom", amount: 250_000, currency: "RUB", description: "Order paid by 424242******4242" },
      card: {
        pan: "************4242",
        cvv: "[3 characters]",
        card_holder: "[9 characters]",
        expiry_month: "[number]",
        expiry_year: "[number]",
      },
      receiver: {
        phone: "********4567",
        account_number: "****************4312",
        name: "[4 characters]",
        bank: "sberbank",
      },
      customer: {
        id: "c-1",
        email: "[11 characters]",
        ip_address: "192.0.2.1",
        browser: { user_agent: "[1 characters]", language: "ru" },
      },
    });
    expect(maskBody(JSON.stringify(body), REQUEST_RULES)).toMatchObject({
      isWhole: true,
      paymentId: `"order-${PAN}"`,
    });
  });

  it.each([
    ["a name that is a number", { card: { [PAN]: "739" } }],
    ["a number instead of a text", { card: { pan: Number(PAN), cvv: 739 } }],
    ["a number where an amount is", { payment: { amount: Number(PAN) } }],
    ["a text in a place of ours", { payment: { method: PAN, currency: `x ${PAN.match(/.{4}/g)?.join(" ")}` } }],
    ["a number where our id is", { general: { project_id: PAN }, payment: { type: { project_id: Number(PAN) } } }],
    ["a list", { card: [PAN, { pan: PAN }, 739], customer: { id: [PAN] } }],
    ["an unknown member", { note: PAN, secret: "739", nested: { deep: [{ pan: PAN }] } }],
    ["a text alone", PAN],
    ["a number alone", Number(PAN)],
    ["a URL", { general: { redirect_url: `https://u:${PAN}@shop.example/${PAN}?pan=${PAN}` } }],
  ])("hides %s", (_name, body) => {
    const { text, isWhole } = maskBody(JSON.stringify(body), REQUEST_RULES);
    expect(text.replaceAll(" ", "")).not.toContain(PAN);
    expect(text).not.toContain("739");
    expect(isWhole).toBe(true);
    JSON.parse(text);
  });

  it("hides a number that is written with escapes", () => {
    const written = [...PAN].map((digit) => `\\u00${digit.charCodeAt(0).toString(16)}`).join("");
    const { text } = maskBody(`{"payment":{"description":"${written}","m\\u0065thod":"${PAN}"}}`, REQUEST_RULES);
    expect(JSON.parse(text)).toEqual({
      payment: { description: "424242******4242", "[11 characters]": "[16 characters]" },
    });
  });

  it.each([
    ["", "..."],
    ["not JSON", "..."],
    [`pan=${PAN}`, "..."],
    ['{"payment":{"amount":1', '{"payment":{"amount":...'],
    [`{"card":{"pan":"${PAN}"},"x":"${PAN}`, '{"card":{"pan":"************4242"},"x":...'],
    [`{"payment":{"amount":1}} ${PAN}`, '{"payment":{"amount":1}}...'],
    [`{"payment" "${PAN}"}`, '{"payment"...'],
    [`{"a":'${PAN}'}`, '{"a":...'],
    [`{"a":"x${"\\"}`, '{"a":...'],
  ])("shows nothing from where %s stops to be JSON", (body, text) => {
    expect(maskBody(body, REQUEST_RULES)).toMatchObject({ text, isWhole: false });
  });

  it("is cut where it is long, and what is deep is not shown", () => {
    const long = maskBody(JSON.stringify({ payment: { description: "x", method: "y".repeat(9_000) } }), REQUEST_RULES);
    expect(long).toMatchObject({ text: '{"payment":{"description":"x","method":...', isWhole: false });
    expect(maskBody("[".repeat(60), REQUEST_RULES).text.length).toBeLessThan(30);
    const many = maskBody(
      JSON.stringify(Array.from({ length: 900 }, (_, n) => ({ payment: { amount: n } }))),
      REQUEST_RULES,
    );
    expect(many.text.length).toBeLessThanOrEqual(BODY_CHARACTERS_MAX + 3);
  });
});

it("an answer shows the payment, and neither where to pay nor the pages of the payer", () => {
  const answer = {
    request_id: "019cad1e00007000800000000000002b",
    status: "processing",
    requisites: { type: "card", pan: "2200123412341234", holder: "IVAN P", bank: "sberbank", amount: 250_000 },
    integration: {
      form_url: "https://pay.example/pay/token-that-opens",
      three_ds: { version: "2.2.0", acs_url: "https://bank.example/acs?x=1", creq: "secret" },
    },
    created_at: "2026-11-16T02:04:49.000Z",
  };
  expect(masked(answer, ANSWER_RULES)).toEqual({
    ...answer,
    requisites: { ...answer.requisites, pan: "************1234", holder: "[6 characters]" },
    integration: {
      form_url: "https://pay.example/...",
      three_ds: { version: "2.2.0", acs_url: "https://bank.example/...", creq: "[6 characters]" },
    },
  });
  expect(maskBody(JSON.stringify(answer), ANSWER_RULES).requestId).toBe(`"${answer.request_id}"`);
});

/** Names of the contract and others, so that rules are met often. */
const name = fc.oneof(
  fc.constantFrom("general", "payment", "card", "customer", "receiver", "pan", "amount", "description", "id", "note"),
  fc.string({ maxLength: 6 }),
);
const SECRET = "SECRETSECRET";
const leaf = fc.oneof(...[fc.constantFrom(SECRET, PAN, Number(PAN), true, null, 12.5, ""), fc.string(), fc.integer()]);
const { body } = fc.letrec((tie) => ({
  body: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("body"), { maxLength: 4 }),
    fc.dictionary(name, tie("body"), { maxKeys: 5 }),
  ),
}));

/** What is hidden, said a second time: a value is only shown below the rules that allow it. */
it("for any JSON: the masked text is JSON of the same shape, however it is written, and has no card in it", () => {
  fc.assert(
    fc.property(body, fc.boolean(), (value, isPretty) => {
      const text = JSON.stringify(value, null, isPretty ? 2 : undefined);
      fc.pre(text.length <= BODY_CHARACTERS_MAX);
      const { text: shown, isWhole } = maskBody(text, REQUEST_RULES);
      expect(isWhole).toBe(true);
      const parsed = JSON.parse(shown);
      expect(Array.isArray(parsed)).toBe(Array.isArray(value));
      const plain = JSON.stringify(parsed);
      expect(plain).not.toContain(PAN);
      for (const [path, leafValue] of leavesOf(parsed)) {
        if (leafValue === SECRET) expect(SHOWN_PATHS).toContain(path);
      }
    }),
  );
});

const SHOWN_PATHS = [
  ...["payment.description", "payment.amount", "customer.id"],
  // Of the tester's desk.
  ...["direction", "action", "amount", "reason", "seconds", "to", "kind", "call", "ms", "times", "limit", "status"],
];

function* leavesOf(value: unknown, path = ""): Generator<[path: string, leaf: unknown]> {
  if (Array.isArray(value)) for (const each of value) yield* leavesOf(each, path);
  else if (typeof value === "object" && value !== null)
    for (const [key, each] of Object.entries(value)) yield* leavesOf(each, path === "" ? key : `${path}.${key}`);
  else yield [path, value];
}
