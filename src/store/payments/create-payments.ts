import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Method } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import type { FeeRates } from "../../core/payments/fees.ts";
import { type CardPayinRow, insertCardPayins } from "../cards/card-payins.ts";
import { type Database, LOCK_TIMEOUT_MS } from "../db.ts";
import { insertPayerPages, type PayerPageRow } from "../page/payer-pages.ts";
import type { PaymentRequest } from "./payments.ts";

/** A payment that is about to be created, decided in every respect but whether it exists already or can be paid for. */
type NewPayment = {
  readonly projectId: Id;
  readonly requestId: Id;
  readonly product: "p2p" | "ecom" | "widget";
  readonly paymentId: string;
  readonly bodyHash: Buffer;
  /** Null on the hosted page, until the payer has chosen; so are the rates and the fee. */
  readonly method: Method | null;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly rates: FeeRates | null;
  readonly fee: Minor | null;
  readonly customerId: string;
  /** Addresses, customer, sender, description: what is kept as it was said. */
  readonly request: PaymentRequest;
  readonly limits?: DailyLimits | undefined;
  /** The worker of this process takes it over as soon as it is committed, with a lease of so long. */
  readonly leaseS?: number;
};

/** What may be started in a day; undefined or null is no limit. */
export type DailyLimits = {
  readonly countMax: number | null;
  readonly sumMax: Minor | null;
  readonly customerCountMax: number | null;
  readonly customerSumMax: Minor | null;
};

export type NewPayin = NewPayment & { readonly lifetimeS: number };
export type NewPayout = NewPayment & {
  readonly transferId: Id;
  /** Sealed. */
  readonly receiver: Buffer;
};

export type NewWidgetPayin = NewPayin & { readonly page: PayerPageRow };

export type NewCardPayin = NewPayin & { readonly card: CardPayinRow };

/** What there is now under a payment_id: the one just created if `requestId` is its own, or an earlier one. */
export type PaymentOfId =
  | {
      readonly verdict: "found";
      readonly requestId: Id;
      readonly bodyHash: Buffer;
      readonly createdAt: Date;
      readonly expiresAt: Date | null;
    }
  /** Nothing, because a limit of the day, or the balance, does not allow it. */
  | { readonly verdict: "over_limit" | "no_money" };

const ANSWER = `select request_id as "requestId", body_hash as "bodyHash", created_at as "createdAt", expires_at as "expiresAt", verdict`;

/**
 * One statement and one commit for all of them, answered in their order. The time-out is set by the statement itself, which
 * saves a message: the first array depends on it, so that it is set before anything is locked, and it ends with the
 * transaction.
 */
export function createPayins(
  db: Pick<Database, "run">,
  payins: readonly NewPayin[],
  lockWaitMs: number = LOCK_TIMEOUT_MS,
): Promise<PaymentOfId[]> {
  return db.run<PaymentOfId>({
    name: "create_payins",
    text: `${ANSWER} from (select set_config('lock_timeout', $19, true) as lock_wait) w
             cross join lateral create_payins(case when w.lock_wait is not null then $1::uuid[] end, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::jsonb[], $14, $15, $16, $17, $18, $20) order by place`,
    values: [
      payins.map((payin) => payin.projectId),
      payins.map((payin) => payin.requestId),
      payins.map((payin) => payin.product),
      payins.map((payin) => payin.paymentId),
      payins.map((payin) => payin.bodyHash),
      ...termsOf(payins),
      payins.map((payin) => payin.lifetimeS),
      String(lockWaitMs),
      payins.map((payin) => payin.leaseS ?? null),
    ],
  });
}

/** Pay-ins by card, each with its card. The worker looks at them only after `patienceS`. */
export function createCardPayins(
  db: Database,
  payins: readonly NewCardPayin[],
  patienceS: number,
  lockWaitMs?: number,
): Promise<PaymentOfId[]> {
  return db.transaction(async (tx) => {
    const found = await createPayins(tx, payins, lockWaitMs);
    const made = listMade(payins, found);
    if (made.length > 0)
      await insertCardPayins(
        tx,
        made.map((payin) => payin.card),
        patienceS,
      );
    return found;
  });
}

/** Pay-ins of the hosted page, each with its page. Nothing happens to them before the payer has chosen. */
export function createWidgetPayins(
  db: Database,
  payins: readonly NewWidgetPayin[],
  lockWaitMs?: number,
): Promise<PaymentOfId[]> {
  return db.transaction(async (tx) => {
    const found = await createPayins(tx, payins, lockWaitMs);
    const made = listMade(payins, found);
    if (made.length > 0)
      await insertPayerPages(
        tx,
        made.map((payin) => payin.page),
      );
    return found;
  });
}

/** The same for payouts, each with its hold. */
export function createPayouts(
  db: Pick<Database, "run">,
  payouts: readonly NewPayout[],
  lockWaitMs: number = LOCK_TIMEOUT_MS,
): Promise<PaymentOfId[]> {
  return db.run<PaymentOfId>({
    name: "create_payouts",
    text: `${ANSWER} from (select set_config('lock_timeout', $20, true) as lock_wait) w
             cross join lateral create_payouts(case when w.lock_wait is not null then $1::uuid[] end, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::jsonb[], $15, $16, $17, $18, $19, $21) order by place`,
    values: [
      payouts.map((payout) => payout.projectId),
      payouts.map((payout) => payout.requestId),
      payouts.map((payout) => payout.transferId),
      payouts.map((payout) => payout.product),
      payouts.map((payout) => payout.paymentId),
      payouts.map((payout) => payout.bodyHash),
      ...termsOf(payouts),
      payouts.map((payout) => payout.receiver),
      String(lockWaitMs),
      payouts.map((payout) => payout.leaseS ?? null),
    ],
  });
}

/** Those that were created just now; the others were there before. */
function listMade<T extends NewPayment>(payments: readonly T[], found: readonly PaymentOfId[]): T[] {
  return payments.filter((payment, index) => {
    const there = found[index];
    return there?.verdict === "found" && there.requestId === payment.requestId;
  });
}

function termsOf(payments: readonly NewPayment[]): unknown[] {
  return [
    payments.map((payment) => payment.method),
    payments.map((payment) => payment.currency),
    payments.map((payment) => payment.amount),
    payments.map((payment) => payment.rates?.basisPoints ?? null),
    payments.map((payment) => payment.rates?.fixed ?? null),
    payments.map((payment) => payment.fee),
    payments.map((payment) => payment.customerId),
    payments.map((payment) => JSON.stringify(payment.request)),
    payments.map((payment) => payment.limits?.countMax ?? null),
    payments.map((payment) => payment.limits?.sumMax ?? null),
    payments.map((payment) => payment.limits?.customerCountMax ?? null),
    payments.map((payment) => payment.limits?.customerSumMax ?? null),
  ];
}
