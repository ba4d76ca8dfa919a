import { describe, expect, it } from "vitest";
import type {
  DeclineCode,
  EcomMethod,
  ErrorCode,
  P2pPayinMethod,
  P2pPayoutMethod,
  CardBrand as SdkCardBrand,
  SubStatus,
  ThreeDs,
} from "../../sdk/src/index.ts";
import { type CardBrand, findCardBrand } from "../../src/core/cards/card.ts";
import { CARD_PAYIN_TRANSITIONS } from "../../src/core/cards/card-transitions.ts";
import { findTestCardBehaviour, TEST_CARDS } from "../../src/core/cards/test-cards.ts";
import { ERROR_CODES } from "../../src/core/errors.ts";
import { type Direction, METHODS, type Method } from "../../src/core/merchants/methods.ts";
import { describeState } from "../../src/core/payments/descriptions.ts";
import { nextPayinState, P2P_PAYIN_EVENTS, P2P_PAYIN_TRANSITIONS } from "../../src/core/payments/payin-transitions.ts";
import { PAYOUT_TRANSITIONS } from "../../src/core/payments/payout-transitions.ts";
import { receiverForm } from "../../src/core/payments/receiver.ts";
import { type P2pPayinState, wireStatus } from "../../src/core/payments/states.ts";
import { payinScenario, payoutScenario } from "../../src/sandbox/requests/scenario.ts";
import { readContractDocument } from "./contract.ts";
import { listTables, rowsOf } from "./markdown-blocks.ts";

/** What the contract tells of payments, held to the tables that the service works by, and to the SDK's words. */
const document = readContractDocument() as {
  readonly info: { readonly description: string };
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
type Schema = { readonly enum?: readonly (string | null)[]; readonly properties?: Readonly<Record<string, Schema>> };

const tables = listTables(document.info.description);

function rowsUnder(...headings: string[]): string[][] {
  return rowsOf(tables, ...headings);
}

function methodsOf(direction: Direction): Method[] {
  return (Object.keys(METHODS) as Method[]).filter((method) => {
    const { product, directions } = METHODS[method];
    return product === "p2p" && directions.some((each) => each === direction);
  });
}

function enumOf(schema: string, member?: string): readonly (string | null)[] | undefined {
  const found = document.components.schemas[schema];
  return (member === undefined ? found : found?.properties?.[member])?.enum;
}

/** The words of a union, which only exist for the compiler: a word that is missing or too many does not compile. */
function wordsOf<Word extends string>(words: Record<Word, true>): string[] {
  return Object.keys(words).sort();
}
type Known<Union extends string> = Union extends unknown ? (string extends Union ? never : Union) : never;

describe("methods", () => {
  it("are those of the table in the code, with their receivers and currencies", () => {
    const rows = methodsOf("payin").map((method) => {
      const { directions, requisite, currencies } = METHODS[method];
      const { required, optional } = receiverForm(method);
      const payout = directions.some((each) => each === "payout");
      const receiver = payout ? [...required, ...optional.map((name) => `optional ${name}`)].join(", ") : "";
      const type = requisite === "phone_and_bank" ? "phone" : requisite;
      return [method, "yes", payout ? "yes" : "no", type, receiver, Object.keys(currencies).join(", ")];
    });
    expect(rowsUnder("Method", "Pay-in", "Payout")).toEqual(rows);
  });

  it("of cards are those of the table in the code, of the schemas and of the SDK", () => {
    const ecom = (Object.keys(METHODS) as Method[]).filter((method) => METHODS[method].product === "ecom");
    const rows = ecom.map((method) => [method, "yes", "yes", Object.keys(METHODS[method].currencies).join(", ")]);
    expect(rowsUnder("Card method", "Pay-in", "Payout", "Currencies")).toEqual(rows);
    for (const method of ecom) expect(METHODS[method].directions).toEqual(["payin", "payout"]);
    expect([enumOf("EcomPayinTerms", "method"), enumOf("EcomPayoutTerms", "method")]).toEqual([ecom, ecom]);
    expect(wordsOf<EcomMethod>({ "card-ecom": true })).toEqual(ecom);
  });

  it("are listed where a request names them, and in the SDK", () => {
    expect(enumOf("P2pPayinTerms", "method")).toEqual(methodsOf("payin"));
    expect(enumOf("P2pPayoutTerms", "method")).toEqual(methodsOf("payout"));
    const payin = wordsOf<P2pPayinMethod>({
      "card-p2p": true,
      "sbp-p2p": true,
      "phone-p2p": true,
      "mobile-p2p": true,
      "account-number": true,
      "international-p2p": true,
      "qr-link-p2p": true,
      "wallet-link": true,
      ussd: true,
    });
    const payout = wordsOf<P2pPayoutMethod>({
      "card-p2p": true,
      "sbp-p2p": true,
      "phone-p2p": true,
      "mobile-p2p": true,
      "account-number": true,
    });
    expect(payin).toEqual(methodsOf("payin").sort());
    expect(payout).toEqual(methodsOf("payout").sort());
  });
});

describe("states", () => {
  const rows = rowsUnder("Status", "Sub-status", "Pay-in", "Payout");
  const wireOf = (state: string) => {
    const { status, sub_status } = wireStatus(state as P2pPayinState);
    return `${status} ${sub_status}`;
  };

  it.each([
    ["pay-ins", 2, P2P_PAYIN_TRANSITIONS],
    ["payouts", 3, PAYOUT_TRANSITIONS],
  ] as const)("of %s are those of the state machine", (_, column, transitions) => {
    const documented = rows.filter((row) => row[column] !== "").map(([status, sub]) => `${status} ${sub}`);
    expect(documented.sort()).toEqual(Object.keys(transitions).map(wireOf).sort());
  });

  it("of card pay-ins are those of the state machine, with something to do in each", () => {
    const cardRows = rowsUnder("Status", "Sub-status", "Card pay-in", "What you do");
    const documented = cardRows.map(([status, sub]) => `${status} ${sub}`);
    expect(documented.sort()).toEqual(Object.keys(CARD_PAYIN_TRANSITIONS).map(wireOf).sort());
    for (const row of cardRows) expect(row.every((cell) => cell !== "")).toBe(true);
  });

  it("of card pay-ins each say what a result of 3-D Secure does in them", () => {
    const documented = rowsUnder("State", "What confirm-3ds-result does").flatMap(([states = ""]) =>
      states.split(", "),
    );
    const states = Object.keys(CARD_PAYIN_TRANSITIONS).map((state) => state.split(":").at(-1));
    expect(documented.sort()).toEqual(states.sort());
  });

  it("are all in the schema, and in the SDK", () => {
    const words = wordsOf<Known<SubStatus>>({
      new: true,
      requisites: true,
      awaiting_confirm: true,
      awaiting_3ds_result: true,
      awaiting_redirect_result: true,
      paid: true,
      payout_process: true,
      no_payment: true,
      different_amount: true,
      confirm_timeout: true,
      incorrect_requisites: true,
      payout_failed: true,
      payout_timeout: true,
    });
    const documented = enumOf("SubStatus")?.filter((word) => word !== null);
    expect([...(documented ?? [])].sort()).toEqual(words);
    for (const [, sub] of rows) expect([...words, "null"]).toContain(sub);
  });

  it.each([
    ["confirm", "confirmed"],
    ["cancel", "cancelled"],
  ] as const)("in which %s works are those of the state machine", (call, event) => {
    const row = rowsUnder("Call", "Takes effect in").find(([name]) => name === call);
    const states = Object.keys(P2P_PAYIN_TRANSITIONS) as P2pPayinState[];
    const nameOf = (state: P2pPayinState) => state.split(":").at(-1) ?? "";
    const effective = states.filter((state) => {
      const next = nextPayinState(state, event, { confirmed: false });
      return next !== undefined && next !== state;
    });
    const harmless = states.filter((state) => nextPayinState(state, event, { confirmed: true }) === state);
    expect(row?.[1]).toBe(effective.map(nameOf).join(", "));
    for (const state of harmless) expect(row?.[2]).toContain(nameOf(state));
    expect(row?.[2]?.split(", ")).toHaveLength(harmless.length);
    expect(P2P_PAYIN_EVENTS).toContain(event);
  });
});

describe("cards", () => {
  it("have the brands of the schema and of the SDK", () => {
    const brands = wordsOf<CardBrand>({
      visa: true,
      mastercard: true,
      mir: true,
      unionpay: true,
      amex: true,
      maestro: true,
      humo: true,
      uzcard: true,
    });
    const same: [CardBrand, Known<SdkCardBrand>] extends [Known<SdkCardBrand>, CardBrand] ? true : false = true;
    expect([...(enumOf("PaymentCard", "brand") ?? [])].sort()).toEqual(brands);
    expect(same).toBe(true);
    for (const pan of TEST_CARDS) expect(brands).toContain(findCardBrand(pan));
  });

  it("go to the issuer by the versions of the schema and of the SDK", () => {
    const versions = wordsOf<ThreeDs["version"]>({ "2.2.0": true, "1.0.2": true });
    expect([...(enumOf("ThreeDs", "version") ?? [])].sort()).toEqual(versions);
    const shown = rowsUnder("Version", "Fields of the form to the issuer").map(([version]) => version);
    expect(shown.sort()).toEqual(versions);
  });
});

describe("decline codes", () => {
  it("are those of the schema and of the SDK, and each has words", () => {
    const words = wordsOf<Known<DeclineCode>>({
      expired: true,
      cancelled: true,
      no_requisites: true,
      insufficient_funds: true,
      card_expired: true,
      three_ds_failed: true,
      provider_declined: true,
      no_provider: true,
      operator: true,
    });
    const documented = (enumOf("DeclineCode") ?? []).filter((word) => word !== null);
    expect(documented.sort()).toEqual(words);
    for (const word of words) expect(describeState("decline", word, "p2p")).not.toBeNull();
    for (const [word] of rowsUnder("Decline code")) expect(words).toContain(word);
  });

  it("are all explained", () => {
    const explained = rowsUnder("Decline code").map(([word]) => word);
    expect([...explained, null].sort()).toEqual([...(enumOf("DeclineCode") ?? [])].sort());
  });
});

it("the SDK knows every error code", () => {
  const known: Record<ErrorCode, true> = Object.fromEntries(ERROR_CODES.map((code) => [code, true])) as never;
  const same: [ErrorCode, (typeof ERROR_CODES)[number]] extends [infer A, infer B]
    ? [A, B] extends [B, A]
      ? true
      : false
    : never = true;
  expect([same, Object.keys(known)]).toEqual([true, [...ERROR_CODES]]);
});

describe("the sandbox", () => {
  it.each([
    ["pay-in", payinScenario],
    ["payout", payoutScenario],
  ] as const)("has the amounts of a %s that are documented, and no others", (direction, scenarioOf) => {
    const documented = rowsUnder(`Last two digits of a ${direction}'s amount`).map(([digits]) => digits);
    const usual = scenarioOf(0n);
    const special = Array.from({ length: 100 }, (_, last) => last).filter((last) => scenarioOf(BigInt(last)) !== usual);
    expect(documented).toEqual([...special.map((last) => String(last).padStart(2, "0")), "any other"]);
  });

  it("has the cards that are documented, and no others", () => {
    expect(rowsUnder("Test card").map(([pan]) => pan)).toEqual(TEST_CARDS);
  });

  it("has one sentence for each thing that a card can do, and no sentence for two things", () => {
    const rows = rowsUnder("Test card", "What happens to a pay-in");
    const pairs = new Set(rows.map(([pan = "", words]) => `${findTestCardBehaviour(pan)} ${words}`));
    expect(pairs.size).toBe(new Set(rows.map(([, words]) => words)).size);
    expect(pairs.size).toBe(new Set(rows.map(([pan = ""]) => findTestCardBehaviour(pan))).size);
  });
});
