import type { ChargeState } from "../../core/card-acquirer.ts";
import type { CardHappening } from "../../core/cards/decide-card.ts";
import type { ClearingAccount } from "../../core/ledger/accounts.ts";
import { ZERO } from "../../core/money.ts";
import { presentChoice } from "../../core/page/second-chance.ts";
import { dutyOf } from "../../core/payments/provider-duties.ts";
import { isFinal } from "../../core/payments/states.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { findPayment, type PaymentKey, type StoredPayment } from "../../store/payments/payments.ts";
import type { ApplyPayment } from "../payments/apply-payments.ts";
import { type SaidFee, withFee } from "../payments/looks/provider-fee.ts";
import type { PaymentEvent } from "../payments/payment-event.ts";
import { sealStep } from "./card-secrets.ts";

export type FollowDeps = {
  readonly db: Database;
  readonly apply: ApplyPayment;
  readonly keyring: Keyring;
  readonly nowMs: () => number;
};

/** What must be known of a payment to follow its charge: of a stored one, or of one that was just created. */
export type ChargedPayment = Pick<
  StoredPayment,
  | (
      | "projectId"
      | "requestId"
      | "direction"
      | "method"
      | "state"
      | "provider"
      | "reference"
      | "receivedAmount"
      | "currency"
    )
  | ("confirmedAt" | "confirmTold" | "releasedAt" | "choiceCount")
>;

/**
 * Applies something that happened to a card payment, and answers the payment as it is then. Where it may not happen any
 * more, another process was faster, and the caller wants its result.
 */
export async function happenToCard<P extends PaymentKey & Pick<StoredPayment, "method" | "choiceCount">>(
  { db, apply }: Pick<FollowDeps, "db" | "apply">,
  payment: P,
  card: CardHappening,
  extra: Partial<PaymentEvent> = {},
): Promise<P | StoredPayment> {
  const { projectId, requestId } = payment;
  const ofChoice = presentChoice(payment);
  const applied = await apply({ projectId, requestId, ofChoice, actor: "provider", ...extra, card } as PaymentEvent);
  return applied.ok ? applied.value : ((await findPayment(db, projectId, requestId)) ?? payment);
}

const TAKEN = { outcome: "taken", detail: null } as const;

/** What a provider says of a charge, turned into what follows from it. The rules are the same for every caller. */
export async function followCharge<P extends ChargedPayment>(
  deps: FollowDeps,
  payment: P,
  said: ChargeState,
  extra: Partial<PaymentEvent> = {},
): Promise<P | StoredPayment> {
  const { provider, reference, requestId } = payment;
  const state = inItsCurrency(payment, said);
  if (provider === null || reference === null) return payment;
  const clearing: ClearingAccount = `clearing:${provider}`;
  const happen = (card: CardHappening, more: Partial<PaymentEvent> = {}) =>
    happenToCard(deps, payment, card, { ...extra, ...more });
  switch (state.kind) {
    case "approved": {
      const { amount } = state;
      const receivedAt = new Date(deps.nowMs());
      const receivedFrom = { provider, receiptReference: reference, amount, receivedAt };
      const fee = withFee(feeOfCharge(payment, state));
      return happen({ kind: "approved", amount, clearing }, { receivedFrom, attemptEnd: TAKEN, ...fee });
    }
    case "declined":
      if (isFinal(payment.state)) return payment;
      return happen(
        { kind: "declined", reason: state.reason },
        { detail: state.reason, attemptEnd: { outcome: "refused", detail: state.reason } },
      );
    case "challenge":
      if (payment.state !== "processing:new") return payment;
      return happen({ kind: "challenged" }, { challenge: sealStep(deps.keyring, requestId, state), attemptEnd: TAKEN });
    case "redirect":
      if (payment.state !== "processing:new") return payment;
      return happen({ kind: "redirected" }, { challenge: sealStep(deps.keyring, requestId, state), attemptEnd: TAKEN });
    case "reversed":
      if (dutyOf(payment) === "reverse") return happen({ kind: "reversed", clearing });
      // Charged and given back before we counted it: nothing is left of it.
      return isFinal(payment.state) || payment.receivedAmount > 0n
        ? payment
        : happen({ kind: "declined", reason: "other" }, { detail: "reversed", attemptEnd: TAKEN });
    case "never_seen":
      return isFinal(payment.state)
        ? payment
        : happen({ kind: "never_seen" }, { attemptEnd: { outcome: "refused", detail: "never seen" } });
    case "pending":
    case "unknown":
      return payment;
  }
}

/** A charge in another currency is another charge, as after a restore of an older backup: of this one nothing is known. */
export function inItsCurrency({ currency }: Pick<StoredPayment, "currency">, state: ChargeState): ChargeState {
  const isOther = state.kind === "approved" && state.currency !== undefined && state.currency !== currency;
  return isOther ? { kind: "unknown" } : state;
}

/** What the acquirer says that it keeps of a charge. */
export function feeOfCharge({ reference }: Pick<StoredPayment, "reference">, state: ChargeState): SaidFee {
  return state.kind === "approved"
    ? { reference, fee: state.fee, feeMax: state.amount }
    : { reference, fee: undefined, feeMax: ZERO };
}
