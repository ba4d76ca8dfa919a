import fc from "fast-check";
import { expect, it } from "vitest";
import { toChargeOutcome } from "./translate-charge.ts";

const REASONS = [
  "card_declined",
  "insufficient_funds",
  "card_expired",
  "processing_error",
  "authentication_failed",
  "cancelled",
  "expired",
];
const KNOWN = ["approved", "declined", "challenge", "redirect", "pending", "reversed"];
const ACS = "https://acs.invalid/";
const two = { version: "2.2.0", acs_url: ACS, creq: "c", three_ds_session_data: "s" };
const one = { version: "1.0.2", acs_url: ACS, pa_req: "p", md: "m", term_url: "https://gateway.invalid/" };

function outcome(members: object): ReturnType<typeof toChargeOutcome> {
  return toChargeOutcome({ reference: "r", status: "challenge", ...members });
}

it("translates every word of the sandbox's", () => {
  expect(outcome({ status: "approved", approved_amount: 7 })).toEqual({ kind: "approved", amount: 7n });
  expect(outcome({ status: "reversed", approved_amount: 7 })).toEqual({ kind: "reversed", amount: 7n });
  expect(outcome({ status: "pending" })).toEqual({ kind: "pending" });
  expect(outcome({ status: "redirect", redirect_url: ACS })).toEqual({ kind: "redirect", url: ACS });
  for (const reason of REASONS) expect(outcome({ status: "declined", reason })).toEqual({ kind: "declined", reason });
});

it("takes a reason that is not listed for another one: declined it is all the same", () => {
  for (const reason of ["lost_card", "constructor", undefined])
    expect(outcome({ status: "declined", ...(reason && { reason }) })).toEqual({ kind: "declined", reason: "other" });
});

it("translates both protocols, and the hidden step where it is whole", () => {
  expect(outcome({ three_ds: two })).toEqual({
    kind: "challenge",
    challenge: { version: "2.2.0", acsUrl: ACS, creq: "c", sessionData: "s", method: undefined },
  });
  expect(outcome({ three_ds: one })).toEqual({
    kind: "challenge",
    challenge: { version: "1.0.2", acsUrl: ACS, paReq: "p", md: "m", termUrl: "https://gateway.invalid/" },
  });
  const method = { method_url: ACS, method_transaction_id: "t" };
  expect(outcome({ three_ds: { ...two, ...method } })).toMatchObject({
    challenge: { method: { url: ACS, serverTransactionId: "t" } },
  });
  expect(outcome({ three_ds: { ...two, method_url: ACS } })).toMatchObject({ challenge: { method: undefined } });
});

it("takes any other word for unknown, never for a guess", () => {
  const word = fc.oneof(fc.string(), fc.constantFrom("constructor", "__proto__", "APPROVED", "success", "toString"));
  fc.assert(
    fc.property(word, (status) => {
      fc.pre(!KNOWN.includes(status));
      expect(outcome({ status, approved_amount: 7, three_ds: two, redirect_url: ACS })).toEqual({ kind: "unknown" });
    }),
  );
});

it.each([
  ["an approval without its amount", { status: "approved" }],
  ["a challenge without anything", {}],
  ["a challenge of another version", { three_ds: { ...two, version: "2.3.1" } }],
  ["a challenge without its request", { three_ds: { ...two, creq: undefined } }],
  ["a challenge of the first protocol with the second's members", { three_ds: { ...two, version: "1.0.2" } }],
  ["a challenge at an address that is a program", { three_ds: { ...two, acs_url: "javascript:alert(1)" } }],
  ["a challenge that returns to one", { three_ds: { ...one, term_url: "data:text/html,x" } }],
  ["a redirect to nowhere", { status: "redirect" }],
  ["a redirect to a program", { status: "redirect", redirect_url: "javascript:alert(1)" }],
])("does not know %s", (_name, members) => expect(outcome(members)).toEqual({ kind: "unknown" }));
