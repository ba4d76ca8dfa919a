import { expect, it } from "vitest";
import type { PayinState, ReportedMoney } from "../core/connector.ts";
import type { Minor } from "../core/money.ts";
import { type ConformanceWorld, issuedPayin, waysOf } from "./conformance-world.ts";

export function describeReceipts(world: ConformanceWorld): void {
  it("are named once and for all, each of its own name, whatever the amount", async () => {
    const { askPayinState } = world.connector();
    const request = await issuedPayin(world);
    await world.moneyArrives(request.reference, 1n as Minor);
    const early = receiptsOf(await askPayinState(request.reference));
    await world.moneyArrives(request.reference, request.amount);
    const late = receiptsOf(await askPayinState(request.reference));
    expect(late.map(({ amount }) => amount)).toEqual([1n, request.amount]);
    expect(late.slice(0, 1)).toEqual(early);
    expect(new Set(late.map(({ receiptReference }) => receiptReference)).size).toBe(2);
    expect(receiptsOf(await askPayinState(request.reference))).toEqual(late);
  });

  it.runIf(waysOf(world).tellsAfterEnd)("are told of after a release and after a decline too", async () => {
    const { askPayinState, releaseRequisites } = world.connector();
    const released = await issuedPayin(world);
    const declined = await issuedPayin(world);
    await releaseRequisites(released.reference);
    await world.payinIsDeclined(declined.reference);
    for (const { reference } of [released, declined]) {
      await world.moneyArrives(reference, 7n as Minor);
      expect(receiptsOf(await askPayinState(reference)).map(({ amount }) => amount)).toEqual([7n]);
    }
    expect((await askPayinState(declined.reference)).kind).toBe("declined");
  });
}

function receiptsOf(state: PayinState): ReportedMoney["receipts"] {
  return state.kind === "open" || state.kind === "declined" ? state.receipts : [];
}

/** For a provider that names no pieces of money: what it says arrived is the sum of what did, whenever it is asked. */
export function describeTotals(world: ConformanceWorld): void {
  it("is told as one sum, which grows by what comes and names no piece", async () => {
    const request = await issuedPayin(world);
    await world.moneyArrives(request.reference, 1n as Minor);
    expect(await totalOf(world, request.reference)).toBe(1n);
    await world.moneyArrives(request.reference, request.amount);
    for (let time = 0; time < 2; time += 1) {
      expect(await totalOf(world, request.reference)).toBe(request.amount + 1n);
    }
    expect(receiptsOf(await world.connector().askPayinState(request.reference))).toEqual([]);
  });

  it("is told with what the provider keeps of it, once it is the sum that was asked for", async () => {
    const request = await issuedPayin(world);
    await world.moneyArrives(request.reference, request.amount);
    const state = await world.connector().askPayinState(request.reference);
    expect(state).toMatchObject({ kind: "open", total: { amount: request.amount }, fee: expect.any(BigInt) });
  });

  it.runIf(!waysOf(world).tellsAfterEnd)("is not ours after a release, and not after a decline", async () => {
    const { askPayinState, releaseRequisites } = world.connector();
    const released = await issuedPayin(world);
    const declined = await issuedPayin(world);
    await releaseRequisites(released.reference);
    await world.payinIsDeclined(declined.reference);
    for (const { reference } of [released, declined]) {
      await world.moneyArrives(reference, 7n as Minor);
      expect(await askPayinState(reference)).toMatchObject({ kind: "declined", total: { amount: 0n } });
    }
  });
}

async function totalOf(world: ConformanceWorld, reference: string): Promise<bigint | undefined> {
  const state = await world.connector().askPayinState(reference);
  return state.kind === "open" || state.kind === "declined" ? state.total?.amount : undefined;
}
