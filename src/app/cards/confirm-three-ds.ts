import type { AuthenticationResult } from "../../core/card-acquirer.ts";
import { type Fault, fault } from "../../core/errors.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database } from "../../store/db.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import { getPayment, type NamedPayment, type PathScope } from "../payments/payment-answers.ts";
import type { CardDesk } from "./charge-card.ts";

/** The payer was not asked for a result that could arrive here. */
const TOO_EARLY: ReadonlySet<PaymentState> = new Set(["processing:new", "processing:awaiting_redirect_result"]);

/**
 * The merchant brings what the payer's browser brought from the issuer. It proves nothing: the provider is asked, and only
 * its word changes the payment. Repeated, or after the end, it answers the present state.
 */
export async function confirmThreeDs(
  { db, cardDesk }: { readonly db: Database; readonly cardDesk: CardDesk },
  scope: PathScope,
  named: NamedPayment,
  result: AuthenticationResult,
): Promise<Result<StoredPayment, Fault>> {
  const found = await getPayment(db, scope, named);
  if (!found.ok) return found;
  const payment = found.value;
  if (TOO_EARLY.has(payment.state)) {
    return fail(
      fault("wrong_state", "no 3-D Secure result is awaited: the payment is processing / new or at the provider"),
    );
  }
  if (payment.state !== "processing:awaiting_3ds_result") return ok(payment);
  const passed = await cardDesk.passResult(payment, result);
  return passed.kind === "payment"
    ? ok(passed.payment)
    : fail(fault("three_ds_result_invalid", "the result is not the issuer's word on this payment"));
}
