import type { Connector } from "../../core/connector.ts";
import { type Fault, fault } from "../../core/errors.ts";
import { METHODS } from "../../core/merchants/methods.ts";
import { type PageStep, pageStepOf } from "../../core/page/page-step.ts";
import { chancesLeft, presentChoice } from "../../core/page/second-chance.ts";
import { kindOf } from "../../core/payments/kinds.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../store/db.ts";
import { findLastEnded } from "../../store/page/page-choices.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import type { CardDesk } from "../cards/charge-card.ts";
import type { DirectoryProject } from "../merchants/directory.ts";
import type { ApplyPayment } from "../payments/apply-payments.ts";

export type ChangeDeps = {
  readonly db: Database;
  readonly apply: ApplyPayment;
  readonly cardDesk: CardDesk;
  readonly clock: Clock;
  readonly findConnector: (code: string) => Connector | undefined;
};

/** What a payer who chooses again is told. */
export type SecondChance = {
  /** How often the payer may still choose, this time included. */
  readonly left: number;
  readonly last?: { readonly method: string; readonly decline_code: string };
};

export async function chanceOf(
  { db }: Pick<ChangeDeps, "db">,
  { payerAttempts }: DirectoryProject,
  payment: StoredPayment,
): Promise<{ readonly chance?: SecondChance }> {
  if (payment.choiceCount === null) return {};
  const ended = await findLastEnded(db, payment);
  const left = Math.max(payerAttempts - payment.choiceCount, 1);
  const method = ended && METHODS[ended.method].widgetCode;
  if (ended === undefined || typeof method !== "string") return { chance: { left } };
  return { chance: { left, last: { method, decline_code: ended.declineCode } } };
}

/** Whether the payer may leave this step and choose again: a challenge only where the acquirer can end it. */
export function mayChange(
  deps: Pick<ChangeDeps, "clock" | "findConnector">,
  { payerAttempts }: DirectoryProject,
  payment: StoredPayment,
  step: PageStep,
): boolean {
  if (chancesLeft(payment, payerAttempts, deps.clock.nowMs()) === 0) return false;
  if (step !== "challenge") return true;
  return payment.provider !== null && deps.findConnector(payment.provider)?.cards?.cancel !== undefined;
}

/**
 * The payer wants to pay another way. Requisites are left at once, and the watch over ended choices gives them back. A charge that
 * waits for the payer is ended at the acquirer first, and only its word that there will be no charge leads to a new choice.
 */
export async function changeMethod(
  deps: ChangeDeps,
  project: DirectoryProject,
  payment: StoredPayment,
): Promise<Result<StoredPayment, Fault>> {
  const step = pageStepOf(payment);
  // Done already, by another tab or by the provider.
  if (step === "choose" && payment.choiceCount !== null) return ok(payment);
  const isLeft = step === "transfer" || step === "challenge";
  if (!isLeft || !mayChange(deps, project, payment, step))
    return fail(fault("wrong_state", "this cannot be changed now"));
  if (kindOf(payment) === "card") {
    const cancelled = await deps.cardDesk.cancel(payment);
    return cancelled.kind === "payment"
      ? ok(cancelled.payment)
      : fail(fault("wrong_state", "your bank is still deciding"));
  }
  const { projectId, requestId } = payment;
  const ofChoice = presentChoice(payment);
  const left = await deps.apply({ projectId, requestId, ofChoice, payin: { kind: "left" }, actor: "payer" });
  return left.ok ? left : fail(fault("wrong_state", "this cannot be changed any more"));
}
