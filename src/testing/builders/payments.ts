import { openApplyPayments } from "../../app/payments/apply-payments.ts";
import { attemptReference } from "../../app/payments/attempt-reference.ts";
import { openCreatePayments } from "../../app/payments/create-payments.ts";
import type { PaymentEvent } from "../../app/payments/payment-event.ts";
import type { CardHappening } from "../../core/cards/decide-card.ts";
import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import type { PayinHappening } from "../../core/payments/decide-payin.ts";
import type { PayoutEvent } from "../../core/payments/payout-transitions.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import { listAttempts } from "../../store/payments/attempts.ts";
import type { PaymentKey, StoredPayment } from "../../store/payments/payments.ts";
import { aNewPayin, aNewPayout, BY_CARD, ratesOf, WITH_CALLBACKS } from "./new-payments.ts";
import { aProject, credit, minor } from "./projects.ts";

/** Payments in the states that tests need, brought there by the happenings that bring real ones there. */

/** 2.5 %. */
const TERMS = { ...ratesOf(250), ...WITH_CALLBACKS };
const CLEARING = "clearing:sandbox" as const;

export type PaymentWish = {
  readonly projectId?: Id;
  readonly paymentId?: string;
  readonly currency?: Currency;
};

function ofWish({ paymentId, currency }: PaymentWish) {
  return { ...(paymentId === undefined ? {} : { paymentId }), ...(currency === undefined ? {} : { currency }) };
}

export const ISSUED: readonly PayinHappening[] = [{ kind: "submitted" }, { kind: "requisites_issued" }];
export const CONFIRMED: readonly PayinHappening[] = [...ISSUED, { kind: "confirmed" }];

/** A pay-in of 1000 to which these things happened. */
export async function aPayin(
  db: Database,
  happenings: readonly PayinHappening[] = [],
  wish: PaymentWish = {},
): Promise<PaymentKey> {
  const projectId = wish.projectId ?? (await aProject(db)).projectId;
  const payin = aNewPayin(projectId, { ...TERMS, ...ofWish(wish) });
  const created = await openCreatePayments(db).payin(payin);
  if (!created.ok) throw new Error(created.error);
  const key = { projectId, requestId: payin.requestId };
  for (const happening of happenings) await happen(db, { ...key, payin: happening, actor: "test" });
  return key;
}

/** A pay-in of 1000 by card, sent to the sandbox, to which these things happened. */
export async function aCardPayin(
  db: Database,
  happenings: readonly CardHappening[] = [],
  wish: PaymentWish = {},
): Promise<PaymentKey> {
  const projectId = wish.projectId ?? (await aProject(db)).projectId;
  const payin = aNewPayin(projectId, { ...TERMS, ...BY_CARD, ...ofWish(wish) });
  const created = await openCreatePayments(db).payin(payin);
  if (!created.ok) throw new Error(created.error);
  const key = { projectId, requestId: payin.requestId };
  await happen(db, { ...key, card: { kind: "sent" }, nextProvider: "sandbox", actor: "test" });
  for (const happening of happenings) await happen(db, { ...key, card: happening, actor: "test" });
  return key;
}

/** A charge that the provider tells of. */
export function charged(amount: number): CardHappening {
  return { kind: "approved", amount: minor(amount), clearing: CLEARING };
}

/** Money that the provider tells of. */
export function receive(db: Database, key: PaymentKey, amount: number, receiptReference: string = newId()) {
  return happen(db, {
    ...key,
    payin: { kind: "received", amount: minor(amount), clearing: CLEARING },
    receivedFrom: { provider: "sandbox", receiptReference, amount: minor(amount), receivedAt: new Date() },
    actor: "provider",
  });
}

/** A payout of 1000 to which these things happened, of a project with enough money for it. */
export async function aPayout(
  db: Database,
  events: readonly PayoutEvent[] = [],
  wish: PaymentWish = {},
): Promise<PaymentKey> {
  const projectId = wish.projectId ?? (await aProject(db)).projectId;
  const payout = aNewPayout(projectId, { ...TERMS, ...ofWish(wish) });
  await credit(db, projectId, payout.amount + (payout.fee ?? 0n), payout.currency);
  const created = await openCreatePayments(db).payout(payout);
  if (!created.ok) throw new Error(created.error);
  const key = { projectId, requestId: payout.requestId };
  for (const kind of events) {
    const asked = kind === "claimed" ? { nextProvider: "sandbox" } : {};
    await happen(db, { ...key, payout: { kind, clearing: CLEARING }, actor: "test", ...asked });
  }
  return key;
}

async function happen(db: Database, event: PaymentEvent): Promise<StoredPayment> {
  const applied = await openApplyPayments(db)(event);
  if (!applied.ok) throw new Error(applied.error);
  return applied.value;
}

/** The reference under which a provider was asked. */
export async function referenceOf(
  db: Database,
  { projectId, requestId }: PaymentKey,
  attemptNumber = 1,
): Promise<string> {
  const attempt = (await listAttempts(db, projectId, requestId)).find(({ number }) => number === attemptNumber);
  if (attempt === undefined) throw new Error("nobody was asked");
  return attempt.reference;
}

/** The same for a payment as the merchant sees it, before and after a provider was asked. */
export function firstReferenceOf(payment: {
  readonly project_id: string;
  readonly type: Direction;
  readonly payment_id: string;
}): string {
  const { project_id: projectId, type: direction, payment_id: paymentId } = payment;
  return attemptReference({ projectId: projectId as Id, direction, paymentId }, 1);
}
