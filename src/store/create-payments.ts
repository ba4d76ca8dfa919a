import type { Currency } from "../core/currency.ts";
import type { Id } from "../core/ids.ts";
import type { Method } from "../core/methods.ts";
import type { Minor } from "../core/money.ts";
import type { FeeRates } from "../core/payment/fees.ts";
import type { Database } from "./db.ts";

/** A payment that is about to be created, decided in every respect but whether it exists already or can be paid for. */
type NewPayment = {
  readonly projectId: Id;
  readonly requestId: Id;
  readonly product: "p2p" | "ecom" | "widget";
  readonly paymentId: string;
  readonly bodyHash: Buffer;
  readonly method: Method;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly rates: FeeRates;
  readonly fee: Minor;
  readonly customerId: string;
  /** Addresses, customer, sender, description: what is kept as it was said. */
  readonly request: object;
};

export type NewPayin = NewPayment & { readonly lifetimeS: number };
export type NewPayout = NewPayment & {
  readonly transferId: Id;
  readonly receiver: Buffer;
  readonly receiverHash: Buffer;
};

/** The payment that now has this payment_id: the one just created if `requestId` is its own, else an earlier one. */
export type PaymentOfId = { readonly requestId: Id; readonly bodyHash: Buffer };

type Found = PaymentOfId & { readonly projectId: Id; readonly paymentId: string };

const ANSWER = `select project_id as "projectId", payment_id as "paymentId", request_id as "requestId", body_hash as "bodyHash"`;

/** One statement and one commit for all of them, answered in their order. */
export async function createPayins(db: Pick<Database, "run">, payins: readonly NewPayin[]): Promise<PaymentOfId[]> {
  const rows = await db.run<Found>({
    name: "create_payins",
    text: `${ANSWER} from create_payins($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::jsonb[], $14)`,
    values: [
      payins.map((payin) => payin.projectId),
      payins.map((payin) => payin.requestId),
      payins.map((payin) => payin.product),
      payins.map((payin) => payin.paymentId),
      payins.map((payin) => payin.bodyHash),
      ...termsOf(payins),
      payins.map((payin) => payin.lifetimeS),
    ],
  });
  return inOrder(payins, rows).map((found) => {
    if (found === undefined) throw new Error("a pay-in was neither created nor found");
    return found;
  });
}

/** The same for payouts; undefined where there is neither such a payout nor the money for one. */
export async function createPayouts(
  db: Pick<Database, "run">,
  payouts: readonly NewPayout[],
): Promise<(PaymentOfId | undefined)[]> {
  const rows = await db.run<Found>({
    name: "create_payouts",
    text: `${ANSWER} from create_payouts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::jsonb[], $15, $16)`,
    values: [
      payouts.map((payout) => payout.projectId),
      payouts.map((payout) => payout.requestId),
      payouts.map((payout) => payout.transferId),
      payouts.map((payout) => payout.product),
      payouts.map((payout) => payout.paymentId),
      payouts.map((payout) => payout.bodyHash),
      ...termsOf(payouts),
      payouts.map((payout) => payout.receiver),
      payouts.map((payout) => payout.receiverHash),
    ],
  });
  return inOrder(payouts, rows);
}

function termsOf(payments: readonly NewPayment[]): unknown[] {
  return [
    payments.map((payment) => payment.method),
    payments.map((payment) => payment.currency),
    payments.map((payment) => payment.amount),
    payments.map((payment) => payment.rates.basisPoints),
    payments.map((payment) => payment.rates.fixed),
    payments.map((payment) => payment.fee),
    payments.map((payment) => payment.customerId),
    payments.map((payment) => JSON.stringify(payment.request)),
  ];
}

function inOrder(payments: readonly NewPayment[], rows: readonly Found[]): (Found | undefined)[] {
  const byName = new Map(rows.map((row) => [`${row.projectId} ${row.paymentId}`, row]));
  return payments.map((payment) => byName.get(`${payment.projectId} ${payment.paymentId}`));
}
