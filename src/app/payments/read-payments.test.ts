import { describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import type { PaymentFilter } from "../../store/payments/read-payments.ts";
import { aPayin, aPayout, CONFIRMED, ISSUED, receive, referenceOf } from "../../testing/builders/payments.ts";
import { aProject } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { readPaymentTrails } from "../../testing/rigs/with-pool.ts";
import { readPaymentPage } from "./read-payments.ts";

const { db } = useTestDatabase();

async function idsOf(filter: Partial<PaymentFilter>): Promise<Id[]> {
  const page = await readPaymentPage(db, { order: "newest", limit: 50, ...filter });
  return page.map(({ requestId }) => requestId);
}

describe("a list of payments", () => {
  it("goes over all projects in the order of creation, page by page", async () => {
    const one = await aProject(db);
    const other = await aProject(db);
    const ids: Id[] = [];
    for (let turn = 0; turn < 7; turn += 1) {
      ids.push((await aPayin(db, [], turn % 2 === 0 ? one : other)).requestId);
    }
    // Two of one millisecond are in the order of chance.
    ids.sort();
    expect((await idsOf({})).slice(0, 7)).toEqual(ids.toReversed());
    expect(await idsOf({ order: "oldest" })).toEqual((await idsOf({})).toReversed());
    const pages: Id[][] = [];
    for (let after: Id | undefined; pages.length < 3; after = pages.at(-1)?.at(-1)) {
      pages.push(await idsOf({ limit: 3, after }));
    }
    expect(pages.flat().slice(0, 7)).toEqual(ids.toReversed());
    expect(await idsOf({ order: "oldest", after: ids[4] })).toEqual(ids.slice(5));
  });

  it("is narrowed by every filter", async () => {
    const { projectId } = await aProject(db);
    const paid = (await aPayin(db, CONFIRMED, { projectId, paymentId: "ord-1" })).requestId;
    const disputed = await aPayin(db, ISSUED, { projectId, paymentId: "ord-2" });
    await receive(db, disputed, 5);
    const payout = (await aPayout(db, ["claimed"], { projectId, paymentId: "ord-1" })).requestId;
    const ended = (await aPayout(db, ["claimed", "approved"], { projectId })).requestId;
    const only = (filter: Partial<PaymentFilter>) => idsOf({ projectId, ...filter });
    expect(await only({})).toEqual([ended, payout, disputed.requestId, paid]);
    expect(await only({ direction: "payout" })).toEqual([ended, payout]);
    expect(await only({ state: "processing:paid" })).toEqual([paid]);
    expect(await only({ status: "processing" })).toEqual([payout, paid]);
    expect(await only({ status: "dispute" })).toEqual([disputed.requestId]);
    expect(await only({ paymentId: "ord-1" })).toEqual([payout, paid]);
    expect(await only({ openOnly: true, direction: "payout" })).toEqual([payout]);
    const inAnHour = new Date(Date.now() + 3_600_000);
    expect(await only({ since: inAnHour })).toEqual([]);
    expect(await only({ until: inAnHour, limit: 1 })).toEqual([ended]);
  });
});

describe("all that is known of a payment", () => {
  it("is there, and nothing that is sealed", async () => {
    const key = await aPayout(db, ["claimed", "may_have_left"], { paymentId: "po-1" });
    const [trail] = await readPaymentTrails(db, { requestId: key.requestId });
    expect(trail?.payment).toMatchObject({ ...key, state: "dispute:payout_failed", provider: "sandbox" });
    expect(trail?.attempts).toMatchObject([{ number: 1, provider: "sandbox", reference: await referenceOf(db, key) }]);
    expect(trail?.transfers).toMatchObject([{ from: "available", to: "locked", amount: 1025n }]);
    expect(trail?.callbacks.map(({ sequence, state }) => [sequence, state])).toEqual([
      [2, "pending"],
      [3, "pending"],
    ]);
    expect(trail?.history.map(({ event }) => event)).toEqual(["created", "claimed", "may_have_left"]);
    const text = JSON.stringify(trail, (_name, value) => (typeof value === "bigint" ? String(value) : value));
    expect(text).not.toContain(JSON.stringify(Buffer.from("sealed")));
    for (const name of ["receiver", "requisites", "request"]) expect(trail?.payment).not.toHaveProperty(name);
  });

  it("tells of money that arrived and stands in suspense", async () => {
    const key = await aPayin(db, ISSUED);
    await receive(db, key, 400, "t-1");
    const [trail] = await readPaymentTrails(db, { requestId: key.requestId });
    expect(trail).toMatchObject({ suspense: 400n, receipts: [{ receiptReference: "t-1", amount: 400n }] });
  });

  it("is found by the merchant's name, which a pay-in and a payout may share", async () => {
    const payin = await aPayin(db, [], { paymentId: "both" });
    const payout = await aPayout(db, [], { paymentId: "both", projectId: payin.projectId });
    const named = { projectId: payin.projectId, paymentId: "both" };
    expect(await readPaymentTrails(db, { ...named, direction: undefined })).toHaveLength(2);
    const [found] = await readPaymentTrails(db, { ...named, direction: "payout" });
    expect(found?.payment.requestId).toBe(payout.requestId);
    const { projectId } = await aProject(db);
    expect(await readPaymentTrails(db, { ...named, projectId, direction: undefined })).toEqual([]);
    expect(await readPaymentTrails(db, { requestId: "0".repeat(32) as Id })).toEqual([]);
  });
});
