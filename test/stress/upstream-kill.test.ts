import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { newReference } from "../../src/connectors/conformance.ts";
import type { UpstreamConnector } from "../../src/connectors/upstream/connector.ts";
import type { ChargeState } from "../../src/core/card-acquirer.ts";
import type { PayinState, PayoutState } from "../../src/core/connector.ts";
import type { Currency } from "../../src/core/currency.ts";
import { groupBy } from "../../src/core/group-by.ts";
import type { Minor } from "../../src/core/money.ts";
import { ASKED_FOR, CUSTOMER } from "../../src/testing/builders/asked-for.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type RunningProgram, startProgram } from "../../src/testing/program/program.ts";
import { useUpstreamGateway } from "../../src/testing/rigs/upstream-gateway.ts";
import { openTestSandbox } from "../../src/testing/service/test-sandbox-control.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/**
 * The gateway behind a connector is killed in the middle of payments and started again. The connector's caller does as our worker
 * does: it repeats what is unknown under the same reference, and asks. The process here only makes the gateway's keys.
 */
// Most of it is waiting for a gateway that starts: a busy machine is no fault.
vi.setConfig({ testTimeout: 300_000 });

const database = useTestDatabase();
const service = useTestService(database, {}, "api");
let running: RunningProgram | undefined;
const start = async (): Promise<void> => {
  running = await startProgram(["start", "--role", "all"], {
    PATH: process.env.PATH ?? "",
    PORT: "0",
    DATABASE_URL: database.url,
    TILLGATE_SANDBOX_DATABASE_URL: database.sandboxUrl,
    TILLGATE_DATA_DIR: service.stateDir,
  });
};
beforeAll(start);
afterAll(() => running?.end("SIGKILL"));
const gateway = useUpstreamGateway(database, service, () => running?.url ?? "http://127.0.0.1:1");

const OF_EACH = 40;
const BEGIN_EVERY_MS = 30;
/** The gateway is killed when so many were begun. */
const KILLED_AT = [OF_EACH, 2 * OF_EACH];
const ASK_EVERY_MS = 200;
const ASKS_MAX = 900;
const TIME_STEP_S = 35;
const TIME_STEP_EVERY_MS = 3_000;
const RUB = "RUB" as Currency;

type Kind = "payin" | "payout" | "charge";
type Request = { readonly kind: Kind; readonly reference: string; readonly amount: Minor };
type End = PayinState | PayoutState | ChargeState;

const AMOUNTS: Readonly<Record<Kind, bigint>> = {
  // Ends with 01: the transfer arrives by itself.
  payin: 250_001n,
  payout: 100_000n,
  charge: 70_000n,
};

function beginOf(connector: UpstreamConnector, { kind, reference, amount }: Request): () => Promise<{ kind: string }> {
  const usual = { reference, amount, projectId: "ours", currency: RUB, expiresAt: new Date(), ...ASKED_FOR } as const;
  if (kind === "payin") {
    return () => connector.askForRequisites({ ...usual, method: "card-p2p", bank: undefined });
  }
  if (kind === "payout") {
    const receiver = { type: "card", pan: "4242424242424242", holder: undefined } as const;
    return () => connector.sendPayout({ ...usual, ...CUSTOMER, method: "card-p2p", receiver });
  }
  const card = { pan: "4242424242424242", cvv: "123", holder: "IVAN IVANOV", expiryMonth: 12, expiryYear: 2040 };
  const page = { merchantName: undefined, returnUrl: "http://127.0.0.1:1/", browser: undefined };
  return () => connector.cards.charge({ ...usual, ...page, card });
}

function askOf(connector: UpstreamConnector, { kind, reference }: Request): () => Promise<End> {
  if (kind === "payin") return () => connector.askPayinState(reference);
  if (kind === "payout") return () => connector.askPayoutState(reference);
  return () => connector.cards.askChargeState(reference);
}

function isOver(end: End): boolean {
  if (end.kind === "open") return end.fee !== undefined;
  return end.kind === "approved" || end.kind === "declined";
}

let unanswered = 0;

/** Until it is over: what the gateway has never seen, or has not answered, is sent again under its reference. */
async function carryOut(connector: UpstreamConnector, request: Request): Promise<End> {
  const [begin, ask] = [beginOf(connector, request), askOf(connector, request)];
  let isTaken = (await begin()).kind !== "unknown";
  for (let asks = 0; asks < ASKS_MAX; asks += 1) {
    await sleep(ASK_EVERY_MS);
    const state = await ask();
    if (isOver(state)) return state;
    if (state.kind === "unknown") unanswered += 1;
    else if (state.kind !== "never_seen") isTaken = true;
    // What was taken is never forgotten.
    if (isTaken) expect(state.kind).not.toBe("never_seen");
    if (!isTaken && state.kind === "never_seen") isTaken = (await begin()).kind !== "unknown";
  }
  throw new Error(`a ${request.kind} never ended`);
}

/** It is taken over when its leases end; the test does not wait a minute for it. */
async function killAndStart(): Promise<void> {
  await running?.end("SIGKILL");
  await database.db.run({ text: "update payments set lease_until = now() where lease_until > now()" });
  await start();
}

/** A card that died with the gateway is asked for half a minute later. */
async function movingTime(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await Promise.race([done, sleep(TIME_STEP_EVERY_MS)]);
    const sandbox = await openTestSandbox(database.db, service);
    await sandbox.passTime(gateway.client().projectId, TIME_STEP_S);
    await sandbox.close();
  }
  await done;
}

/** What the gateway's own provider moved, by its references. */
async function listMoved(): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const sandbox = await openTestSandbox(database.db, service);
  const page = await sandbox.listEntries({ projectId: gateway.client().projectId, limit: 1_000 });
  await sandbox.close();
  expect(page?.next).toBeNull();
  return groupBy(page?.entries ?? [], ({ reference }) => reference);
}

it("pays everything once, and says so, though the gateway is killed twice on the way", async () => {
  const connector = gateway.connect({ settings: { timeoutMs: 5_000 } });
  const before = (await connector.books.readBalances())?.find(({ currency }) => currency === RUB)?.amount ?? 0n;
  const kinds: readonly Kind[] = ["payin", "payout", "charge"];
  const requests = Array.from({ length: OF_EACH }, () => kinds).flatMap((each) =>
    each.map((kind): Request => ({ kind, reference: newReference(), amount: AMOUNTS[kind] as Minor })),
  );
  const ends: Promise<readonly [Request, End]>[] = [];
  let kills: Promise<void> = Promise.resolve();
  for (const request of requests) {
    ends.push(carryOut(connector, request).then((end) => [request, end] as const));
    if (KILLED_AT.includes(ends.length)) kills = kills.then(killAndStart);
    await sleep(BEGIN_EVERY_MS);
  }
  await kills;
  await movingTime(Promise.all(ends));

  // It was killed in the middle of things.
  expect(unanswered).toBeGreaterThan(0);
  const entries = await listMoved();
  let balance = before;
  for (const [{ kind, reference, amount }, end] of await Promise.all(ends)) {
    const moved = entries.get(gateway.sandboxReference(kind === "payout" ? "payout" : "payin", reference)) ?? [];
    const isMoved = end.kind !== "declined";
    // A card that died with the gateway before it was sent is declined; nothing else is.
    if (kind !== "charge") expect([kind, isMoved]).toEqual([kind, true]);
    expect([kind, end.kind, moved.length]).toEqual([kind, end.kind, isMoved ? 1 : 0]);
    const fee = "fee" in end ? (end.fee ?? 0n) : 0n;
    if (isMoved) balance += kind === "payout" ? -(amount + fee) : amount - fee;
  }
  const after = (await connector.books.readBalances())?.find(({ currency }) => currency === RUB);
  expect(after).toMatchObject({ amount: balance, lockedAmount: 0n });
});
