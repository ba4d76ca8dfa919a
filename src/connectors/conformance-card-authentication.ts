import { expect, it } from "vitest";
import type { AuthenticationOutcome, AuthenticationResult, ChargeRequest } from "../core/card-acquirer.ts";
import {
  approvedOf,
  type CardConformanceWorld,
  cardWaysOf,
  challenged,
  chargeStateOf,
  reverseAt,
  TWINS,
  type VERSIONS,
} from "./conformance-card-world.ts";

const PENDING = { kind: "pending" };
const RESULT_INVALID = { kind: "result_invalid" };
const AUTHENTICATION_FAILED = { kind: "declined", reason: "authentication_failed" };

/** The part of the suite that the issuer plays in: only what it said itself, once and in time, moves a charge. */
export function describeAuthentication(world: CardConformanceWorld, card: (typeof VERSIONS)[number]): void {
  const pass = (request: ChargeRequest, result: AuthenticationResult): Promise<AuthenticationOutcome> =>
    world.cards().passAuthentication(request.reference, result);

  it.each(["right", "mistaken_once"] as const)(
    "approves once the payer's result is passed on (%s)",
    async (conduct) => {
      const { request, challenge } = await challenged(world, card);
      const result = await world.authenticate(challenge, conduct);
      expect((await world.readBooks(request.reference)).arrived).toEqual([]);
      expect(await pass(request, result)).toEqual(approvedOf(world, request));
      expect(await world.cards().askChargeState(request.reference)).toEqual(approvedOf(world, request));
      expect((await world.readBooks(request.reference)).arrived).toEqual([request.amount]);
      await world.waitUntilTold(request.reference, 2);
    },
  );

  it.each(["wrong", "cancels"] as const)("declines a payer who is not the right one (%s)", async (conduct) => {
    const { request, challenge } = await challenged(world, card);
    const result = await world.authenticate(challenge, conduct);
    expect(await pass(request, result)).toEqual(AUTHENTICATION_FAILED);
    expect(await world.cards().askChargeState(request.reference)).toEqual(AUTHENTICATION_FAILED);
    expect((await world.readBooks(request.reference)).arrived).toEqual([]);
  });

  it("is not moved by a result that is forged, another charge's, cut off, empty or of the other protocol", async () => {
    const { request, challenge } = await challenged(world, card);
    const other = await challenged(world, card);
    const foreign = await world.authenticate(other.challenge, "right");
    const expectUnmoved = async (result: AuthenticationResult): Promise<void> => {
      expect(await pass(request, result)).toEqual(RESULT_INVALID);
      expect(await world.cards().askChargeState(request.reference)).toEqual({ kind: "challenge", challenge });
    };
    for (const result of [...spoil(foreign), foreign]) await expectUnmoved(result);
    const own = await world.authenticate(challenge, "right");
    for (const result of spoil(own)) await expectUnmoved(result);
    expect(await pass(request, own)).toEqual(approvedOf(world, request));
    const afterEnd = cardWaysOf(world).judgesAfterEnd ? RESULT_INVALID : approvedOf(world, request);
    for (const result of [...spoil(own), foreign])
      expect([RESULT_INVALID, afterEnd]).toContainEqual(await pass(request, result));
    expect(await world.cards().askChargeState(request.reference)).toEqual(approvedOf(world, request));
  });

  it("takes a result once, however often and at once it comes, and not after the reversal", async () => {
    const { request, challenge } = await challenged(world, card);
    const result = await world.authenticate(challenge, "right");
    const answers = await Promise.all(Array.from({ length: TWINS }, () => pass(request, result)));
    expect(answers).toEqual(answers.map(() => approvedOf(world, request)));
    expect((await world.readBooks(request.reference)).arrived).toEqual([request.amount]);
    if (world.cannotReverse) return;
    const reversed = await reverseAt(world.cards(), request.reference);
    expect(reversed).toEqual({ kind: "reversed", amount: request.amount });
    expect(await pass(request, result)).toEqual(reversed);
  });

  it("is over when the charge has expired: a late result changes nothing", async () => {
    const { request, challenge } = await challenged(world, card);
    const result = await world.authenticate(challenge, "right");
    await world.letTimePass(request, "expiry");
    expect(await pass(request, result)).toEqual({ kind: "declined", reason: "expired" });
    expect((await world.readBooks(request.reference)).arrived).toEqual([]);
  });

  it("may be followed by a wait", async () => {
    const { request, challenge } = await challenged(world, card, "slow_approval");
    expect(await pass(request, await world.authenticate(challenge, "right"))).toEqual(PENDING);
    await world.letTimePass(request, "settled");
    expect(await chargeStateOf(world, request.reference)).toEqual(approvedOf(world, request));
  });
}

/** A result that differs from the true one in any way that an attacker could try. */
function spoil(result: AuthenticationResult): readonly AuthenticationResult[] {
  if ("cres" in result) {
    const changed = [...spoilText(result.cres), ""].map((cres) => ({ cres }));
    return [...changed, { paRes: result.cres, md: "md" }];
  }
  const { paRes, md } = result;
  const changed = [...spoilText(paRes), ""].map((text) => ({ paRes: text, md }));
  return [...changed, { paRes, md: `${md}x` }, { paRes, md: "" }, { cres: paRes }];
}

function spoilText(text: string): readonly string[] {
  const middle = text.length >> 1;
  const other = text[middle] === "A" ? "B" : "A";
  const invented = Buffer.from('{"messageType":"CRes","messageVersion":"2.2.0","transStatus":"Y"}').toString(
    "base64url",
  );
  return [
    text.slice(1),
    text.slice(0, -8),
    text.slice(0, middle),
    `${text}A`,
    text.toLowerCase(),
    text.slice(0, middle) + other + text.slice(middle + 1),
    invented,
  ];
}
