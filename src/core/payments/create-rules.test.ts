import { describe, expect, it } from "vitest";
import { TEST_CARDS } from "../cards/test-cards.ts";
import type { Currency } from "../currency.ts";
import { listMethodOffers, type Method } from "../merchants/methods.ts";
import { AMOUNT_MAX, type Minor } from "../money.ts";
import { type CreateRequest, type CreateSituation, checkCreate, type MethodTerms, ratesOf } from "./create-rules.ts";

const minor = (amount: number | bigint) => BigInt(amount) as Minor;
const TERMS = { enabled: true, minAmount: minor(100), maxAmount: minor(50_000), feeBp: 250, feeFixed: minor(0) };
const LIVE_CARD = "2200000000000004";
const toCard = (pan = "") => ({ type: "card", pan, holder: undefined }) as const;

const BANKS = [
  { symbol: "sberbank", isSbpBank: true, countryCode: "RU" },
  { symbol: "a-bank-of-ru", isSbpBank: false, countryCode: "RU" },
  { symbol: "kaspi-bank", isSbpBank: false, countryCode: "KZ" },
];

const PAYIN: CreateRequest = {
  direction: "payin",
  method: "card-p2p",
  currency: "RUB",
  amount: minor(10_000),
  bank: undefined,
  receiver: undefined,
};
const PAYOUT: CreateRequest = { ...PAYIN, direction: "payout", receiver: toCard(TEST_CARDS[0]) };

type Changes = {
  readonly project?: Partial<CreateSituation<MethodTerms>["project"]>;
  readonly terms?: Partial<MethodTerms>;
  readonly pausedMethods?: ReadonlySet<string>;
};

/** A project that has every offer on, with the same terms for all. */
function situation({ project, terms, pausedMethods = new Set() }: Changes = {}): CreateSituation<MethodTerms> {
  const methods = listMethodOffers().map((offer) => ({ ...offer, ...TERMS, ...terms }));
  return { project: { status: "active", book: "test", methods, ...project }, banks: BANKS, pausedMethods };
}

function refusal(request: CreateRequest, changes?: Changes) {
  const result = checkCreate(request, situation(changes));
  return result.ok ? undefined : { ...result.error };
}

const codeOf = (request: CreateRequest, changes?: Changes) => refusal(request, changes)?.code;

it("answers with the project's own row, which has the rates", () => {
  const now = situation();
  for (const request of [PAYIN, PAYOUT]) {
    const result = checkCreate(request, now);
    const row = now.project.methods.find((each) => each.direction === request.direction && each.method === "card-p2p");
    expect(result.ok && result.value).toBe(row);
  }
  expect(ratesOf({ feeBp: 250, feeFixed: minor(35) })).toEqual({ basisPoints: 250, fixed: 35n });
});

it("a paused project takes nothing, and that is said before anything else", () => {
  const everythingWrong = { ...PAYOUT, method: "cash", amount: minor(1), bank: "nobody", receiver: toCard("1") };
  expect(refusal(everythingWrong, { project: { status: "paused" } })).toEqual({
    code: "project_inactive",
    description: "the project is paused: it takes no new payments",
  });
});

describe("method_not_enabled", () => {
  it.each([
    ["card-p2p", "USD"],
    ["sbp-p2p", "KZT"],
    ["phone-p2p", "RUB"],
    ["qr-link-p2p", "RUB"],
  ])("%s does not go with %s", (method, currency) => {
    expect(refusal({ ...PAYIN, method, currency })).toEqual({
      code: "method_not_enabled",
      description: `there are no ${method} payins in ${currency}`,
    });
  });

  it("a pair that is not in the table stays off, even if the project has a row for it", () => {
    const row = { ...TERMS, direction: "payin", method: "sbp-p2p" as Method, currency: "KZT" as Currency } as const;
    expect(codeOf({ ...PAYIN, method: "sbp-p2p", currency: "KZT" }, { project: { methods: [row] } })).toBe(
      "method_not_enabled",
    );
  });

  it("a row that is off", () => {
    expect(refusal(PAYIN, { terms: { enabled: false } })).toEqual({
      code: "method_not_enabled",
      description: "card-p2p payins in RUB are not enabled for this project",
    });
  });

  it("no row for the pair, or one for the other direction only", () => {
    expect(codeOf(PAYIN, { project: { methods: [] } })).toBe("method_not_enabled");
    const payoutsOnly = situation().project.methods.filter(({ direction }) => direction === "payout");
    expect(codeOf(PAYIN, { project: { methods: payoutsOnly } })).toBe("method_not_enabled");
    expect(codeOf(PAYOUT, { project: { methods: payoutsOnly } })).toBeUndefined();
  });

  it("a method that is paused for everybody", () => {
    const pausedMethods = new Set(["card-p2p"]);
    expect(refusal(PAYIN, { pausedMethods })).toEqual({
      code: "method_not_enabled",
      description: "card-p2p is paused for the time being",
    });
    expect(codeOf({ ...PAYIN, method: "sbp-p2p" }, { pausedMethods })).toBeUndefined();
  });
});

describe("amount_out_of_limits", () => {
  it("takes the limits themselves and nothing beyond", () => {
    for (const request of [PAYIN, PAYOUT]) {
      expect(codeOf({ ...request, amount: minor(100) })).toBeUndefined();
      expect(codeOf({ ...request, amount: minor(50_000) })).toBeUndefined();
    }
    expect(refusal({ ...PAYIN, amount: minor(99) })).toEqual({
      code: "amount_out_of_limits",
      description: "payment.amount must be at least 100, the limit of this project for card-p2p payins in RUB",
    });
    expect(refusal({ ...PAYOUT, amount: minor(50_001) })).toEqual({
      code: "amount_out_of_limits",
      description: "payment.amount must be at most 50000, the limit of this project for card-p2p payouts in RUB",
    });
  });

  it("a pay-in must be more than its fee", () => {
    const terms = { feeBp: 0, feeFixed: minor(200) };
    expect(codeOf({ ...PAYIN, amount: minor(201) }, { terms })).toBeUndefined();
    expect(refusal({ ...PAYIN, amount: minor(200) }, { terms })).toEqual({
      code: "amount_out_of_limits",
      description: "payment.amount must be more than its fee, which is 200",
    });
    expect(codeOf({ ...PAYOUT, amount: minor(200) }, { terms })).toBeUndefined();
  });

  it("a payout with its fee must be something that a balance can hold", () => {
    const terms = { maxAmount: AMOUNT_MAX, feeBp: 0, feeFixed: minor(1) };
    expect(codeOf({ ...PAYOUT, amount: minor(AMOUNT_MAX - 1n) }, { terms })).toBeUndefined();
    expect(refusal({ ...PAYOUT, amount: AMOUNT_MAX }, { terms })).toEqual({
      code: "amount_out_of_limits",
      description: "payment.amount and its fee, which is 1, must be at most 10000000000000 together",
    });
    expect(codeOf({ ...PAYIN, amount: AMOUNT_MAX }, { terms })).toBeUndefined();
  });
});

describe("banks", () => {
  const sbp = { ...PAYIN, method: "sbp-p2p" };
  const sbpPayout = { ...sbp, direction: "payout" } as const;

  it("may be left out, or named by symbol", () => {
    expect(codeOf(sbp)).toBeUndefined();
    expect(codeOf({ ...sbp, bank: "sberbank" })).toBeUndefined();
    expect(codeOf({ ...sbpPayout, bank: "sberbank" })).toBeUndefined();
  });

  it.each(["nobody", "Sberbank", "", "constructor"])("%j is nobody's symbol, or that of a disabled bank", (bank) => {
    expect(refusal({ ...PAYIN, bank })).toEqual({
      code: "bank_unknown",
      description: "sender.bank must be the symbol of a bank that bank/all lists",
    });
    expect(refusal({ ...sbpPayout, bank })?.description).toContain("receiver.bank");
  });

  it("outside the fast payment system do for every method but sbp-p2p", () => {
    for (const bank of ["a-bank-of-ru", "kaspi-bank"]) {
      expect(codeOf({ ...sbp, bank })).toBe("bank_not_sbp");
      expect(codeOf({ ...sbpPayout, bank })).toBe("bank_not_sbp");
    }
    const bank = "a-bank-of-ru";
    for (const method of ["card-p2p", "mobile-p2p", "account-number"]) {
      expect(codeOf({ ...PAYIN, method, bank })).toBeUndefined();
    }
  });
});

describe("a bank of another country than the currency's is refused", () => {
  it.each([
    ["card-p2p", "RUB", "kaspi-bank"],
    ["mobile-p2p", "RUB", "kaspi-bank"],
    ["mobile-p2p", "KZT", "sberbank"],
    ["card-p2p", "UZS", "kaspi-bank"],
    ["account-number", "NGN", "sberbank"],
  ])("%s in %s with %s", (method, currency, bank) => {
    for (const direction of ["payin", "payout"] as const) {
      const request = { ...PAYIN, direction, method, currency, bank };
      expect(refusal(request)?.code).toBe("bank_unknown");
      expect(refusal(request)?.description).toContain(direction === "payin" ? "sender.bank" : "receiver.bank");
    }
  });

  it("and one of the same country is taken", () => {
    for (const direction of ["payin", "payout"] as const) {
      expect(
        codeOf({ ...PAYIN, direction, method: "mobile-p2p", currency: "KZT", bank: "kaspi-bank" }),
      ).toBeUndefined();
    }
  });
});

describe("receiver.pan", () => {
  it.each(["9999999999999995", "1234567890123452"])("%s is of no brand that is known here", (pan) => {
    for (const book of ["test", "live"] as const) {
      const refused = refusal({ ...PAYOUT, receiver: toCard(pan) }, { project: { book } });
      expect(refused?.code).toBe("card_invalid");
      expect(refused?.description).not.toContain(pan);
    }
  });

  it("must pass the Luhn check, on either book", () => {
    for (const book of ["test", "live"] as const) {
      const refused = refusal({ ...PAYOUT, receiver: toCard("4242424242424241") }, { project: { book } });
      expect(refused?.code).toBe("card_invalid");
      expect(refused?.description).not.toContain("4242");
    }
  });

  it.each(TEST_CARDS)("%s is for test projects only", (pan) => {
    expect(codeOf({ ...PAYOUT, receiver: toCard(pan) })).toBeUndefined();
    expect(codeOf({ ...PAYOUT, receiver: toCard(pan) }, { project: { book: "live" } })).toBe(
      "test_card_on_live_project",
    );
  });

  it("any other card is for live projects only", () => {
    expect(codeOf({ ...PAYOUT, receiver: toCard(LIVE_CARD) })).toBe("card_invalid");
    expect(codeOf({ ...PAYOUT, receiver: toCard(LIVE_CARD) }, { project: { book: "live" } })).toBeUndefined();
  });
});

it("refuses in the order of the rules", () => {
  const badCard = { ...PAYOUT, receiver: toCard("4242424242424241") };
  const badBank = { ...badCard, bank: "nobody" };
  const badAmount = { ...badBank, amount: minor(1) };
  expect(codeOf(badCard)).toBe("card_invalid");
  expect(codeOf(badBank)).toBe("bank_unknown");
  expect(codeOf(badAmount)).toBe("amount_out_of_limits");
  expect(codeOf(badAmount, { terms: { enabled: false } })).toBe("method_not_enabled");
});
