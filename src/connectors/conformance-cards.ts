import { describe, expect, it } from "vitest";
import type { CardAcquirer } from "../core/card-acquirer.ts";
import type { Minor } from "../core/money.ts";
import { describeAuthentication } from "./conformance-card-authentication.ts";
import { describeCancels } from "./conformance-card-cancels.ts";
import {
  approvedOf,
  type CardConformanceWorld,
  cardWaysOf,
  challenged,
  charged,
  chargeStateOf,
  REFUSED_CARDS,
  reverseAt,
  TWINS,
  VERSIONS,
} from "./conformance-card-world.ts";
import { newReference, TROUBLES, type Trouble } from "./conformance-world.ts";

const UNKNOWN = { kind: "unknown" };
const NEVER_SEEN = { kind: "never_seen" };
const PENDING = { kind: "pending" };

export function describeCardConformance(name: string, world: CardConformanceWorld): void {
  describe(`${name}: charges`, () => describeCharges(world));
  describe(`${name}: charges whose answer is lost`, () => describeLostAnswers(world));
  describe.each(VERSIONS)(`${name}: authentication (%s)`, (card) => describeAuthentication(world, card));
  describe(`${name}: the provider's ways`, () => describeWishes(world));
  describe.runIf(!world.cannotReverse)(`${name}: reversals`, () => describeReversals(world));
  describe.runIf(world.canCancel)(`${name}: cancels`, () => describeCancels(world));
}

function describeCharges(world: CardConformanceWorld): void {
  it("are made once for one reference, many times and at once", async () => {
    const request = world.request(newReference(), "approved");
    const answers = await Promise.all(Array.from({ length: TWINS }, () => charged(world, request)));
    expect(answers).toEqual(answers.map(() => approvedOf(world, request)));
    expect(await world.cards().askChargeState(request.reference)).toEqual(approvedOf(world, request));
    expect(await world.readBooks(request.reference)).toEqual({ arrived: [request.amount], left: [] });
    await world.waitUntilTold(request.reference, 1);
  });

  it("go without the holder's name where the acquirer says that it needs none", async () => {
    const { card, ...request } = world.request(newReference(), "approved");
    const nameless = { ...request, card: { ...card, holder: undefined } };
    const answer = await charged(world, nameless);
    // One that needs the name makes no charge without it.
    expect(answer.kind === "approved").toBe(!world.cards().needsHolder);
    expect((await world.readBooks(request.reference)).arrived).toHaveLength(world.cards().needsHolder ? 0 : 1);
  });

  it("give one challenge for one reference, and another for another", async () => {
    const request = world.request(newReference(), "challenge");
    const answers = await Promise.all(Array.from({ length: TWINS }, () => charged(world, request)));
    expect(answers[0]?.kind).toBe("challenge");
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(await charged(world, world.request(newReference(), "challenge"))).not.toEqual(answers[0]);
  });

  it("do not take the same reference for another request, and keep the first", async () => {
    const request = world.request(newReference(), "approved");
    await charged(world, request);
    const { card } = world.request(request.reference, "card_declined");
    for (const change of [{ amount: (request.amount + 100n) as Minor }, { card }])
      expect(await world.cards().charge({ ...request, ...change })).toEqual(UNKNOWN);
    expect(await world.cards().charge(request)).toEqual(approvedOf(world, request));
    expect((await world.readBooks(request.reference)).arrived).toEqual([request.amount]);
  });

  it.each(REFUSED_CARDS)("are declined: %s", async (reason) => {
    const request = world.request(newReference(), reason);
    const declined = { kind: "declined", reason: cardWaysOf(world).tellsReason(reason) };
    expect(await charged(world, request)).toEqual(declined);
    expect(await world.cards().charge(request)).toEqual(declined);
    expect(await world.cards().askChargeState(request.reference)).toEqual(declined);
    expect(await world.readBooks(request.reference)).toEqual({ arrived: [], left: [] });
  });

  it("that nobody requested were never seen, whatever is asked", async () => {
    const reference = newReference();
    expect(await world.cards().askChargeState(reference)).toEqual(NEVER_SEEN);
    if (!world.cannotReverse) expect(await reverseAt(world.cards(), reference)).toEqual(NEVER_SEEN);
    expect(await world.cards().passAuthentication(reference, { cres: "eyJ9" })).toEqual(NEVER_SEEN);
  });
}

function describeLostAnswers(world: CardConformanceWorld): void {
  const sender = (trouble: Trouble) => (trouble === "timeout" ? world.impatient() : world.cards());

  it("are unknown, and known when the acquirer is asked again", async () => {
    const request = world.request(newReference(), "answered_late");
    const { answers } = cardWaysOf(world);
    expect((await world.impatient().charge(request)).kind).toBe(answers === "at_once" ? "unknown" : "pending");
    // A provider that only accepts it waits for an acquirer of its own.
    if (answers === "later") await world.letTimePass(request, "settled");
    expect(await chargeStateOf(world, request.reference)).toEqual(approvedOf(world, request));
    expect((await world.readBooks(request.reference)).arrived).toEqual([request.amount]);
  });

  it.each(TROUBLES)("%s: requested again under its reference, it is charged once", async (trouble) => {
    const request = world.request(newReference(), "approved");
    await world.trouble(trouble, request.reference);
    expect(await sender(trouble).charge(request)).toEqual(UNKNOWN);
    expect(await chargeStateOf(world, request.reference)).toEqual(approvedOf(world, request));
    expect(await world.cards().charge(request)).toEqual(approvedOf(world, request));
    expect((await world.readBooks(request.reference)).arrived).toEqual([request.amount]);
  });

  it.each(TROUBLES)("%s when it is declined: unknown, not declined, until it is asked about", async (trouble) => {
    const request = world.request(newReference(), "card_declined");
    await world.trouble(trouble, request.reference);
    expect(await sender(trouble).charge(request)).toEqual(UNKNOWN);
    expect((await chargeStateOf(world, request.reference)).kind).toBe("declined");
  });

  it.each(TROUBLES)("%s when it is asked about, authenticated or reversed", async (trouble) => {
    const { request, challenge } = await challenged(world, "challenge");
    const { reference } = request;
    const result = await world.authenticate(challenge, "right");
    const calls: ((cards: CardAcquirer) => Promise<{ kind: string }>)[] = [
      (cards) => cards.askChargeState(reference),
      (cards) => cards.passAuthentication(reference, result),
    ];
    if (!world.cannotReverse) calls.push((cards) => reverseAt(cards, reference));
    const after: string[] = [];
    for (const call of calls) {
      await world.trouble(trouble, reference);
      expect(await call(sender(trouble))).toEqual(UNKNOWN);
      after.push((await chargeStateOf(world, reference)).kind);
    }
    expect(after).toEqual(["challenge", "approved", "reversed"].slice(0, calls.length));
    const left = world.cannotReverse ? [] : [request.amount];
    expect(await world.readBooks(reference)).toEqual({ arrived: [request.amount], left });
  });

  it("were never seen if the request was lost on the way", async () => {
    const request = world.request(newReference(), "approved");
    await world.troubleBefore(request.reference);
    expect(await world.cards().charge(request)).toEqual(UNKNOWN);
    expect(await world.cards().askChargeState(request.reference)).toEqual(NEVER_SEEN);
  });

  it("are unknown when the acquirer cannot be reached, and nothing is thrown", async () => {
    const cards = world.unreachable();
    const answers = await Promise.all([
      cards.charge(world.request(newReference(), "card_declined")),
      cards.askChargeState(newReference()),
      cards.passAuthentication(newReference(), { cres: "eyJ9" }),
      ...(world.cannotReverse ? [] : [reverseAt(cards, newReference())]),
    ]);
    expect(answers).toEqual(answers.map(() => UNKNOWN));
  });
}

function describeWishes(world: CardConformanceWorld): void {
  it("an approval for another amount says the amount", async () => {
    const request = world.request(newReference(), "approved");
    await world.wish(request.reference, "wrong_amount");
    const answer = await charged(world, request);
    if (answer.kind !== "approved") throw new Error(answer.kind);
    expect(answer.amount).not.toBe(request.amount);
    expect((await world.readBooks(request.reference)).arrived).toEqual([answer.amount]);
    if (world.cannotReverse) return;
    expect(await reverseAt(world.cards(), request.reference)).toEqual({ kind: "reversed", amount: answer.amount });
  });

  it("a charge may be pending, then approved", async () => {
    const request = world.request(newReference(), "approved");
    await world.wish(request.reference, "slow_approval");
    expect(await world.cards().charge(request)).toEqual(PENDING);
    await world.letTimePass(request, "settled");
    expect(await chargeStateOf(world, request.reference)).toEqual(approvedOf(world, request));
  });

  const tellsLate = cardWaysOf(world).tellsAfterEnd && !world.cannotReverse;
  it.runIf(tellsLate)("a charge that was declined may be approved after all, and can be reversed then", async () => {
    const request = world.request(newReference(), "card_declined");
    await world.wish(request.reference, "late_approval");
    expect((await world.cards().charge(request)).kind).toBe("declined");
    await world.letTimePass(request, "settled");
    expect(await world.cards().askChargeState(request.reference)).toEqual(approvedOf(world, request));
    expect((await reverseAt(world.cards(), request.reference)).kind).toBe("reversed");
    expect(await world.readBooks(request.reference)).toEqual({ arrived: [request.amount], left: [request.amount] });
  });

  it.each([
    ["pays", "approved"],
    ["cancels", "declined"],
  ] as const)("a payer who %s on the provider's page comes back, and the charge is %s", async (conduct, kind) => {
    const request = world.request(newReference(), "approved");
    await world.wish(request.reference, "plain_redirect");
    const answer = await charged(world, request);
    if (answer.kind !== "redirect") throw new Error(answer.kind);
    for (let time = 0; time < 2; time += 1) expect(await world.visit(answer.url, conduct)).toBe(request.returnUrl);
    expect(await world.visit(answer.url, conduct === "pays" ? "cancels" : "pays")).toBe(request.returnUrl);
    expect((await chargeStateOf(world, request.reference)).kind).toBe(kind);
    expect((await world.readBooks(request.reference)).arrived).toHaveLength(kind === "approved" ? 1 : 0);
  });

  it.runIf(cardWaysOf(world).tellsMethodStep)(
    "a challenge names the hidden step where the issuer wants it",
    async () => {
      const { challenge } = await challenged(world, "challenge", "method_step");
      expect(challenge).toMatchObject({ method: { url: expect.stringMatching(/^https?:/) } });
      expect((await challenged(world, "challenge")).challenge).toMatchObject({ method: undefined });
    },
  );
}

function describeReversals(world: CardConformanceWorld): void {
  it("give an approved charge back once, many times and at once", async () => {
    const request = world.request(newReference(), "approved");
    await world.cards().charge(request);
    const answers = await Promise.all(Array.from({ length: TWINS }, () => reverseAt(world.cards(), request.reference)));
    expect(answers).toEqual(answers.map(() => ({ kind: "reversed", amount: request.amount })));
    expect(await world.cards().charge(request)).toEqual(answers[0]);
    expect(await world.readBooks(request.reference)).toEqual({ arrived: [request.amount], left: [request.amount] });
    await world.waitUntilTold(request.reference, 2);
  });

  it("leave a charge that was not approved as it is", async () => {
    const declined = world.request(newReference(), "insufficient_funds");
    await world.cards().charge(declined);
    expect(await reverseAt(world.cards(), declined.reference)).toEqual({
      kind: "declined",
      reason: "insufficient_funds",
    });
    const { request } = await challenged(world, "challenge");
    expect((await reverseAt(world.cards(), request.reference)).kind).toBe("challenge");
    expect(await world.readBooks(request.reference)).toEqual({ arrived: [], left: [] });
  });
}
