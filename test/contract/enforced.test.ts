import { describe, expect, it, test } from "vitest";
import type { MerchantDeps } from "../../src/api/merchant/call.ts";
import { MERCHANT_CALLS } from "../../src/api/merchant/routes.ts";
import { compileValidator, withRules } from "../../src/api/merchant/validate.ts";
import { signedDeskCalls } from "../../src/api/sandbox/signed-door.ts";
import { findCurrency } from "../../src/core/currency.ts";
import { WIDGET_CODES } from "../../src/core/page/widget-offers.ts";
import { RECEIVER_MEMBERS } from "../../src/core/payments/receiver.ts";
import { PROVIDERS } from "../../src/core/providers.ts";
import type { JsonValue } from "../../src/platform/strict-json.ts";
import { type ContractOperation, loadContract, readContractDocument } from "./contract.ts";

/**
 * What the document says of a body and what the service enforces are the same: every value here is judged by both, by the
 * document's schema as any tool would read it, and by the validator that the service runs in production.
 */
const { operations } = loadContract();
const providerCodes: ReadonlySet<string> = new Set(Object.keys(PROVIDERS));

type Body = { readonly [member: string]: unknown };
type Judged = { readonly operation: ContractOperation; readonly isTaken: (body: unknown) => boolean };

const JUDGED: readonly Judged[] = [...MERCHANT_CALLS, ...signedDeskCalls({} as never)].map(({ path, body, rules }) => {
  const operation = operations.find((each) => each.path === path);
  if (operation === undefined) throw new Error(`${path} is not documented`);
  const bySchema = compileValidator(body);
  const deps = { mode: "production", providerCodes } as unknown as MerchantDeps;
  const validate = rules === undefined ? bySchema : withRules(bySchema, rules(deps));
  return { operation, isTaken: (judged) => validate(judged as JsonValue).length === 0 };
});

const LONG = [1, 2, 32, 33, 34, 35, 45, 46, 64, 65, 255, 256, 2048, 2049].map((length) => "x".repeat(length));
const TEXTS = [
  "",
  ...LONG,
  ..."\u0000 \u001f \u007f \u009f \u00a0 \u202a \u202e \u2066 \u2069 \u200f \ud83d\ude00 é \n"
    .split(" ")
    .map((c) => `a${c}b`),
  "\ud83d\ude00".repeat(64),
  "\ud83d\ude00".repeat(65),
  ...["RUB", "KZT", "JPY", "XXX", "rub", "RUBL", "EUR", "XAU", "ZZZ", "RU", "ru", "RUS", "R1"],
  ...["card-p2p", "sbp-p2p", "ussd", "card-ecom", "barter", "payin-p2p-card", "payin-ecom-card", "payin", "payout"],
  ...["sandbox", "pool", "manual", "SANDBOX", "t-bank", "4242424242424242", "42424242424", "42424242424242424242"],
  ...[
    "4242 4242",
    "123",
    "1234",
    "12",
    "12345",
    "+79001234567",
    "79001234567",
    "+7900",
    "+0900123456",
    "+7 900 1234567",
  ],
  ...["192.0.2.1", "256.0.0.1", "1.2.3", "01.2.3.4", "0x7f.1", "192.0.2.1 ", "192.0.2.0/24", "1.2.3.4.5", "::", "::1"],
  ...[
    "2001:db8::1",
    "2001:DB8::1",
    "::ffff:192.0.2.1",
    "fe80::1%eth0",
    "1::2::3",
    "2001:db8::g",
    "[::1]",
    "1:2:3:4:5:6:7:8",
  ],
  ...["AR.alias-1", "a b", "40817810000000000001", "a_b"],
];
const EMAILS = [
  "a@b.co",
  "a@b",
  "a.b@shop.example",
  "почта@пример.рф",
  "a@b..co",
  "a b@c.co",
  "@b.co",
  "a@-b.co",
  "a@b.c",
  `${"x".repeat(65)}@b.co`,
];
const URLS = [
  ...["https://shop.example/", "https://shop.example", "https://shop.example/a?b=c", "https://shop.example:8443/a"],
  ...["https://магазин.рф/путь", "https://shop.example/a@b", "https://192.0.2.1/", "https://shop.example:9/"],
  ...[
    "http://shop.example/",
    "ftp://shop.example/",
    "https://",
    "https:shop.example",
    "//shop.example/",
    "shop.example",
  ],
  ...[
    "https://user@shop.example/",
    "https://user:pw@shop.example/",
    "https://@shop.example/",
    "https://shop.example/#",
  ],
  ...[
    "https://shop.example/#a",
    "https://shop.example/a b",
    "https://shop.example\\a",
    "HTTPS://shop.example/",
    "https://?a",
  ],
];
const NUMBERS = [0, 1, 12, 13, -1, 1.5, 299, 300, 600, 601, 900, 901, 999, 1000, 9999, 10000, 1e13, 1e13 + 1];
const OTHERS = [null, true, false, [], {}, -100_000, -100_001, 100_000, 100_001];
const VALUES: readonly unknown[] = [...TEXTS, ...EMAILS, ...URLS, ...NUMBERS, ...OTHERS];

/** The service's rule is finer there than a schema can say; the document says so in words, and is never the stricter. */
const FINER = /^(customer\.email|general\.(merchant_(success_|decline_)?callback_url|redirect_url))$/;

/** Of these, the finer rules refuse what the document's pattern lets pass: each has its reason in the document's words. */
const REFUSED_BY_WORDS = ["a@-b.co", "https://192.0.2.1/", "https://shop.example:9/"];

describe.each(JUDGED.map((judged) => [judged.operation.path, judged] as const))(
  "%s",
  (_path, { operation, isTaken }) => {
    const { requestExamples, validateRequest } = operation;
    const isDocumented = (body: unknown) => validateRequest(body).length === 0;

    it.each(Object.entries(requestExamples))("takes the example %s", (_name, example) => {
      expect([isDocumented(example), isTaken(example)]).toEqual([true, true]);
    });

    it("judges any value in any place of its first example alike", () => {
      const [example] = Object.values(requestExamples) as [Body];
      const differing = leavesOf(example).flatMap((leaf) =>
        [...VALUES, undefined].flatMap((value) => {
          const body = withValue(example, leaf, value);
          const [documented, taken] = [isDocumented(body), isTaken(body)];
          const isFiner = FINER.test(leaf.join(".")) && documented && typeof value === "string";
          return documented === taken || isFiner ? [] : [{ leaf: leaf.join("."), value, documented, taken }];
        }),
      );
      expect(differing).toEqual([]);
    });

    it("knows the same members", () => {
      for (const example of Object.values(requestExamples)) {
        for (const block of [[], ...Object.keys(example as Body).map((name) => [name])]) {
          const body = withValue(example as Body, [...block, "surplus"], 1);
          expect([block, isDocumented(body), isTaken(body)]).toEqual([block, false, false]);
        }
      }
    });
  },
);

/** Every place of the example, and the optional ones that it does not use. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  general: ["merchant_callback_url", "merchant_success_callback_url", "redirect_url"],
  payment: ["type", "lifetime", "description", "payment_system", "widget_method", "method"],
  customer: ["ip_address", "country", "language", "email", "phone", "first_name", "last_name", "browser"],
  sender: ["bank", "pan_last4", "name", "phone"],
  receiver: RECEIVER_MEMBERS,
  three_ds: ["cres", "pa_res", "md"],
};

function leavesOf(example: Body): string[][] {
  return Object.entries(example).flatMap(([block, members]) => {
    const names = new Set([...Object.keys(members as Body), ...(OPTIONAL[block] ?? [])]);
    return [[block], ...[...names].map((name) => [block, name])];
  });
}

/** A copy with that value there; undefined: without it. */
function withValue(example: Body, [first = "", ...rest]: readonly string[], value: unknown): Body {
  const { [first]: old, ...others } = example;
  if (rest.length > 0) return { ...others, [first]: withValue((old ?? {}) as Body, rest, value) };
  return value === undefined ? others : { ...others, [first]: value };
}

const judgedAt = (path: string): Judged => {
  const found = JUDGED.find(({ operation }) => operation.path === path);
  if (found === undefined) throw new Error(`there is no ${path}`);
  return found;
};

function subsetsOf(names: readonly string[]): string[][] {
  return Array.from({ length: 2 ** names.length }, (_, bits) => names.filter((_name, at) => (bits >> at) % 2 === 1));
}

function pick(values: Body, names: readonly string[]): Body {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

const RECEIVER: Body = {
  pan: "4242424242424242",
  card_holder: "IVAN IVANOV",
  phone: "+79001234567",
  account_number: "40817810000000000001",
  bank: "t-bank",
  name: "IVAN IVANOV",
};

test.each(["/api/v1/payment/p2p/payout", "/api/v1/payment/ecom/payout"])(
  "%s: the receiver has the members that its method uses, by the document too",
  (path) => {
    const { operation, isTaken } = judgedAt(path);
    const [example] = Object.values(operation.requestExamples) as [Body];
    const methods = ["card-p2p", "sbp-p2p", "phone-p2p", "mobile-p2p", "account-number", "card-ecom"];
    let takenCount = 0;
    for (const method of methods) {
      for (const names of subsetsOf(RECEIVER_MEMBERS)) {
        const body = { ...withValue(example, ["payment", "method"], method), receiver: pick(RECEIVER, names) };
        const taken = isTaken(body);
        takenCount += taken ? 1 : 0;
        expect([method, names, operation.validateRequest(body).length === 0]).toEqual([method, names, taken]);
      }
    }
    expect(takenCount).toBeGreaterThan(0);
  },
);

test("confirm-3ds-result takes the members of one version, by the document too", () => {
  const { operation, isTaken } = judgedAt("/api/v1/payment/ecom/payin/confirm-3ds-result");
  const [example] = Object.values(operation.requestExamples) as [Body];
  const taken = subsetsOf(["cres", "pa_res", "md"]).filter((names) => {
    const body = { ...example, three_ds: pick({ cres: "a", pa_res: "b", md: "c" }, names) };
    expect([names, operation.validateRequest(body).length === 0]).toEqual([names, isTaken(body)]);
    return isTaken(body);
  });
  expect(taken).toEqual([["cres"], ["pa_res", "md"]]);
});

test("the finer rules are named, and are finer only there", () => {
  const { operation, isTaken } = judgedAt("/api/v1/payment/p2p/payin");
  const [example] = Object.values(operation.requestExamples) as [Body];
  const finer = [
    ...EMAILS.map((value) => [value, withValue(example, ["customer", "email"], value)] as const),
    ...URLS.map((value) => [value, withValue(example, ["general", "merchant_callback_url"], value)] as const),
  ].flatMap(([value, body]) => (operation.validateRequest(body).length === 0 && !isTaken(body) ? [value] : []));
  expect(finer).toEqual(REFUSED_BY_WORDS);
});

type Schemas = Readonly<Record<string, { readonly enum?: readonly string[]; readonly properties?: Schemas }>>;
const schemas = (readContractDocument().components as { schemas: Schemas }).schemas;
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

describe("the lists are those of the code", () => {
  test("currencies", () => {
    const codes = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => a + b + c)));
    expect(schemas.Currency?.enum).toEqual(codes.filter((code) => findCurrency(code) !== undefined));
  });

  test("providers", () => expect(schemas.PaymentSystem?.enum).toEqual(Object.keys(PROVIDERS)));

  test("methods of the payment page", () =>
    expect(schemas.WidgetTerms?.properties?.widget_method?.enum).toEqual(WIDGET_CODES));
});

test("no pattern needs Unicode properties, which common tools do not know", () => {
  const patterns: string[] = [];
  JSON.stringify(readContractDocument(), (name, value) => {
    if (name === "pattern" && typeof value === "string") patterns.push(value);
    return value;
  });
  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.filter((pattern) => /\\[pP]\{/.test(pattern))).toEqual([]);
  // Each is a pattern with and without the flag that makes JavaScript count code points.
  for (const pattern of patterns) expect([new RegExp(pattern), new RegExp(pattern, "u")]).toHaveLength(2);
});

describe("each create leads on to the calls about what it made", () => {
  const creates = operations.filter(({ path }) => path.startsWith("/api/") && /\/(payin|payout)$/.test(path));
  const ids = readContractDocument().paths as Record<string, { post?: { operationId: string } }>;

  test.each(creates.map((operation) => [operation.path, operation] as const))("%s", (path, { links }) => {
    const about = Object.keys(ids).filter((each) => each.startsWith(`${path}/`) && !each.endsWith("3ds-result"));
    const expected = about.map((each) => ids[each]?.post?.operationId);
    expect(Object.values(links).map(({ operationId }) => operationId)).toEqual(expected);
    for (const { requestBody } of Object.values(links)) {
      expect(requestBody).toEqual({
        general: { project_id: "$response.body#/project_id", payment_id: "$response.body#/payment_id" },
      });
    }
  });
});

describe("an answer and a callback with a member that is not described fail here", () => {
  const { validateCallback } = loadContract();
  const info = operations.find(({ path }) => path === "/api/v1/payment/ecom/payin/info");
  const webhook = readContractDocument().webhooks as never as {
    paymentChanged: {
      post: { requestBody: { content: { "application/json": { examples: Record<string, { value: Body }> } } } };
    };
  };
  const examples = readContractDocument().components as { examples: Record<string, { value: Body }> };
  const payment = examples.examples.ChallengedCardPayin?.value ?? {};
  const callback =
    webhook.paymentChanged.post.requestBody.content["application/json"].examples.awaiting_3ds_result?.value ?? {};

  const places = (body: Body) => [
    [],
    ...Object.entries(body).flatMap(([name, value]) => (typeof value === "object" && value !== null ? [[name]] : [])),
    ["integration", "three_ds"],
  ];

  test.each(places(payment).map((at) => [at.join(".") || "the payment", at] as const))("in %s", (_name, at) => {
    expect(info?.validateAnswer(200, payment)).toEqual([]);
    expect(info?.validateAnswer(200, withValue(payment, [...at, "stray"], 1))).not.toEqual([]);
  });

  test.each(places(callback).map((at) => [at.join(".") || "the callback", at] as const))("in %s", (_name, at) => {
    expect(validateCallback(callback)).toEqual([]);
    expect(validateCallback(withValue(callback, [...at, "stray"], 1))).not.toEqual([]);
  });
});
