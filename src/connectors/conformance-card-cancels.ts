import { expect, it } from "vitest";
import type { CardAcquirer, ChargeState } from "../core/card-acquirer.ts";
import {
  approvedOf,
  type CardConformanceWorld,
  challenged,
  REFUSED_CARDS,
  reverseAt,
  TWINS,
  VERSIONS,
} from "./conformance-card-world.ts";
import { newReference, TROUBLES } from "./conformance-world.ts";

const UNKNOWN = { kind: "unknown" };
const CANCELLED = { kind: "declined", reason: "cancelled" };
const NO_MONEY = { arrived: [], left: [] };
const RACES = 12;

/** The part of the suite for an acquirer that can cancel: what waits for the payer is ended, and nothing else is. */
export function describeCancels(world: CardConformanceWorld): void {
  const cancel = (reference: string, cards = world.cards()): Promise<ChargeState> => cancelAt(cards, reference);
  describeEnds(world, cancel);
  describeRaces(world, cancel);
  describeLostCancels(world, cancel);
}

type Cancel = (reference: string, cards?: CardAcquirer) => Promise<ChargeState>;

function describeEnds(world: CardConformanceWorld, cancel: Cancel): void {
  it.each(VERSIONS)("end a charge that waits for its payer; his result comes too late (%s)", async (card) => {
    const { request, challenge } = await challenged(world, card);
    const result = await world.authenticate(challenge, "right");
    expect(await cancel(request.reference)).toEqual(CANCELLED);
    expect(await world.cards().passAuthentication(request.reference, result)).toEqual(CANCELLED);
    expect(await world.cards().charge(request)).toEqual(CANCELLED);
    expect(await reverseAt(world.cards(), request.reference)).toEqual(CANCELLED);
    await world.letTimePass(request, "expiry");
    expect(await world.cards().askChargeState(request.reference)).toEqual(CANCELLED);
    expect(await world.readBooks(request.reference)).toEqual(NO_MONEY);
  });

  it("end a charge whose payer is on the provider's page: he can pay no more", async () => {
    const request = world.request(newReference(), "approved");
    await world.wish(request.reference, "plain_redirect");
    const answer = await world.cards().charge(request);
    if (answer.kind !== "redirect") throw new Error(answer.kind);
    expect(await cancel(request.reference)).toEqual(CANCELLED);
    expect(await world.visit(answer.url, "pays")).toBe(request.returnUrl);
    expect(await world.cards().askChargeState(request.reference)).toEqual(CANCELLED);
    expect(await world.readBooks(request.reference)).toEqual(NO_MONEY);
  });

  it("end it once, many times and at once", async () => {
    const { request } = await challenged(world, "challenge");
    const answers = await Promise.all(Array.from({ length: TWINS }, () => cancel(request.reference)));
    expect(answers).toEqual(answers.map(() => CANCELLED));
    // One notification of the challenge, and one of its end.
    await world.waitUntilTold(request.reference, 2);
  });

  it("leave a charge that is decided, or being decided, as it is", async () => {
    const approved = world.request(newReference(), "approved");
    await world.cards().charge(approved);
    expect(await cancel(approved.reference)).toEqual(approvedOf(world, approved));
    const reversed = await reverseAt(world.cards(), approved.reference);
    expect(await cancel(approved.reference)).toEqual(reversed);

    for (const reason of REFUSED_CARDS) {
      const declined = world.request(newReference(), reason);
      await world.cards().charge(declined);
      expect(await cancel(declined.reference)).toEqual({ kind: "declined", reason });
    }

    const { request, challenge } = await challenged(world, "challenge", "slow_approval");
    await world.cards().passAuthentication(request.reference, await world.authenticate(challenge, "right"));
    expect(await cancel(request.reference)).toEqual({ kind: "pending" });
    await world.letTimePass(request, "settled");
    expect(await cancel(request.reference)).toEqual(approvedOf(world, request));
  });

  it("use up a reference that was never seen: no charge is made under it later", async () => {
    const request = world.request(newReference(), "approved");
    const answers = [await cancel(request.reference), await cancel(request.reference)];
    expect(answers).toEqual([CANCELLED, CANCELLED]);
    expect(await world.cards().charge(request)).toEqual(CANCELLED);
    expect(await world.cards().askChargeState(request.reference)).toEqual(CANCELLED);
    expect(await world.readBooks(request.reference)).toEqual(NO_MONEY);
  });
}

function describeRaces(world: CardConformanceWorld, cancel: Cancel): void {
  it("race the payer's result: one of the two wins, and both hear the same", async () => {
    for (let race = 0; race < RACES; race += 1) {
      const { request, challenge } = await challenged(world, "challenge");
      const result = await world.authenticate(challenge, "right");
      const calls = [
        () => world.cards().passAuthentication(request.reference, result),
        () => cancel(request.reference),
      ] as const;
      const answers = await Promise.all(race % 2 === 0 ? [calls[0](), calls[1]()] : [calls[1](), calls[0]()]);
      const end = await world.cards().askChargeState(request.reference);
      expect([approvedOf(world, request), CANCELLED]).toContainEqual(end);
      expect(answers).toEqual([end, end]);
      const arrived = end.kind === "approved" ? [request.amount] : [];
      expect(await world.readBooks(request.reference)).toEqual({ arrived, left: [] });
    }
  });

  it("race the charge itself: what the cancel answers stays true", async () => {
    for (let race = 0; race < RACES; race += 1) {
      const request = world.request(newReference(), race % 3 === 0 ? "approved" : "challenge");
      const [charge, answer] = await Promise.all([world.cards().charge(request), cancel(request.reference)]);
      const end = await world.cards().askChargeState(request.reference);
      expect(answer).toEqual(end);
      expect([approvedOf(world, request), CANCELLED]).toContainEqual(end);
      if (end.kind === "approved") expect(charge).toEqual(end);
      const arrived = end.kind === "approved" ? [request.amount] : [];
      expect(await world.readBooks(request.reference)).toEqual({ arrived, left: [] });
    }
  });
}

function describeLostCancels(world: CardConformanceWorld, cancel: Cancel): void {
  it.each(TROUBLES)("%s: the answer is lost, the charge is over, and a second cancel says so", async (trouble) => {
    const { request } = await challenged(world, "challenge");
    await world.trouble(trouble, request.reference);
    expect(await cancel(request.reference, trouble === "timeout" ? world.impatient() : world.cards())).toEqual(UNKNOWN);
    expect(await world.cards().askChargeState(request.reference)).toEqual(CANCELLED);
    expect(await cancel(request.reference)).toEqual(CANCELLED);
  });

  it("that are lost on the way change nothing, and are unknown when the acquirer cannot be reached", async () => {
    const { request, challenge } = await challenged(world, "challenge");
    await world.troubleBefore(request.reference);
    expect(await cancel(request.reference)).toEqual(UNKNOWN);
    expect(await cancel(request.reference, world.unreachable())).toEqual(UNKNOWN);
    expect(await world.cards().askChargeState(request.reference)).toEqual({ kind: "challenge", challenge });
    const result = await world.authenticate(challenge, "right");
    expect(await world.cards().passAuthentication(request.reference, result)).toEqual(approvedOf(world, request));
  });
}

function cancelAt({ cancel }: CardAcquirer, reference: string): Promise<ChargeState> {
  if (cancel === undefined) throw new Error("this acquirer cannot cancel: leave this part of the suite out");
  return cancel(reference);
}
