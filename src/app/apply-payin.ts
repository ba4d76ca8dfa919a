import type { Id } from "../core/ids.ts";
import type { Minor } from "../core/money.ts";
import { decidePayin, type PayinHappening } from "../core/payment/decide-payin.ts";
import { splitPayin } from "../core/payment/fees.ts";
import type { Payin } from "../core/payment/payin.ts";
import type { P2pPayinState } from "../core/payment/states.ts";
import { fail, ok, type Result } from "../core/result.ts";
import type { Database, Transaction } from "../store/db.ts";
import { type PostingFault, postingTransaction } from "../store/ledger.ts";
import { lockPayment, type StoredPayment } from "../store/payments.ts";
import { insertReceipt } from "../store/receipts.ts";
import { type Occasion, writeOutcome, writeRefusal } from "./apply-happening.ts";

/** Money says by which transfer it came, so that telling us twice does not count it twice. */
export type ReceivedFrom = { readonly provider: string; readonly transferReference: string; readonly receivedAt: Date };

export type PayinOrder = {
  readonly projectId: Id;
  readonly requestId: Id;
  readonly happening: PayinHappening;
  readonly receivedFrom?: ReceivedFrom;
};

/** Applies something that happened to a pay-in: all that follows from it, or nothing. */
export async function applyPayin(
  db: Database,
  order: PayinOrder,
  occasion: Occasion,
): Promise<Result<StoredPayment, PostingFault | "payment_unknown" | "refused">> {
  const posted = await postingTransaction(db, async (tx) => {
    const payment = await lockPayment(tx, order.projectId, order.requestId);
    if (payment === undefined || payment.direction !== "payin") return fail("payment_unknown" as const);
    const decision = decidePayin(payinOf(payment), order.happening);
    if (decision.kind === "refused") {
      await writeRefusal(tx, payment, order.happening.kind, occasion);
      return fail("refused" as const);
    }
    if (!(await isNewMoney(tx, order))) return ok(payment);
    const { payin, event, changed, declineCode, movements } = decision;
    const { fee } = splitPayin(payin.amount, payin.rates);
    const outcome = { ...payin, event, changed, declineCode, movements, fee };
    return ok(await writeOutcome(tx, payment, outcome, occasion));
  });
  return posted.ok ? posted.value : posted;
}

async function isNewMoney(
  tx: Transaction,
  { projectId, requestId, happening, receivedFrom }: PayinOrder,
): Promise<boolean> {
  if (happening.kind !== "received" || receivedFrom === undefined) return true;
  return insertReceipt(tx, { projectId, requestId, amount: happening.amount, ...receivedFrom });
}

function payinOf(payment: StoredPayment): Payin {
  return {
    state: payment.state as P2pPayinState,
    requestedAmount: payment.requestedAmount,
    amount: payment.amount,
    receivedAmount: payment.receivedAmount,
    rates: { basisPoints: payment.feeBp ?? 0, fixed: payment.feeFixed ?? (0n as Minor) },
    confirmed: payment.confirmedAt !== null,
  };
}
