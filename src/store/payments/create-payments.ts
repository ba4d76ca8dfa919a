import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Method } from "../../core/merchants/methods.ts";
import type { RouteReasons } from "../../core/merchants/routing.ts";
import type { Minor } from "../../core/money.ts";
import type { FeeRates } from "../../core/payments/fees.ts";
import type { CardPayinRow } from "../cards/card-payins.ts";
import { type Database, LOCK_TIMEOUT_MS } from "../db.ts";
import type { PayerPageRow } from "../page/payer-pages.ts";
import { plainArray } from "../plain-array.ts";
import { reasonsJson } from "./attempts.ts";
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

export type NewPayin = NewPayment & {
  readonly lifetimeS: number;
  /** The provider that a worker of this process would ask first, if it has room; undefined: it is chosen later. */
  readonly asksFirst?: AskedFirst | undefined;
  /** Its first attempt, which is committed with it. */
  readonly sentTo?: SentTo | undefined;
};
export type NewPayout = NewPayment & {
  readonly transferId: Id;
  /** Sealed. */
  readonly receiver: Buffer;
};

export type NewWidgetPayin = NewPayin & { readonly page: PayerPageRow };

export type NewCardPayin = NewPayin & { readonly card: CardPayinRow; readonly sentTo: SentTo | undefined };

export type AskedFirst = { readonly code: string; readonly reasons: RouteReasons | null };

/** The provider that it goes to and why, and the reference that it is sent under once that is committed. */
export type SentTo = { readonly provider: string; readonly reference: string; readonly reasons?: RouteReasons | null };

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
 * The time-out is set by the statement itself, which saves a message: the first array depends on it, so that it is set
 * before anything is locked, and it ends with the transaction.
 */
const CREATED = `from (select set_config('lock_timeout', $19, true) as lock_wait) w
             cross join lateral create_payins(case when w.lock_wait is not null then $1::uuid[] end, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::jsonb[], $14, $15, $16, $17, $18`;

/** One row says that all of them are new, and when; otherwise there is a row for each. */
type CreateRow = PaymentOfId | { readonly verdict: "created"; readonly createdAt: Date };

/** What is new is known already but for its time, so that no row of it need be read. */
function answersOf(payins: readonly NewPayin[], rows: readonly CreateRow[]): PaymentOfId[] {
  const [first] = rows;
  if (first?.verdict !== "created") return rows as PaymentOfId[];
  const { createdAt } = first;
  return payins.map(({ requestId, bodyHash, lifetimeS }) => {
    const expiresAt = new Date(createdAt.getTime() + lifetimeS * 1000);
    return { verdict: "found", requestId, bodyHash, createdAt, expiresAt };
  });
}

/** One statement and one commit for all of them, answered in their order. */
export async function createPayins(
  db: Pick<Database, "run">,
  payins: readonly NewPayin[],
  lockWaitMs: number = LOCK_TIMEOUT_MS,
): Promise<PaymentOfId[]> {
  const rows = await db.run<CreateRow>({
    name: "create_payins",
    text: `${ANSWER} ${CREATED}, leases_s => $20, providers => $21, attempt_references => $22, attempt_reasons => $23::jsonb[]) order by place`,
    values: [
      ...valuesOf(payins, lockWaitMs),
      plainArray(payins, (payin) => payin.leaseS),
      ...(payins.some(({ sentTo }) => sentTo !== undefined) ? sentTos(payins) : [null, null, null]),
    ],
  });
  return answersOf(payins, rows);
}

/** What goes in beside a pay-in goes in where that did: of two with one payment_id, both places name the first. */
const MADE = "made m on m.verdict = 'created' or (m.place = c.place and m.request_id = c.request_id)";

/**
 * Pay-ins by card, each with its card, and with its attempt where it is known who is to charge it. The worker looks at them
 * only after `patienceS`.
 */
export async function createCardPayins(
  db: Pick<Database, "run">,
  payins: readonly NewCardPayin[],
  patienceS: number,
  lockWaitMs: number = LOCK_TIMEOUT_MS,
): Promise<PaymentOfId[]> {
  const rows = await db.run<CreateRow>({
    name: "create_card_payins",
    text: `with made as (select * ${CREATED}, due_afters_s => $20, providers => $21, attempt_references => $22, attempt_reasons => $23::jsonb[])),
           cards as (
             insert into card_payins (project_id, request_id, mask, brand, page_token, page_token_hash)
             select c.project_id, c.request_id, c.mask, c.brand, c.page_token, c.page_token_hash
               from unnest($1::uuid[], $2::uuid[], $24::text[], $25::text[], $26::bytea[], $27::bytea[]) with ordinality
                      as c (project_id, request_id, mask, brand, page_token, page_token_hash, place)
               join ${MADE})
           ${ANSWER} from made order by place`,
    values: [
      ...valuesOf(payins, lockWaitMs),
      payins.map(() => patienceS),
      ...sentTos(payins),
      payins.map(({ card }) => card.mask),
      payins.map(({ card }) => card.brand),
      payins.map(({ card }) => card.pageToken),
      payins.map(({ card }) => card.pageTokenHash),
    ],
  });
  return answersOf(payins, rows);
}

/** Pay-ins of the hosted page, each with its page. Until the payer has chosen, only the end of the lifetime is due. */
export async function createWidgetPayins(
  db: Pick<Database, "run">,
  payins: readonly NewWidgetPayin[],
  lockWaitMs: number = LOCK_TIMEOUT_MS,
): Promise<PaymentOfId[]> {
  const rows = await db.run<CreateRow>({
    name: "create_widget_payins",
    text: `with made as (select * ${CREATED}, due_afters_s => $18)),
           pages as (
             insert into payer_pages (project_id, request_id, token, token_hash)
             select c.project_id, c.request_id, c.token, c.token_hash
               from unnest($1::uuid[], $2::uuid[], $20::bytea[], $21::bytea[]) with ordinality
                      as c (project_id, request_id, token, token_hash, place)
               join ${MADE})
           ${ANSWER} from made order by place`,
    values: [
      ...valuesOf(payins, lockWaitMs),
      payins.map(({ page }) => page.token),
      payins.map(({ page }) => page.tokenHash),
    ],
  });
  return answersOf(payins, rows);
}

function sentTos(payins: readonly NewPayin[]): unknown[] {
  const hasReasons = payins.some(({ sentTo }) => (sentTo?.reasons ?? null) !== null);
  return [
    payins.map(({ sentTo }) => sentTo?.provider ?? null),
    payins.map(({ sentTo }) => sentTo?.reference ?? null),
    hasReasons ? payins.map(({ sentTo }) => reasonsJson(sentTo?.reasons)) : null,
  ];
}

function valuesOf(payins: readonly NewPayin[], lockWaitMs: number): unknown[] {
  return [
    plainArray(payins, (payin) => payin.projectId),
    plainArray(payins, (payin) => payin.requestId),
    payins.map((payin) => payin.product),
    payins.map((payin) => payin.paymentId),
    payins.map((payin) => payin.bodyHash),
    ...termsOf(payins),
    plainArray(payins, (payin) => payin.lifetimeS),
    String(lockWaitMs),
  ];
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
      plainArray(payouts, (payout) => payout.projectId),
      plainArray(payouts, (payout) => payout.requestId),
      plainArray(payouts, (payout) => payout.transferId),
      payouts.map((payout) => payout.product),
      payouts.map((payout) => payout.paymentId),
      payouts.map((payout) => payout.bodyHash),
      ...termsOf(payouts),
      payouts.map((payout) => payout.receiver),
      String(lockWaitMs),
      plainArray(payouts, (payout) => payout.leaseS),
    ],
  });
}

function termsOf(payments: readonly NewPayment[]): unknown[] {
  return [
    payments.map((payment) => payment.method),
    payments.map((payment) => payment.currency),
    plainArray(payments, (payment) => payment.amount),
    plainArray(payments, (payment) => payment.rates?.basisPoints),
    plainArray(payments, (payment) => payment.rates?.fixed),
    plainArray(payments, (payment) => payment.fee),
    payments.map((payment) => payment.customerId),
    payments.map((payment) => JSON.stringify(payment.request)),
    plainArray(payments, (payment) => payment.limits?.countMax),
    plainArray(payments, (payment) => payment.limits?.sumMax),
    plainArray(payments, (payment) => payment.limits?.customerCountMax),
    plainArray(payments, (payment) => payment.limits?.customerSumMax),
  ];
}
