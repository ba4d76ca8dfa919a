import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { newReference } from "../connectors/conformance.ts";
import { openSandboxConnector, type SandboxConnector } from "../connectors/sandbox/connector.ts";
import { openSandboxControl, type SandboxControl } from "../connectors/sandbox/control.ts";
import type { PayinRequest, PayoutRequest } from "../core/connector.ts";
import type { Currency } from "../core/currency.ts";
import type { Minor } from "../core/money.ts";
import { ASKED_FOR, CUSTOMER } from "../testing/builders/asked-for.ts";
import { useTestSandbox } from "./test-sandbox.ts";

const sandbox = useTestSandbox(inject("postgres"));
let connector: SandboxConnector;
let control: SandboxControl;
beforeAll(() => {
  const options = { baseUrl: sandbox.url(), secret: sandbox.secret, timeoutMs: 10_000 };
  connector = openSandboxConnector(options);
  control = openSandboxControl(options);
});
afterAll(() => Promise.all([connector.close(), control.close()]));

const RUB = "RUB" as Currency;
const LIFETIME_S = 900;

/** Every test has a project, so a clock, of its own. */
function payinOf(amount: bigint): PayinRequest {
  const reference = newReference();
  const expiresAt = new Date(Date.now() + LIFETIME_S * 1000);
  const request = { method: "card-p2p", amount: amount as Minor, currency: RUB, bank: undefined } as const;
  return { ...request, reference, projectId: `p${reference.slice(1)}`, expiresAt, ...ASKED_FOR };
}

function payoutOf(amount: bigint): PayoutRequest {
  const reference = newReference();
  const receiver = { type: "card", pan: "4242424242424242", holder: undefined } as const;
  const request = { method: "card-p2p", amount: amount as Minor, currency: RUB, receiver, ...CUSTOMER } as const;
  return { ...request, reference, projectId: `p${reference.slice(1)}` };
}

async function arrived({ reference }: PayinRequest): Promise<bigint[]> {
  const state = await connector.askPayinState(reference);
  if (state.kind !== "open") throw new Error(state.kind);
  return state.receipts.map(({ amount }) => amount);
}

/** How long before its time money is looked for and not found: more than a busy machine takes to look. */
const SLACK_S = 30;

/** Moves the clock to some time before that many seconds, when nothing may have arrived yet, then beyond. */
async function arrivesAfter(request: PayinRequest, seconds: number, amounts: readonly bigint[]): Promise<void> {
  if (seconds > SLACK_S) {
    await control.moveClock(request.projectId, seconds - SLACK_S);
    expect(await arrived(request)).toEqual([]);
  }
  await control.moveClock(request.projectId, Math.min(seconds, SLACK_S) + 1);
  expect(await arrived(request)).toEqual(amounts);
}

describe("pay-ins", () => {
  it("arrive 2 s after the confirm, once, however often it is confirmed", async () => {
    const request = payinOf(1_000_00n);
    await connector.askForRequisites(request);
    await control.moveClock(request.projectId, 10_000);
    expect(await arrived(request)).toEqual([]);
    await connector.reportConfirm(request.reference);
    await control.moveClock(request.projectId, 3);
    await connector.reportConfirm(request.reference);
    await control.moveClock(request.projectId, 3);
    expect(await arrived(request)).toEqual([1_000_00n]);
  });

  it("arrive by themselves, with real time too", async () => {
    const request = payinOf(1_000_01n);
    await connector.askForRequisites(request);
    await expect.poll(() => arrived(request), { timeout: 60_000, interval: 50 }).toEqual([1_000_01n]);
  });

  it("01: arrive 2 s after the requisites, without a confirm", async () => {
    const request = payinOf(1_000_01n);
    await connector.askForRequisites(request);
    await arrivesAfter(request, 2, [1_000_01n]);
  });

  it("02: never arrive", async () => {
    const request = payinOf(1_000_02n);
    await connector.askForRequisites(request);
    await connector.reportConfirm(request.reference);
    await connector.releaseRequisites(request.reference);
    await control.moveClock(request.projectId, 1_000_000);
    expect(await arrived(request)).toEqual([]);
  });

  it("03: arrive 2 s after the confirm with 100 more", async () => {
    const request = payinOf(1_000_03n);
    await connector.askForRequisites(request);
    await connector.reportConfirm(request.reference);
    await arrivesAfter(request, 2, [1_001_03n]);
  });

  it("04: arrive 60 s after the expiry, and the clock moves both", async () => {
    const request = payinOf(1_000_04n);
    await connector.askForRequisites(request);
    await control.moveClock(request.projectId, 400);
    await arrivesAfter(request, LIFETIME_S - 400 + 60, [1_000_04n]);
  });

  it("05: have no requisites", async () => {
    expect(await connector.askForRequisites(payinOf(1_000_05n))).toEqual({ kind: "none" });
  });

  it("06: arrive 5 s after the release, and not before", async () => {
    const request = payinOf(1_000_06n);
    await connector.askForRequisites(request);
    await connector.reportConfirm(request.reference);
    await control.moveClock(request.projectId, 10_000);
    expect(await arrived(request)).toEqual([]);
    await connector.releaseRequisites(request.reference);
    await arrivesAfter(request, 5, [1_000_06n]);
    await connector.releaseRequisites(request.reference);
    await control.moveClock(request.projectId, 10);
    expect(await arrived(request)).toHaveLength(1);
  });

  it("are not moved by the clock of another project", async () => {
    const [one, other] = [payinOf(1_000_04n), payinOf(1_000_04n)];
    await Promise.all([connector.askForRequisites(one), connector.askForRequisites(other)]);
    await control.moveClock(other.projectId, 2_000);
    expect([await arrived(one), await arrived(other)]).toEqual([[], [1_000_04n]]);
  });

  it("may be requested again after the clock was moved, with the new expiry", async () => {
    const request = payinOf(1_000_00n);
    const first = await connector.askForRequisites(request);
    await control.moveClock(request.projectId, 100);
    const moved = { ...request, expiresAt: new Date(request.expiresAt.getTime() - 100_000) };
    expect(await connector.askForRequisites(moved)).toEqual(first);
  });
});

describe("payouts", () => {
  it("are paid after 2 s", async () => {
    const request = payoutOf(500_00n);
    expect(await connector.sendPayout(request)).toEqual({ kind: "pending" });
    await control.moveClock(request.projectId, 3);
    expect(await connector.askPayoutState(request.reference)).toMatchObject({ kind: "approved" });
  });

  it("01: are declined by the bank", async () => {
    expect(await connector.sendPayout(payoutOf(500_01n))).toEqual({ kind: "declined", reason: "other" });
  });

  it("02: are accepted, then fail; nothing left", async () => {
    const request = payoutOf(500_02n);
    expect(await connector.sendPayout(request)).toEqual({ kind: "pending" });
    await control.moveClock(request.projectId, 3);
    expect(await connector.askPayoutState(request.reference)).toMatchObject({ kind: "may_have_left" });
    expect(await control.readBooks(request.projectId)).toEqual({ arrived: [], left: [] });
  });

  it("03: never answer", async () => {
    const request = payoutOf(500_03n);
    await connector.sendPayout(request);
    await control.moveClock(request.projectId, 1_000_000);
    expect(await connector.askPayoutState(request.reference)).toMatchObject({ kind: "pending" });
  });
});
