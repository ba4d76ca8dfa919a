import type { PayoutOutcome, PayoutRequest, PayoutState } from "../../core/connector.ts";
import type { Id } from "../../core/ids.ts";
import { receiverKey, receiverToText } from "../../core/payments/receiver.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { findHandPayoutRow, type HandPayout, insertHandPayout, type StoredHandPayout } from "../store/hand-payouts.ts";
import { sealText } from "./pool-secrets.ts";

type Deps = { readonly db: Database; readonly keyring: Keyring };

/** A payout that a person is to make. It is declined at once where no account of ours could. */
export function takeHandPayout(deps: Deps) {
  return async (request: PayoutRequest): Promise<PayoutOutcome | "other_request"> => {
    const payout = handPayoutOf(deps.keyring, request);
    const inserted = await insertHandPayout(deps.db, payout);
    const stored = await findHandPayoutRow(deps.db, request.reference);
    if (stored === undefined) return { kind: "unknown" };
    return inserted || isSameRequest(stored, payout) ? outcomeOf(stored) : "other_request";
  };
}

export async function findHandPayout(db: Pick<Database, "run">, reference: string): Promise<PayoutState> {
  const stored = await findHandPayoutRow(db, reference);
  if (stored === undefined) return { kind: "never_seen" };
  const { amount, currency } = stored;
  return { ...outcomeOf(stored), requested: { amount, currency } };
}

function handPayoutOf(keyring: Keyring, request: PayoutRequest): HandPayout {
  const { reference, method, currency, amount, receiver } = request;
  const text = receiverToText(receiver);
  return {
    ...{ reference, method, currency, amount },
    projectId: request.projectId as Id,
    receiver: sealText(keyring, { table: "hand_payouts", column: "receiver", row: reference }, text),
    receiverHash: keyring.lookupHash("hand_payouts.receiver", `${receiver.type}:${receiverKey(receiver)}`),
  };
}

function isSameRequest(one: HandPayout, other: HandPayout): boolean {
  return (
    one.projectId === other.projectId &&
    one.method === other.method &&
    one.currency === other.currency &&
    one.amount === other.amount &&
    one.receiverHash.equals(other.receiverHash)
  );
}

function outcomeOf({ outcome, accountCode }: StoredHandPayout): PayoutOutcome {
  switch (outcome) {
    case null:
      return { kind: "pending" };
    case "approved":
      return accountCode === null ? { kind: "unknown" } : { kind: "approved", account: accountCode };
    case "declined":
      return { kind: "declined", reason: "other" };
    default:
      return { kind: outcome };
  }
}
