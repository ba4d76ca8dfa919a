import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChargeDeclineReason } from "../card-acquirer.ts";
import type { Minor } from "../money.ts";
import type { Movement } from "../payments/payin.ts";
import { type CardPayinState, isFinal } from "../payments/states.ts";
import { CARD_PAYIN_EVENTS } from "./card-transitions.ts";
import { type CardHappening, type CardPayin, decideCard } from "./decide-card.ts";

const minor = (amount: number | bigint) => BigInt(amount) as Minor;
const CLEARING = "clearing:sandbox" as const;

function aPayin(change: Partial<CardPayin> = {}): CardPayin {
  return {
    state: "processing:new",
    requestedAmount: minor(1000),
    amount: minor(1000),
    receivedAmount: minor(0),
    rates: { basisPoints: 250, fixed: minor(0) },
    sent: true,
    reversed: false,
    ...change,
  };
}

function approved(amount: number): CardHappening {
  return { kind: "approved", amount: minor(amount), clearing: CLEARING };
}

const NO_ROOM = { ...approved(1000), noRoom: true } as CardHappening;
const REVERSED: CardHappening = { kind: "reversed", clearing: CLEARING };
const SETTLED: CardHappening = { kind: "operator_settled", clearing: CLEARING };
const REFUSED = { kind: "refused" };

function accepted(payin: CardPayin, happening: CardHappening) {
  const decision = decideCard(payin, happening);
  if (decision.kind === "refused") throw new Error("refused");
  return decision;
}

function lines(movements: readonly Movement[]): string[] {
  return movements.map(({ from, to, amount, kind }) => `${from} → ${to} ${amount} ${kind}`);
}

describe("money of a card", () => {
  const charged = (amount: number) => ({ receivedAmount: minor(amount) });
  it.each<[string, Partial<CardPayin>, CardHappening, CardPayinState, string[]]>([
    [
      "charged in full goes to the merchant, less our fee",
      {},
      approved(1000),
      "success",
      [`${CLEARING} → available 975 settle`, `${CLEARING} → fees 25 fee`],
    ],
    [
      "charged in another sum waits in suspense",
      { state: "processing:awaiting_3ds_result" },
      approved(1100),
      "dispute:different_amount",
      [`${CLEARING} → suspense 1100 suspend`],
    ],
    [
      "that the balance has no room for waits in suspense",
      { state: "processing:paid" },
      NO_ROOM,
      "processing:paid",
      [`${CLEARING} → suspense 1000 suspend`],
    ],
    [
      "that found room goes on to the merchant",
      { state: "processing:paid", ...charged(1000) },
      { kind: "room_found" },
      "success",
      ["suspense → available 975 settle", "suspense → fees 25 fee"],
    ],
    [
      "charged after the end waits in suspense",
      { state: "decline" },
      approved(1000),
      "decline",
      [`${CLEARING} → suspense 1000 suspend`],
    ],
    [
      "charged after the end needs no room in the balance",
      { state: "decline" },
      NO_ROOM,
      "decline",
      [`${CLEARING} → suspense 1000 suspend`],
    ],
    [
      "given back leaves suspense, all of it",
      { state: "decline", ...charged(1100) },
      REVERSED,
      "decline",
      [`suspense → ${CLEARING} 1100 reverse`],
    ],
    [
      "of another sum is settled by an operator for what it is",
      { state: "dispute:different_amount", ...charged(1100) },
      SETTLED,
      "success",
      ["suspense → available 1072 settle", "suspense → fees 28 fee"],
    ],
    [
      "of another sum that an operator declines stays in suspense until it is given back",
      { state: "dispute:different_amount", ...charged(1100) },
      { kind: "operator_declined" },
      "decline",
      [],
    ],
    [
      "that no provider told of is recorded by an operator",
      { state: "dispute:confirm_timeout" },
      SETTLED,
      "success",
      [`${CLEARING} → available 975 settle`, `${CLEARING} → fees 25 fee`],
    ],
  ])("%s", (_, change, happening, state, movements) => {
    const decision = accepted(aPayin(change), happening);
    expect([decision.payin.state, lines(decision.movements)]).toEqual([state, movements]);
  });
});

describe("may not happen", () => {
  it.each<[string, Partial<CardPayin>, CardHappening]>([
    ["a second sending", {}, { kind: "sent" }],
    ["a second charge after the end", { state: "decline", receivedAmount: minor(1000) }, approved(1000)],
    ["a second charge while the first waits", { state: "processing:paid", receivedAmount: minor(1000) }, NO_ROOM],
    ["a second return", { state: "decline", receivedAmount: minor(1000), reversed: true }, REVERSED],
    ["a return of nothing", { state: "decline" }, REVERSED],
    ["room for what never came", { state: "processing:paid" }, { kind: "room_found" }],
    [
      "a decline of what is charged",
      { state: "processing:paid", receivedAmount: minor(1000) },
      { kind: "declined", reason: "other" },
    ],
    ["a time-out of what is charged", { state: "processing:paid", receivedAmount: minor(1000) }, { kind: "timed_out" }],
  ])("%s", (_, change, happening) => {
    expect(decideCard(aPayin(change), happening)).toEqual(REFUSED);
  });
});

it.each<[ChargeDeclineReason | "no_provider", string]>([
  ["card_declined", "provider_declined"],
  ["insufficient_funds", "insufficient_funds"],
  ["card_expired", "card_expired"],
  ["processing_error", "provider_declined"],
  ["authentication_failed", "three_ds_failed"],
  ["cancelled", "cancelled"],
  ["expired", "expired"],
  ["other", "provider_declined"],
  ["no_provider", "no_provider"],
])("declined because of %s shows as %s", (reason, declineCode) => {
  expect(accepted(aPayin(), { kind: "declined", reason })).toMatchObject({ declineCode, movements: [] });
});

it.each([
  ["processing:awaiting_3ds_result", { kind: "expired" }, "expired"],
  ["processing:new", { kind: "never_seen" }, "provider_declined"],
  ["dispute:confirm_timeout", { kind: "operator_declined" }, "operator"],
] as const)("%s, %o declines with its code", (state, happening, declineCode) => {
  expect(accepted(aPayin({ state }), happening)).toMatchObject({ payin: { state: "decline" }, declineCode });
});

it("a card that was sent to no provider is not declined by one", () => {
  expect(accepted(aPayin({ sent: false }), { kind: "never_seen" })).toMatchObject({ declineCode: "no_provider" });
});

it("a charge after the end leaves the reason of the end alone", () => {
  expect(accepted(aPayin({ state: "decline" }), approved(1000)).declineCode).toBeUndefined();
});

/** Of every event one happening that can bring it, and charges of several sums, as providers may tell them. */
const HAPPENINGS: readonly CardHappening[] = [
  ...CARD_PAYIN_EVENTS.flatMap((kind): CardHappening[] => {
    switch (kind) {
      case "approved_exact":
      case "approved_other":
        return [approved(1), approved(1000), approved(1100)];
      case "approved_no_room":
        return [NO_ROOM];
      case "declined":
        return [{ kind, reason: "card_declined" }];
      case "reversed":
        return [REVERSED];
      case "operator_settled":
        return [SETTLED];
      default:
        return [{ kind }];
    }
  }),
];

/** Whatever happens in whatever order, money is neither made nor lost, charged once, given back once; the end stays. */
it("every sum that is charged stands in exactly one place, or went back", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...HAPPENINGS), { maxLength: 30 }),
      fc.nat(10_000),
      fc.nat(1_200),
      (happenings, basisPoints, fixed) => {
        let payin = aPayin({ sent: false, rates: { basisPoints, fixed: minor(fixed) } });
        let final: CardPayinState | undefined;
        const accounts: Record<string, bigint> = {};
        const counts: Record<string, number> = {};
        for (const each of happenings) {
          const decision = decideCard(payin, each);
          if (decision.kind === "refused") continue;
          payin = decision.payin;
          for (const { from, to, amount, kind } of decision.movements) {
            expect(amount > 0n).toBe(true);
            accounts[from] = (accounts[from] ?? 0n) - amount;
            accounts[to] = (accounts[to] ?? 0n) + amount;
            if (from === CLEARING && kind !== "fee") counts.charged = (counts.charged ?? 0) + 1;
            if (kind === "reverse") counts.reversed = (counts.reversed ?? 0) + 1;
          }
          if (each.kind === "sent") counts.sent = (counts.sent ?? 0) + 1;
          if (final !== undefined) expect(payin.state).toBe(final);
          if (isFinal(payin.state)) final = payin.state;
          const { available = 0n, fees = 0n, suspense = 0n } = accounts;
          const here = payin.reversed ? 0n : payin.receivedAmount;
          expect(available + fees + suspense).toBe(here);
          expect(-(accounts[CLEARING] ?? 0n)).toBe(here);
          expect(suspense >= 0n && available >= 0n && fees >= 0n).toBe(true);
          expect(available + fees).toBe(final === "success" ? payin.amount : 0n);
          for (const count of Object.values(counts)) expect(count).toBe(1);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
