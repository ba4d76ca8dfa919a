import { describe, expect, it } from "vitest";
import type { CardAcquirer } from "../core/card-acquirer.ts";
import type { Minor } from "../core/money.ts";
import { newReference, TROUBLES, type Trouble } from "./conformance.ts";
import { describeAuthentication } from "./conformance-card-authentication.ts";
import {
  approvedOf,
  type CardConformanceWorld,
  challenged,
  REFUSED_CARDS,
  TWINS,
  VERSIONS,
} from "./conformance-card-world.ts";

const UNKNOWN = { kind: "unknown" };
const NEVER_SEEN = { kind: "never_seen" };
const PENDING = { kind: "pending" };

export function describeCardConformance(name: string, world: CardConformanceWorld): void {
  describe(`${name}: charges`, () => describeCharges(world));
  describe(`${name}: charges whose answer is lost`, () => describeLostAnswers(world));
  describe.each(VERSIONS)(`${name}: authentication (%s)`, (card) => describeAuthentication(world, card));
  describe(`${name}: the provider's ways`, () => describeWishes(world));
  describe(`${name}: reversals`, () => describeReversals(world));
}

function describeCharges(world: CardConformanceWorld): void {
  it("are made once for one reference, many times and at once", async () => {
    const order = world.order(newReference(), "approved");
    const answers = await Promise.all(Array.from({ length: TWINS }, () => world.cards().charge(order)));
    expect(answers).toEqual(answers.map(() => approvedOf(order)));
    expect(await world.cards().askChargeState(order.reference)).toEqual(approvedOf(order));
    expect(await world.readBooks(order.reference)).toEqual({ arrived: [order.amount], left: [] });
    await world.waitUntilTold(order.reference, 1);
  });

  it("give one challenge for one reference, and another for another", async () => {
    const order = world.order(newReference(), "challenge");
    const answers = await Promise.all(Array.from({ length: TWINS }, () => world.cards().charge(order)));
    expect(answers[0]?.kind).toBe("challenge");
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(await world.cards().charge(world.order(newReference(), "challenge"))).not.toEqual(answers[0]);
  });

  it("do not take the same reference for another order, and keep the first", async () => {
    const order = world.order(newReference(), "approved");
    await world.cards().charge(order);
    const { card } = world.order(order.reference, "card_declined");
    for (const change of [{ amount: (order.amount + 100n) as Minor }, { card }])
      expect(await world.cards().charge({ ...order, ...change })).toEqual(UNKNOWN);
    expect(await world.cards().charge(order)).toEqual(approvedOf(order));
    expect((await world.readBooks(order.reference)).arrived).toEqual([order.amount]);
  });

  it.each(REFUSED_CARDS)("are declined: %s", async (reason) => {
    const order = world.order(newReference(), reason);
    expect(await world.cards().charge(order)).toEqual({ kind: "declined", reason });
    expect(await world.cards().charge(order)).toEqual({ kind: "declined", reason });
    expect(await world.cards().askChargeState(order.reference)).toEqual({ kind: "declined", reason });
    expect(await world.readBooks(order.reference)).toEqual({ arrived: [], left: [] });
  });

  it("that nobody ordered were never seen, whatever is asked", async () => {
    const reference = newReference();
    expect(await world.cards().askChargeState(reference)).toEqual(NEVER_SEEN);
    expect(await world.cards().reverse(reference)).toEqual(NEVER_SEEN);
    expect(await world.cards().passAuthentication(reference, { cres: "eyJ9" })).toEqual(NEVER_SEEN);
  });
}

function describeLostAnswers(world: CardConformanceWorld): void {
  const sender = (trouble: Trouble) => (trouble === "timeout" ? world.impatient() : world.cards());

  it("are unknown, and known when the acquirer is asked again", async () => {
    const order = world.order(newReference(), "answered_late");
    expect(await world.impatient().charge(order)).toEqual(UNKNOWN);
    expect(await world.cards().askChargeState(order.reference)).toEqual(approvedOf(order));
    expect((await world.readBooks(order.reference)).arrived).toEqual([order.amount]);
  });

  it.each(TROUBLES)("%s: ordered again under its reference, it is charged once", async (trouble) => {
    const order = world.order(newReference(), "approved");
    await world.trouble(trouble, order.reference);
    expect(await sender(trouble).charge(order)).toEqual(UNKNOWN);
    expect(await world.cards().askChargeState(order.reference)).toEqual(approvedOf(order));
    expect(await world.cards().charge(order)).toEqual(approvedOf(order));
    expect((await world.readBooks(order.reference)).arrived).toEqual([order.amount]);
  });

  it.each(TROUBLES)("%s when it is declined: unknown, not declined, until it is asked about", async (trouble) => {
    const order = world.order(newReference(), "card_declined");
    await world.trouble(trouble, order.reference);
    expect(await sender(trouble).charge(order)).toEqual(UNKNOWN);
    expect((await world.cards().askChargeState(order.reference)).kind).toBe("declined");
  });

  it.each(TROUBLES)("%s when it is asked about, authenticated or reversed", async (trouble) => {
    const { order, challenge } = await challenged(world, "challenge");
    const { reference } = order;
    const result = await world.authenticate(challenge, "right");
    const calls: ((cards: CardAcquirer) => Promise<{ kind: string }>)[] = [
      (cards) => cards.askChargeState(reference),
      (cards) => cards.passAuthentication(reference, result),
      (cards) => cards.reverse(reference),
    ];
    const after: string[] = [];
    for (const call of calls) {
      await world.trouble(trouble, reference);
      expect(await call(sender(trouble))).toEqual(UNKNOWN);
      after.push((await world.cards().askChargeState(reference)).kind);
    }
    expect(after).toEqual(["challenge", "approved", "reversed"]);
    expect(await world.readBooks(reference)).toEqual({ arrived: [order.amount], left: [order.amount] });
  });

  it("were never seen if the order was lost on the way", async () => {
    const order = world.order(newReference(), "approved");
    await world.troubleBefore(order.reference);
    expect(await world.cards().charge(order)).toEqual(UNKNOWN);
    expect(await world.cards().askChargeState(order.reference)).toEqual(NEVER_SEEN);
  });

  it("are unknown when the acquirer cannot be reached, and nothing is thrown", async () => {
    const cards = world.unreachable();
    const answers = await Promise.all([
      cards.charge(world.order(newReference(), "card_declined")),
      cards.askChargeState(newReference()),
      cards.passAuthentication(newReference(), { cres: "eyJ9" }),
      cards.reverse(newReference()),
    ]);
    expect(answers).toEqual(answers.map(() => UNKNOWN));
  });
}

function describeWishes(world: CardConformanceWorld): void {
  it("an approval for another amount says the amount", async () => {
    const order = world.order(newReference(), "approved");
    await world.wish(order.reference, "wrong_amount");
    const answer = await world.cards().charge(order);
    if (answer.kind !== "approved") throw new Error(answer.kind);
    expect(answer.amount).not.toBe(order.amount);
    expect((await world.readBooks(order.reference)).arrived).toEqual([answer.amount]);
    expect(await world.cards().reverse(order.reference)).toEqual({ kind: "reversed", amount: answer.amount });
  });

  it("a charge may be pending, then approved", async () => {
    const order = world.order(newReference(), "approved");
    await world.wish(order.reference, "slow_approval");
    expect(await world.cards().charge(order)).toEqual(PENDING);
    await world.letTimePass(order, "settled");
    expect(await world.cards().askChargeState(order.reference)).toEqual(approvedOf(order));
  });

  it("a charge that was declined may be approved after all, and can be reversed then", async () => {
    const order = world.order(newReference(), "card_declined");
    await world.wish(order.reference, "late_approval");
    expect((await world.cards().charge(order)).kind).toBe("declined");
    await world.letTimePass(order, "settled");
    expect(await world.cards().askChargeState(order.reference)).toEqual(approvedOf(order));
    expect((await world.cards().reverse(order.reference)).kind).toBe("reversed");
    expect(await world.readBooks(order.reference)).toEqual({ arrived: [order.amount], left: [order.amount] });
  });

  it.each([
    ["pays", "approved"],
    ["cancels", "declined"],
  ] as const)("a payer who %s on the provider's page comes back, and the charge is %s", async (conduct, kind) => {
    const order = world.order(newReference(), "approved");
    await world.wish(order.reference, "plain_redirect");
    const answer = await world.cards().charge(order);
    if (answer.kind !== "redirect") throw new Error(answer.kind);
    for (let time = 0; time < 2; time += 1) expect(await world.visit(answer.url, conduct)).toBe(order.returnUrl);
    expect(await world.visit(answer.url, conduct === "pays" ? "cancels" : "pays")).toBe(order.returnUrl);
    expect((await world.cards().askChargeState(order.reference)).kind).toBe(kind);
    expect((await world.readBooks(order.reference)).arrived).toHaveLength(kind === "approved" ? 1 : 0);
  });

  it("a challenge names the hidden step where the issuer wants it", async () => {
    const { challenge } = await challenged(world, "challenge", "method_step");
    expect(challenge).toMatchObject({ method: { url: expect.stringMatching(/^https?:/) } });
    expect((await challenged(world, "challenge")).challenge).toMatchObject({ method: undefined });
  });
}

function describeReversals(world: CardConformanceWorld): void {
  it("give an approved charge back once, many times and at once", async () => {
    const order = world.order(newReference(), "approved");
    await world.cards().charge(order);
    const answers = await Promise.all(Array.from({ length: TWINS }, () => world.cards().reverse(order.reference)));
    expect(answers).toEqual(answers.map(() => ({ kind: "reversed", amount: order.amount })));
    expect(await world.cards().charge(order)).toEqual(answers[0]);
    expect(await world.readBooks(order.reference)).toEqual({ arrived: [order.amount], left: [order.amount] });
    await world.waitUntilTold(order.reference, 2);
  });

  it("leave a charge that was not approved as it is", async () => {
    const declined = world.order(newReference(), "insufficient_funds");
    await world.cards().charge(declined);
    expect(await world.cards().reverse(declined.reference)).toEqual({ kind: "declined", reason: "insufficient_funds" });
    const { order } = await challenged(world, "challenge");
    expect((await world.cards().reverse(order.reference)).kind).toBe("challenge");
    expect(await world.readBooks(order.reference)).toEqual({ arrived: [], left: [] });
  });
}
