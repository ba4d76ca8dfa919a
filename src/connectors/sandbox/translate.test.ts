import fc from "fast-check";
import { expect, it } from "vitest";
import { toPayinState, toPayoutOutcome, toRequisitesAnswer, toSubjects } from "./translate.ts";
import { readPayin } from "./wire.ts";

const requisites = { type: "card", value: "2200000000000004" };
const payin = { reference: "r", requisites, transfers: [] };
const KNOWN = [
  "active",
  "closed",
  "no_requisites",
  "cancelled",
  "accepted",
  "paid",
  "rejected",
  "failed",
  "wrong_details",
];

it("translates every word of the sandbox's", () => {
  const states = ["active", "closed", "no_requisites", "cancelled"].map(
    (status) => toPayinState({ ...payin, status }).kind,
  );
  expect(states).toEqual(["open", "open", "declined", "declined"]);
  const answers = ["active", "closed", "no_requisites", "cancelled"].map(
    (status) => toRequisitesAnswer({ ...payin, status }).kind,
  );
  expect(answers).toEqual(["issued", "issued", "none", "unknown"]);
  const outcomes = ["accepted", "paid", "rejected", "failed", "wrong_details"].map(
    (status) => toPayoutOutcome({ reference: "r", status }).kind,
  );
  expect(outcomes).toEqual(["pending", "approved", "declined", "may_have_left", "receiver_wrong"]);
  expect(toPayoutOutcome({ reference: "r", status: "rejected", reason: "insufficient_funds" })).toEqual({
    kind: "declined",
    reason: "insufficient_funds",
  });
});

it("takes any other word for unknown, never for a guess", () => {
  const word = fc.oneof(fc.string(), fc.constantFrom("constructor", "__proto__", "PAID", "success", "toString"));
  fc.assert(
    fc.property(word, (status) => {
      fc.pre(!KNOWN.includes(status));
      expect(toPayinState({ ...payin, status })).toEqual({ kind: "unknown" });
      expect(toRequisitesAnswer({ ...payin, status })).toEqual({ kind: "unknown" });
      expect(toPayoutOutcome({ reference: "r", status })).toEqual({ kind: "unknown" });
      const isKnown = ["payin", "payout", "charge"].includes(status);
      const [known, other] = [{ direction: "payin", reference: "1" } as const, { direction: status, reference: "2" }];
      expect(toSubjects([other])).toEqual(isKnown ? [other] : undefined);
      expect(toSubjects([known, other])).toEqual(isKnown ? [known, other] : undefined);
    }),
  );
});

it("does not know requisites of another type, nor transfers at an impossible time", () => {
  const other = { ...payin, status: "active", requisites: { type: "cheque", value: "1" } };
  expect(toRequisitesAnswer(other)).toEqual({ kind: "unknown" });
  const transfers = [{ id: "tr-1", amount: 1, received_at: "2026-99-01T00:00:00.000Z" }];
  expect(toPayinState({ ...payin, status: "active", transfers })).toEqual({ kind: "unknown" });
});

it("reads no amount but a whole one that is more than nothing", () => {
  const at = "2026-01-31T10:00:00.000Z";
  const read = (amount: unknown) =>
    readPayin(
      Buffer.from(JSON.stringify({ ...payin, status: "active", transfers: [{ id: "tr-1", amount, received_at: at }] })),
    );
  for (const amount of [0, -1, 1.5, "100", null, 2 ** 53]) expect(read(amount)).toBeUndefined();
  expect(read(100)?.transfers).toHaveLength(1);
});
