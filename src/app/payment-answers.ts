import type { Requisites } from "../core/connector.ts";
import { type Fault, fault } from "../core/errors.ts";
import type { Direction } from "../core/methods.ts";
import { paymentObject, type ViewedPayment } from "../core/payment/view.ts";
import { fail, ok, type Result } from "../core/result.ts";
import type { Keyring } from "../platform/secrets.ts";
import type { Database } from "../store/db.ts";
import { findPaymentOfId, type PaymentProduct, type StoredPayment } from "../store/payments.ts";
import type { ApplyPayment } from "./apply-payments.ts";
import type { Directory } from "./directory.ts";
import { unsealRequisites } from "./payment-secrets.ts";

/** Which payments a path sees: those made through its own product and direction. */
export type PathScope = { readonly product: PaymentProduct; readonly direction: Direction };

export type NamedPayment = { readonly projectId: StoredPayment["projectId"]; readonly paymentId: string };

/** A foreign payment and a missing one look the same. */
export async function getPayment(
  db: Database,
  scope: PathScope,
  { projectId, paymentId }: NamedPayment,
): Promise<Result<StoredPayment, Fault>> {
  const payment = await findPaymentOfId(db, projectId, scope.direction, paymentId);
  return payment === undefined || payment.product !== scope.product
    ? fail(fault("payment_not_found", "there is no payment with this general.payment_id on this path"))
    : ok(payment);
}

/** The payer's or the merchant's word on a pay-in. Repeated after it took effect, it answers the present state. */
export async function tellPayin(
  deps: { readonly db: Database; readonly apply: ApplyPayment },
  scope: PathScope,
  named: NamedPayment,
  event: "confirmed" | "cancelled",
): Promise<Result<StoredPayment, Fault>> {
  const found = await getPayment(deps.db, scope, named);
  if (!found.ok) return found;
  const { projectId, requestId, state } = found.value;
  const applied = await deps.apply({ projectId, requestId, payin: { kind: event }, actor: "merchant" });
  if (applied.ok) return applied;
  const word = event === "confirmed" ? "confirmed" : "cancelled";
  return fail(fault("wrong_state", `the payment cannot be ${word} now: it was ${state.replace(":", " / ")}`));
}

/** A stored payment, or one just made, which has no requisites yet. */
export type ShownPayment = ViewedPayment & Partial<Pick<StoredPayment, "requisites">>;

/** The payment object as text. What is sealed is opened here, for its own merchant. */
export function renderPayment(
  { keyring, directory }: { readonly keyring: Keyring; readonly directory: Directory },
  payment: ShownPayment,
): string {
  const sealed = payment.requisites ?? null;
  const requisites = sealed === null ? undefined : unsealRequisites(keyring, payment.requestId, sealed);
  return JSON.stringify(paymentObject(payment, requisites && withBankName(requisites, directory)));
}

export function withBankName(requisites: Requisites, { banks }: Pick<Directory, "banks">): Requisites {
  if (requisites.bankName !== undefined || requisites.bank === undefined) return requisites;
  return { ...requisites, bankName: banks.find(({ symbol }) => symbol === requisites.bank)?.name };
}
