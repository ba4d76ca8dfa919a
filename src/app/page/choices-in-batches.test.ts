import { beforeAll, expect, it } from "vitest";
import { newId } from "../../platform/new-id.ts";
import { findPayment, type PaymentKey } from "../../store/payments/payments.ts";
import { aNewPayin } from "../../testing/builders/new-payments.ts";
import { oldPayments } from "../../testing/builders/old-payments.ts";
import { aPayin } from "../../testing/builders/payments.ts";
import { aProject, minor, testKeyring } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { cardRowOf, newPageToken } from "../cards/card-secrets.ts";
import { openApplyPayments } from "../payments/apply-payments.ts";
import { openCreatePayments } from "../payments/create-payments.ts";
import type { PayerChoice } from "../payments/payment-event.ts";

/** Several things that happen to one payment in one batch leave what they would leave one after the other. */
const { db } = useTestDatabase();
const keyring = testKeyring();
const apply = openApplyPayments(db);
const PAN = "4242424242424242";

beforeAll(() => oldPayments(db));

/** A payment of the hosted page, whose payer has not chosen yet. */
async function aPage(): Promise<PaymentKey> {
  const { projectId } = await aProject(db);
  const requestId = newId();
  const page = { projectId, requestId, token: Buffer.from("sealed"), tokenHash: Buffer.from(newId()) };
  const terms = { product: "widget", method: null, rates: null, lifetimeS: 600 } as const;
  const payin = aNewPayin(projectId, { ...terms, requestId });
  const created = await openCreatePayments(db).widgetPayin({ ...payin, page });
  expect(created).toMatchObject({ ok: true });
  return { projectId, requestId };
}

function choose(name: PaymentKey, choice: Pick<PayerChoice, "method" | "bank" | "card">) {
  const rates = { basisPoints: choice.method === "card-p2p" ? 100 : 300, fixed: minor(0) };
  const kind = choice.card === undefined ? "chosen" : "card_chosen";
  const event = { ...name, actor: "payer", payin: { kind }, detail: choice.method } as const;
  return apply({ ...event, choice: { ...choice, rates, lifetimeS: 900 } });
}

const byP2p = (name: PaymentKey) => choose(name, { method: "card-p2p", bank: undefined, card: undefined });
const byBank = (name: PaymentKey) => choose(name, { method: "sbp-p2p", bank: "sberbank", card: undefined });
const byCard = (name: PaymentKey) =>
  choose(name, { method: "card-ecom", bank: undefined, card: cardRowOf(keyring, name, PAN, newPageToken()) });

async function cardsOf({ requestId }: PaymentKey): Promise<number> {
  const rows = await db.run({ text: "select from card_payins where request_id = $1", values: [requestId] });
  return rows.length;
}

it("of two choices in one batch the first is stored, whole, and the second is refused", async () => {
  for (let tries = 0; tries < 10; tries += 1) {
    const name = await aPage();
    const answers = await Promise.all([byBank(name), byP2p(name)]);
    expect(answers).toMatchObject([{ ok: true }, { ok: false }]);
    const stored = await findPayment(db, name.projectId, name.requestId);
    expect(stored).toMatchObject({
      method: "sbp-p2p",
      feeBp: 300,
      fee: 30n,
      request: { sender: { bank: "sberbank" } },
    });
  }
});

it("a transfer and then a card, in one batch: the card is refused, and nothing of it is stored", async () => {
  for (let tries = 0; tries < 10; tries += 1) {
    const name = await aPage();
    const answers = await Promise.all([byP2p(name), byCard(name)]);
    expect(answers).toMatchObject([{ ok: true }, { ok: false }]);
    expect(await findPayment(db, name.projectId, name.requestId)).toMatchObject({ method: "card-p2p", feeBp: 100 });
    expect(await cardsOf(name)).toBe(0);
  }
});

it("a card and then a transfer, in one batch: the transfer is refused", async () => {
  const name = await aPage();
  const [card, p2p] = await Promise.all([byCard(name), byP2p(name)]);
  expect([card, p2p]).toMatchObject([{ ok: true }, { ok: false }]);
  expect(await findPayment(db, name.projectId, name.requestId)).toMatchObject({ method: "card-ecom" });
});

it("a payment that the database cannot hold does not harm the others of its batch", async () => {
  const many = Array.from({ length: 2_000 }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000)));
  const [bad, good] = [await aPayin(db), await aPayin(db)];
  await db.run({
    text: "update payments set request = jsonb_build_object('callbackUrl', $2::text) where request_id = $1",
    values: [bad.requestId, `https://${many.join("")}.com/`],
  });
  const submit = (name: PaymentKey) => apply({ ...name, actor: "test", payin: { kind: "submitted" } });
  const [first, second] = await Promise.allSettled([submit(bad), submit(good)]);
  expect([first?.status, second?.status]).toEqual(["rejected", "fulfilled"]);
});
