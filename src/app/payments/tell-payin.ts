import { type Fault, fault } from "../../core/errors.ts";
import { fail, type Result } from "../../core/result.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import type { ApplyPayment } from "./apply-payments.ts";
import { type NamedPayment, NOT_FOUND, type PathScope } from "./payment-answers.ts";
import type { ReadShownPayment } from "./show-payment.ts";

/** The payer's or the merchant's word on a pay-in. Repeated after it took effect, it answers the present state. */
export async function tellPayin(
  deps: { readonly readPayment: ReadShownPayment; readonly apply: ApplyPayment },
  scope: PathScope,
  { projectId, paymentId }: NamedPayment,
  event: "confirmed" | "cancelled",
): Promise<Result<StoredPayment, Fault>> {
  const found = await deps.readPayment({ projectId, direction: scope.direction, paymentId });
  if (found === undefined || found.product !== scope.product) return fail(NOT_FOUND);
  const { requestId, state } = found;
  const applied = await deps.apply({ projectId, requestId, payin: { kind: event }, actor: "merchant" });
  if (applied.ok) return applied;
  const word = event === "confirmed" ? "confirmed" : "cancelled";
  return fail(fault("wrong_state", `the payment cannot be ${word} now: it was ${state.replace(":", " / ")}`));
}
