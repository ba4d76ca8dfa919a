import { expect, it, vi } from "vitest";
import type { ThreeDsChallenge } from "../../core/card-acquirer.ts";
import type { Currency } from "../../core/currency.ts";
import { hintByReference } from "../../store/payments/claims.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { aNewPayin, BY_CARD, WITH_CALLBACKS } from "../../testing/builders/new-payments.ts";
import { referenceOf } from "../../testing/builders/payments.ts";
import { aProject } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { aFakeAcquirer } from "../../testing/rigs/fake-acquirer.ts";
import { aFakeProvider } from "../../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../../testing/rigs/worker-rig.ts";
import { loadDirectory } from "../merchants/directory.ts";
import { openCreatePayments } from "../payments/create-payments.ts";
import { openCardDesk } from "./charge-card.ts";

/** An acquirer that takes a charge and decides later, as another gateway does: the payer waits for the issuer's challenge. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const SOON = { timeout: 60_000, interval: 5 };
const CARD = { pan: "4242424242424242", cvv: "987", holder: "OLGA", expiryMonth: 12, expiryYear: 2041 };
const CHALLENGE: ThreeDsChallenge = {
  version: "2.2.0",
  acsUrl: "https://acs.example",
  creq: "creq",
  sessionData: "session",
  method: undefined,
};

/** A card that was sent, and whose acquirer answered that it has not decided. */
async function pending() {
  const { projectId } = await aProject(db);
  const payin = aNewPayin(projectId, { ...BY_CARD, ...WITH_CALLBACKS });
  const key: PaymentKey = { projectId, requestId: payin.requestId };
  await openCreatePayments(db).payin(payin);
  const cards = aFakeAcquirer({});
  const findConnector = () => ({ ...aFakeProvider("sandbox"), cards });
  const { keyring, log } = rig.deps;
  const directory = await loadDirectory(db, keyring, log, undefined);
  const desk = openCardDesk({
    ...{ ...rig.deps, nowMs: Date.now, publicUrl: () => "http://127.0.0.1", findConnector },
    currentDirectory: () => directory,
  });
  desk.charge({ ...key, card: CARD, browser: undefined, pageToken: "token" });
  await desk.drain();
  expect(await rig.find(key)).toMatchObject({ state: "processing:new", provider: "sandbox" });
  return { key, cards, findConnector };
}

/** Seconds until the worker looks again, and how often it has looked. */
async function nextLookOf({ requestId }: PaymentKey): Promise<{ readonly s: number; readonly tries: number }> {
  const [row] = await db.run<{ s: number; tries: number }>({
    text: "select extract(epoch from due_at - now())::float8 as s, tries from payments where request_id = $1",
    values: [requestId],
  });
  return row ?? { s: Number.NaN, tries: 0 };
}

it("is asked again within a second, and then ever less often", async () => {
  const { key, findConnector } = await pending();
  expect((await nextLookOf(key)).s).toBeLessThanOrEqual(1);
  rig.startWorker({ findConnector });
  for (const [tries, waitS] of [1, 2, 3, 5].entries()) {
    await db.run({ text: "update payments set due_at = now() where request_id = $1", values: [key.requestId] });
    await db.run({ text: "select pg_notify('tillgate_due', '')" });
    await vi.waitFor(async () => expect((await nextLookOf(key)).tries).toBe(tries + 1), SOON);
    const { s } = await nextLookOf(key);
    expect(s).toBeLessThanOrEqual(waitS);
  }
});

it("has its challenge from the worker's look, and the merchant has its callback", async () => {
  const { key, cards, findConnector } = await pending();
  cards.answers.state = () => ({ kind: "challenge", challenge: CHALLENGE });
  rig.startWorker({ findConnector });
  await vi.waitFor(
    async () => expect(await rig.find(key)).toMatchObject({ state: "processing:awaiting_3ds_result" }),
    SOON,
  );
  const callbacks = await db.run<{ sequence: number; status: string }>({
    text: `select sequence, body #>> '{status,sub_status}' as status from callbacks
            where request_id = $1 order by sequence`,
    values: [key.requestId],
  });
  expect(callbacks.map(({ status }) => status)).toContain("awaiting_3ds_result");
});

it("is asked at once when its acquirer has news", async () => {
  const { key, cards, findConnector } = await pending();
  await db.run({
    text: "update payments set due_at = now() + interval '1 hour' where request_id = $1",
    values: [key.requestId],
  });
  rig.startWorker({ findConnector });
  cards.answers.state = () => ({ kind: "redirect", url: "https://gate.example/pay" });
  await hintByReference(db, [{ provider: "sandbox", reference: await referenceOf(db, key) }]);
  await vi.waitFor(
    async () => expect(await rig.find(key)).toMatchObject({ state: "processing:awaiting_redirect_result" }),
    SOON,
  );
});

it("is not charged by what its acquirer says of a charge in another currency", async () => {
  const { key, cards, findConnector } = await pending();
  const amount = (await rig.find(key)).requestedAmount;
  cards.answers.state = () => ({ kind: "approved", amount, currency: "KZT" as Currency, fee: amount });
  rig.startWorker({ findConnector });
  await vi.waitFor(() => expect(rig.errors).not.toEqual([]), SOON);
  expect(rig.errors.splice(0)).toEqual([expect.stringContaining("in another currency")]);
  expect(await rig.find(key)).toMatchObject({ state: "processing:new", receivedAmount: 0n });
  expect(await rig.sumOf(key, "clearing:sandbox")).toBe(0n);
});
