import type { Id } from "../core/ids.ts";
import { type Minor, ZERO } from "../core/money.ts";
import { decidePayout, type PayoutHappening } from "../core/payment/decide-payout.ts";
import type { PayoutState } from "../core/payment/states.ts";
import { fail, ok, type Result } from "../core/result.ts";
import type { Database, Transaction } from "../store/db.ts";
import { closeHold, lockHold } from "../store/holds.ts";
import { lockPayment, type StoredPayment } from "../store/payments.ts";
import { type Occasion, writeOutcome, writeRefusal } from "./apply-happening.ts";

export type PayoutOrder = { readonly projectId: Id; readonly requestId: Id; readonly happening: PayoutHappening };

/** Applies something that happened to a payout: state, hold, transfers and callback together, or nothing. */
export async function applyPayout(
  db: Database,
  order: PayoutOrder,
  occasion: Occasion,
): Promise<Result<StoredPayment, "payment_unknown" | "refused">> {
  return db.transaction(async (tx) => {
    const payment = await lockPayment(tx, order.projectId, order.requestId);
    if (payment === undefined || payment.direction !== "payout") return fail("payment_unknown");
    const before = { state: payment.state as PayoutState, amount: payment.amount, fee: payment.fee ?? ZERO };
    const decision = decidePayout(before, order.happening);
    if (decision.kind === "refused") {
      await writeRefusal(tx, payment, order.happening.kind, occasion);
      return fail("refused");
    }
    if (decision.closeHold !== undefined) await endHold(tx, payment, decision.closeHold);
    const { event, changed, declineCode, movements, payout } = decision;
    const outcome = {
      ...payout,
      event,
      changed,
      declineCode,
      movements,
      receivedAmount: 0n as Minor,
      confirmed: false,
    };
    return ok(await writeOutcome(tx, payment, outcome, occasion));
  });
}

/** A payout's hold bears the payout's own id. */
async function endHold(tx: Transaction, payment: StoredPayment, state: "captured" | "released"): Promise<void> {
  const hold = await lockHold(tx, payment.projectId, "payout", payment.requestId);
  if (hold === undefined || hold.state !== "open") throw new Error(`payout ${payment.requestId} has no open hold`);
  await closeHold(tx, hold, state);
}
