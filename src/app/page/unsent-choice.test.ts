import { expect, it, vi } from "vitest";
import type { CardAcquirer } from "../../core/card-acquirer.ts";
import { newId } from "../../platform/new-id.ts";
import { claimDuePayments, finishLooks, hintByReference } from "../../store/payments/claims.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { aNewPayin } from "../../testing/builders/new-payments.ts";
import { referenceOf } from "../../testing/builders/payments.ts";
import { aProject, minor, testKeyring } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { aFakeProvider } from "../../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../../testing/rigs/worker-rig.ts";
import { cardRowOf, newPageToken } from "../cards/card-secrets.ts";
import { openApplyPayments } from "../payments/apply-payments.ts";
import { openCreatePayments } from "../payments/create-payments.ts";
import { finishedLook } from "../payments/finish-look.ts";

/** A second card that is chosen and is about to be sent: a look that comes in between leaves it alone. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const apply = openApplyPayments(db);
const SOON = { timeout: 60_000, interval: 5 };

/** A page whose payer's first card was declined by the acquirer. */
async function aDeclinedCard(): Promise<PaymentKey> {
  const { projectId } = await aProject(db);
  const requestId = newId();
  const page = { projectId, requestId, token: Buffer.from("sealed"), tokenHash: Buffer.from(newId()) };
  const terms = { product: "widget", method: null, rates: null, lifetimeS: 600 } as const;
  const created = await openCreatePayments(db).widgetPayin({ ...aNewPayin(projectId, { ...terms, requestId }), page });
  expect(created).toMatchObject({ ok: true });
  const key = { projectId, requestId };
  await chooseCard(key);
  await send(key, 1);
  const declined = { kind: "declined", reason: "card_declined" } as const;
  expect(await apply({ ...key, actor: "provider", ofChoice: 1, card: declined })).toMatchObject({
    value: { state: "processing:new", method: null, choiceCount: 1 },
  });
  return key;
}

async function chooseCard(key: PaymentKey): Promise<void> {
  const card = cardRowOf(testKeyring(), key, "4242424242424242", newPageToken());
  const rates = { basisPoints: 300, fixed: minor(0) };
  const choice = { method: "card-ecom", rates, lifetimeS: 600, bank: undefined, card } as const;
  expect(await apply({ ...key, actor: "payer", payin: { kind: "card_chosen" }, choice })).toMatchObject({ ok: true });
}

function send(key: PaymentKey, ofChoice: number) {
  return apply({ ...key, ofChoice, actor: "api", card: { kind: "sent" }, nextProvider: "sandbox" });
}

async function dueInS({ requestId }: PaymentKey): Promise<number> {
  const [row] = await db.run<{ seconds: number }>({
    text: "select extract(epoch from due_at - now())::float8 as seconds from payments where request_id = $1",
    values: [requestId],
  });
  return row?.seconds ?? Number.NaN;
}

it("news of the first card do not end the second one before it is sent", async () => {
  const key = await aDeclinedCard();
  const reference = await referenceOf(db, key);
  await chooseCard(key);
  const asked = vi.fn(async () => ({ kind: "declined", reason: "card_declined" }) as const);
  const cards = { needsHolder: false, askChargeState: asked } as unknown as CardAcquirer;
  rig.startWorker({ findConnector: () => ({ ...aFakeProvider("sandbox"), cards }) });
  await hintByReference(db, [{ provider: "sandbox", reference }]);
  await vi.waitFor(async () => {
    const rows = await db.run({
      text: "select from payments where request_id = $1 and (due_at <= now() or lease_until is not null)",
      values: [key.requestId],
    });
    expect(rows).toEqual([]);
  }, SOON);
  expect(await rig.find(key)).toMatchObject({ method: "card-ecom", choiceCount: 2 });
  expect(await send(key, 2)).toMatchObject({ ok: true, value: { attemptCount: 2 } });
});

it("a look that began while the payer was choosing does not put off the look at the card", async () => {
  const key = await aDeclinedCard();
  await hintByReference(db, [{ provider: "sandbox", reference: await referenceOf(db, key) }]);
  const claimed = (await claimDuePayments(db, { countMax: 100, leaseS: 60 })).find(
    ({ requestId }) => requestId === key.requestId,
  );
  if (claimed === undefined) throw new Error("the payment was not due");
  await chooseCard(key);
  await send(key, 2);
  await finishLooks(db, [finishedLook({ payment: claimed }, claimed.leaseUntil, claimed.now)]);
  expect(await dueInS(key)).toBeLessThan(31);
});
