import { expect, it } from "vitest";
import { declinePayment, settlePayment } from "../app/payments/settle-payment.ts";
import type { CardAcquirer, ChargeState } from "../core/card-acquirer.ts";
import { movePayments } from "../store/payments/move-clock.ts";
import type { PaymentKey } from "../store/payments/payments.ts";
import { aCardPayin, charged } from "../testing/builders/payments.ts";
import { minor } from "../testing/builders/projects.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { aFakeProvider, NEVER_SEEN, PENDING, UNKNOWN } from "../testing/rigs/fake-provider.ts";
import { readAttention } from "../testing/rigs/with-pool.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";

/** What an acquirer says of a charge after an operator ended its payment. `core/payments/after-end.ts` has the table. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const { errors, find, sumOf } = rig;

type End = "settled" | "declined";

let referenceCount = 0;

/** A charge of which nothing was heard for a day, ended by an operator, with a worker that asks about it. */
async function endedCard(end: End) {
  const given: { state: ChargeState; reverse: ChargeState } = { state: UNKNOWN, reverse: UNKNOWN };
  const asked: string[] = [];
  const cards: CardAcquirer = {
    needsHolder: false,
    charge: () => Promise.reject(new Error("the worker has no card to send")),
    passAuthentication: () => Promise.reject(new Error("the worker has no result to pass")),
    askChargeState: async (reference) => {
      asked.push(reference);
      return given.state;
    },
    reverse: async () => given.reverse,
  };
  const key = await aCardPayin(db, [{ kind: "timed_out" }]);
  referenceCount += 1;
  const command = {
    requestId: key.requestId,
    reference: `case-${referenceCount}`,
    reason: "the bank says so",
    actor: "olga",
  };
  const ended = end === "settled" ? await settlePayment(db, command) : await declinePayment(db, command);
  expect(ended).toMatchObject({ ok: true });
  rig.startWorker({ findConnector: () => ({ ...aFakeProvider("sandbox"), cards }) });
  return { key, given, asked };
}

/** Lets a day pass, and waits until the worker has nothing more to do. */
async function passDay(key: PaymentKey) {
  await movePayments(db, key.projectId, 86_401);
  await expect
    .poll(
      () =>
        db.run({
          text: "select from payments where request_id = $1 and (due_at <= now() or lease_until is not null)",
          values: [key.requestId],
        }),
      { timeout: 60_000, interval: 5 },
    )
    .toEqual([]);
  return find(key);
}

async function countContradicted() {
  return (await readAttention(db)).contradicted.reduce((sum, pile) => sum + pile.count, 0);
}

const approved = (amount: number) => ({ kind: "approved", amount: minor(amount) }) as const;
const REVERSED = { kind: "reversed", amount: minor(1000) } as const;
const DECLINED = { kind: "declined", reason: "card_declined" } as const;
const REDIRECT = { kind: "redirect", url: "https://acquirer.example/" } as const;

it.each<[ChargeState, boolean]>([
  [approved(1000), false],
  [approved(900), true],
  [DECLINED, true],
  [NEVER_SEEN, true],
  [REVERSED, true],
])("settled, and the acquirer says %o: an alert %s", async (word, isAlert) => {
  const before = await countContradicted();
  const { key, given } = await endedCard("settled");
  given.state = word;
  // Twice: "never seen" is believed once the acquirer had nothing else to say for a while. And said again it is no news.
  for (let day = 0; day < 3; day += 1)
    expect(await passDay(key)).toMatchObject({ state: "success", receivedAmount: 1000n });
  expect((await countContradicted()) - before).toBe(isAlert ? 1 : 0);
  expect(errors.splice(0)).toHaveLength(isAlert ? 1 : 0);
  expect(await sumOf(key, "suspense")).toBe(0n);
});

it("declined, and the acquirer charged it: it stands in suspense, and goes back to the payer", async () => {
  const { key, given } = await endedCard("declined");
  given.state = approved(1000);
  expect(await passDay(key)).toMatchObject({ state: "decline", receivedAmount: 1000n, releasedAt: null });
  expect(await sumOf(key, "suspense")).toBe(1000n);
  given.reverse = REVERSED;
  expect(await passDay(key)).toMatchObject({ releasedAt: expect.any(Date) });
  expect(await sumOf(key, "suspense")).toBe(0n);
});

it.each<[ChargeState]>([[DECLINED], [NEVER_SEEN], [REVERSED]])(
  "declined, and the acquirer says %o: it agrees",
  async (word) => {
    const before = await countContradicted();
    const { key, given } = await endedCard("declined");
    given.state = word;
    for (let day = 0; day < 3; day += 1) expect(await passDay(key)).toMatchObject({ state: "decline" });
    expect(await countContradicted()).toBe(before);
    expect(await sumOf(key, "suspense")).toBe(0n);
  },
);

it.each<[End, ChargeState]>(
  (["settled", "declined"] as const).flatMap((end) =>
    ([PENDING, UNKNOWN, REDIRECT] as const).map((word) => [end, word] as [End, ChargeState]),
  ),
)("%s is asked about while the acquirer says %o, for as long as it does", async (end, word) => {
  const { key, given, asked } = await endedCard(end);
  await db.run({
    text: "update payments set finished_at = now() - interval '9 days' where request_id = $1",
    values: [key.requestId],
  });
  given.state = word;
  await passDay(key);
  const before = asked.length;
  for (let day = 0; day < 2; day += 1) await passDay(key);
  expect(asked.length).toBe(before + 2);
});

it("a charge that was counted and that the acquirer gave back is an alert, once, and stays a success", async () => {
  const before = await countContradicted();
  const key = await aCardPayin(db, [charged(1000)]);
  const cards = { askChargeState: async () => REVERSED } as unknown as CardAcquirer;
  rig.startWorker({ findConnector: () => ({ ...aFakeProvider("sandbox"), cards }) });
  for (let day = 0; day < 2; day += 1)
    expect(await passDay(key)).toMatchObject({ state: "success", contradictedAt: expect.any(Date) });
  expect((await countContradicted()) - before).toBe(1);
  expect(errors.splice(0)).toHaveLength(1);
});
