import type { Fault } from "../../../core/errors.ts";
import { fault } from "../../../core/errors.ts";
import type { Id } from "../../../core/ids.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import type { PaymentName } from "../../../store/payments/shown-payments.ts";
import { findDeskPayment, listDeskPayments } from "../../../store/sandbox/desk-payments.ts";
import type { DeskDeps } from "./desk-deps.ts";
import { type DeskPayment, viewDeskPayment } from "./desk-payment.ts";

/** A foreign payment and a missing one look the same. */
export const NO_DESK_PAYMENT = fault(
  "payment_not_found",
  "the project has no payment with this general.payment_id in this direction",
);

export async function readDeskPayments(
  deps: DeskDeps,
  projectId: Id,
  countMax: number,
): Promise<{ readonly payments: readonly DeskPayment[] }> {
  const directory = await deps.currentDirectory();
  const rows = await listDeskPayments(deps.db, projectId, countMax);
  return { payments: rows.map((row) => viewDeskPayment(deps, directory, row)) };
}

export async function readDeskPayment(deps: DeskDeps, name: PaymentName): Promise<Result<DeskPayment, Fault>> {
  const row = await findDeskPayment(deps.db, name);
  if (row === undefined) return fail(NO_DESK_PAYMENT);
  return ok(viewDeskPayment(deps, await deps.currentDirectory(), row));
}
