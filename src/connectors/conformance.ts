import { describe, expect, it } from "vitest";
import type { Connector, PayinState } from "../core/connector.ts";
import type { Minor } from "../core/money.ts";
import { describeReceipts, describeTotals } from "./conformance-money.ts";
import { describeNotifications, describeSilence } from "./conformance-notifications.ts";
import { isNotPending, settled } from "./conformance-ways.ts";
import {
  type ConformanceWorld,
  issuedPayin,
  newReference,
  PAYOUT_ENDS,
  payinStateOf,
  payoutStateOf,
  requisitesOf,
  TROUBLES,
  type Trouble,
  waysOf,
} from "./conformance-world.ts";

export { type ConformanceWorld, newReference, type Trouble } from "./conformance-world.ts";

const TWINS = 10;
const UNKNOWN = { kind: "unknown" };
const NEVER_SEEN = { kind: "never_seen" };
const DONE = { kind: "done" };
const CONFLICT = { kind: "conflict" };

export function describeConformance(name: string, world: ConformanceWorld): void {
  describe(`${name}: requests`, () => describeRequests(world));
  describe(`${name}: trouble on the way is unknown, and a later question gives the truth`, () =>
    describeTrouble(world));
  describe(`${name}: money that arrives`, () =>
    waysOf(world).reports === "receipts" ? describeReceipts(world) : describeTotals(world));
  describe(`${name}: payouts`, () => describePayouts(world));
  const { notifications } = world;
  describe(`${name}: notifications`, () =>
    notifications === undefined ? describeSilence(world.connector) : describeNotifications(notifications));
  describe(`${name}: cards`, () => {
    it("are charged by a connector that is held to the suite of cards, and by no other", () => {
      expect(world.connector().cards !== undefined).toBe(world.chargesCards === true);
    });
  });
}

function describeRequests(world: ConformanceWorld): void {
  it("gives one request and the same requisites for one reference, many times and at once", async () => {
    const { askPayinState } = world.connector();
    const request = world.payin(newReference(), "usual");
    const answers = await Promise.all(Array.from({ length: TWINS }, () => requisitesOf(world, request)));
    expect(answers[0]?.kind).toBe("issued");
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const requisites = answers[0]?.kind === "issued" ? answers[0].requisites : undefined;
    const state = await askPayinState(request.reference);
    const told = "currency" in state ? { currency: request.currency } : {};
    expect(state).toEqual({ kind: "open", requisites, receipts: [], ...told });
    expect(await requisitesOf(world, world.payin(newReference(), "usual"))).not.toEqual(answers[0]);
  });

  it("does not take the same reference for another request, and keeps the first", async () => {
    const { askForRequisites, sendPayout } = world.connector();
    const request = world.payin(newReference(), "usual");
    const first = await requisitesOf(world, request);
    expect(await askForRequisites({ ...request, amount: (request.amount + 100n) as Minor })).toEqual(UNKNOWN);
    expect(await askForRequisites(request)).toEqual(first);
    const payout = world.payout(newReference(), "usual");
    await sendPayout(payout);
    expect(await sendPayout({ ...payout, amount: (payout.amount + 100n) as Minor })).toEqual(CONFLICT);
    expect(await sendPayout(payout)).toEqual({ kind: "pending" });
  });

  it("answers a request that it has with what it did, however long ago and whatever became of it", async () => {
    const { sendPayout, askPayoutState } = world.connector();
    for (const end of PAYOUT_ENDS) {
      const payout = world.payout(newReference(), "usual");
      await sendPayout(payout);
      await world.payoutEnds(payout.reference, end);
      expect((await sendPayout(payout)).kind).toBe(end);
      const { amount, currency } = payout;
      const other = { ...payout, amount: (amount + 100n) as Minor };
      expect(await sendPayout(other)).toEqual(CONFLICT);
      // The answer to a state request names the request.
      expect(await askPayoutState(payout.reference)).toMatchObject({ kind: end, requested: { amount, currency } });
      expect(await world.listLeft(payout.reference)).toEqual(end === "approved" ? [amount] : []);
    }
  });

  it("takes a payout to another receiver for another request", async () => {
    const { sendPayout } = world.connector();
    const payout = world.payout(newReference(), "usual");
    await sendPayout(payout);
    const receiver = { type: "card", pan: "2202208311110010", holder: undefined } as const;
    expect(await sendPayout({ ...payout, receiver })).toEqual(CONFLICT);
  });

  it("says so when there are certainly no requisites", async () => {
    const request = world.payin(newReference(), "no_requisites");
    expect(await requisitesOf(world, request)).toEqual({ kind: "none" });
    expect(await world.connector().askForRequisites(request)).toEqual({ kind: "none" });
    expect(["declined", "never_seen"]).toContain((await world.connector().askPayinState(request.reference)).kind);
  });

  it("confirms and releases as often as it is told to, and nothing to release is released", async () => {
    const { reportConfirm, releaseRequisites, askPayinState } = world.connector();
    const request = await issuedPayin(world);
    for (let time = 0; time < 2; time += 1) {
      const told: { kind: string; state?: PayinState } = await reportConfirm(request.reference);
      expect(told).toMatchObject(DONE);
      if (told.state !== undefined) expect(told.state).toEqual(await askPayinState(request.reference));
    }
    for (let time = 0; time < 2; time += 1) expect(await releaseRequisites(request.reference)).toEqual(DONE);
    expect(await releaseRequisites(newReference())).toEqual(DONE);
    expect(await reportConfirm(newReference())).toEqual(UNKNOWN);
  });
}

function sender(world: ConformanceWorld, trouble: Trouble): Connector {
  return trouble === "timeout" ? world.impatient() : world.connector();
}

function describeTrouble(world: ConformanceWorld): void {
  it.each(TROUBLES)("%s when requisites are asked for", async (trouble) => {
    const request = world.payin(newReference(), "usual");
    await world.trouble(trouble, request.reference);
    expect(await sender(world, trouble).askForRequisites(request)).toEqual(UNKNOWN);
    const state = await payinStateOf(world, request.reference);
    const again = await world.connector().askForRequisites(request);
    expect([state.kind, again.kind]).toEqual(["open", "issued"]);
    expect(state).toMatchObject({ requisites: again.kind === "issued" && again.requisites });
  });

  it.each(TROUBLES)("%s when a payout is sent: sent again under its reference, it leaves once", async (trouble) => {
    const request = world.payout(newReference(), "usual");
    await world.trouble(trouble, request.reference);
    expect(await sender(world, trouble).sendPayout(request)).toEqual(UNKNOWN);
    expect((await world.connector().askPayoutState(request.reference)).kind).toBe("pending");
    expect((await world.connector().sendPayout(request)).kind).toBe("pending");
    await world.payoutEnds(request.reference, "approved");
    expect(await world.connector().sendPayout(request)).toMatchObject({ kind: "approved" });
    expect(await world.listLeft(request.reference)).toEqual([request.amount]);
  });

  it.each(TROUBLES)("%s when a payout is declined: unknown, not declined, until it is asked about", async (trouble) => {
    const request = world.payout(newReference(), "declined");
    await world.trouble(trouble, request.reference);
    expect(await sender(world, trouble).sendPayout(request)).toEqual(UNKNOWN);
    expect((await payoutStateOf(world, request.reference)).kind).toBe("declined");
  });

  it.each(TROUBLES)("%s when a question is asked, a confirm reported, requisites released", async (trouble) => {
    const payin = await issuedPayin(world);
    const payout = world.payout(newReference(), "usual");
    await world.connector().sendPayout(payout);
    const calls: ((connector: Connector) => Promise<{ kind: string }>)[] = [
      (connector) => connector.askPayinState(payin.reference),
      (connector) => connector.reportConfirm(payin.reference),
      (connector) => connector.releaseRequisites(payin.reference),
      (connector) => connector.askPayoutState(payout.reference),
    ];
    for (const call of calls) {
      await world.trouble(trouble, call === calls.at(-1) ? payout.reference : payin.reference);
      expect(await call(sender(world, trouble))).toEqual(UNKNOWN);
    }
    for (const call of calls) expect((await call(world.connector())).kind).not.toBe("unknown");
  });

  it("a request that was not sent, or was lost on the way, was never seen", async () => {
    expect(await world.connector().askPayinState(newReference())).toEqual(NEVER_SEEN);
    expect(await world.connector().askPayoutState(newReference())).toEqual(NEVER_SEEN);
    const payin = world.payin(newReference(), "usual");
    await world.troubleBefore(payin.reference);
    expect(await world.connector().askForRequisites(payin)).toEqual(UNKNOWN);
    expect(await world.connector().askPayinState(payin.reference)).toEqual(NEVER_SEEN);
    const payout = world.payout(newReference(), "usual");
    await world.troubleBefore(payout.reference);
    expect(await world.connector().sendPayout(payout)).toEqual(UNKNOWN);
    expect(await world.connector().askPayoutState(payout.reference)).toEqual(NEVER_SEEN);
  });

  it("a provider that cannot be reached is unknown to every question, and nothing is thrown", async () => {
    const connector = world.unreachable();
    const reference = newReference();
    const answers = await Promise.all([
      connector.askForRequisites(world.payin(reference, "usual")),
      connector.reportConfirm(reference),
      connector.releaseRequisites(reference),
      connector.askPayinState(reference),
      connector.sendPayout(world.payout(reference, "declined")),
      connector.askPayoutState(reference),
    ]);
    expect(answers).toEqual(answers.map(() => UNKNOWN));
  });
}

function describePayouts(world: ConformanceWorld): void {
  it("leave once for one reference, many times and at once", async () => {
    const request = world.payout(newReference(), "usual");
    const answers = await Promise.all(Array.from({ length: TWINS }, () => world.connector().sendPayout(request)));
    expect(answers).toEqual(answers.map(() => ({ kind: "pending" })));
    await world.payoutEnds(request.reference, "approved");
    expect(await world.connector().askPayoutState(request.reference)).toMatchObject({ kind: "approved" });
    expect(await world.listLeft(request.reference)).toEqual([request.amount]);
  });

  it("are declined when they were certainly not sent", async () => {
    const request = world.payout(newReference(), "declined");
    const send = () => world.connector().sendPayout(request);
    expect((await settled(waysOf(world), send, isNotPending)).kind).toBe("declined");
    expect((await world.connector().askPayoutState(request.reference)).kind).toBe("declined");
    expect(await world.listLeft(request.reference)).toEqual([]);
  });

  it.each(PAYOUT_ENDS)("that were accepted can end %s", async (end) => {
    const request = world.payout(newReference(), "usual");
    await world.connector().sendPayout(request);
    await world.payoutEnds(request.reference, end);
    expect((await world.connector().askPayoutState(request.reference)).kind).toBe(end);
  });
}
