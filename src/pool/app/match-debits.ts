import type { Book } from "../../core/merchants/book.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Transaction } from "../../store/db.ts";
import { findPayment, type PaymentKey } from "../../store/payments/payments.ts";
import { findLeavingObstacle, listPayoutCodes } from "../core/hand-payout.ts";
import { type DebitCandidate, listPayoutsOfCodes, listPayoutsOfSums } from "../store/hand-payout-debits.ts";
import { endHandPayout, lockHandPayout } from "../store/hand-payouts.ts";
import { listUnexplainedDebits, type SealedPayer } from "../store/payer-reveals.ts";
import { payerPlace, unsealText } from "./pool-secrets.ts";
import type { TimedLine } from "./reported-lines.ts";

/** A payout by hand that a debit may be, because it names the payout, or because no other has this sum. */
export type DebitClaimant = PaymentKey & { readonly reference: string; readonly by: "code" | "sum" };

/**
 * Says which payout each debit may be. One that names a payout of ours is that payout or none. Of the others, a debit may be
 * the only payout of its sum that was handed out for its account, and only where no second debit could be it too: an
 * unexplained debit is better than a payout that was not made.
 */
export async function findDebitClaimants(
  tx: Transaction,
  lines: readonly TimedLine[],
): Promise<ReadonlyMap<TimedLine, DebitClaimant>> {
  const debits = lines.filter(({ direction }) => direction === "debit");
  if (debits.length === 0) return new Map();
  const named = await listNamed(tx, debits);
  const claimants = new Map<TimedLine, DebitClaimant>();
  for (const [debit, candidates] of named) {
    const fitting = candidates.filter(({ currency, amount }) => currency === debit.currency && amount === debit.amount);
    const [only] = fitting;
    if (only !== undefined && fitting.length === 1) claimants.set(debit, claimantOf(only, "code"));
  }
  const unnamed = debits.filter((debit) => !named.has(debit));
  const taken = new Set([...claimants.values()].map(({ reference }) => reference));
  for (const [debit, candidate] of await listBySum(tx, unnamed)) {
    if (!taken.has(candidate.reference)) claimants.set(debit, claimantOf(candidate, "sum"));
  }
  return claimants;
}

/** The debits that name payouts of ours, with these. */
async function listNamed(
  tx: Transaction,
  debits: readonly TimedLine[],
): Promise<ReadonlyMap<TimedLine, DebitCandidate[]>> {
  const questions = debits.flatMap(({ reference, payer, account }, index) =>
    listPayoutCodes(`${reference}\n${payer ?? ""}`).map((code) => ({ place: index + 1, code, book: account.book })),
  );
  return questions.length === 0 ? new Map() : byDebit(debits, await listPayoutsOfCodes(tx, questions));
}

/** The debits that match exactly one payout, which no other debit matches. */
async function listBySum(
  tx: Transaction,
  debits: readonly TimedLine[],
): Promise<readonly (readonly [TimedLine, DebitCandidate])[]> {
  if (debits.length === 0) return [];
  const questions = debits.map(({ account, currency, amount, span }, index) => ({
    ...{ currency, amount },
    place: index + 1,
    accountId: account.id,
    bookedTo: span.to,
  }));
  const found = [...byDebit(debits, await listPayoutsOfSums(tx, questions))];
  const wanted = new Map<string, number>();
  for (const { reference } of found.flatMap(([, candidates]) => candidates)) {
    wanted.set(reference, (wanted.get(reference) ?? 0) + 1);
  }
  return found.flatMap(([debit, candidates]) => {
    const [only] = candidates;
    const isOnly = only !== undefined && candidates.length === 1 && only.outcome === null;
    return isOnly && wanted.get(only.reference) === 1 ? [[debit, only] as const] : [];
  });
}

function byDebit(debits: readonly TimedLine[], candidates: readonly DebitCandidate[]) {
  const found = new Map<TimedLine, DebitCandidate[]>();
  for (const candidate of candidates) {
    const debit = debits[candidate.place - 1];
    if (debit !== undefined) found.set(debit, [...(found.get(debit) ?? []), candidate]);
  }
  return found;
}

function claimantOf({ projectId, requestId, reference }: DebitCandidate, by: DebitClaimant["by"]): DebitClaimant {
  return { projectId, requestId, reference, by };
}

/**
 * The payout left by this debit. The payment is locked by now, so what was found before is looked at again: undefined where
 * the debit must be something else. `isPresent`: the payment has not been with another provider since.
 */
export async function noteDebitPaid(
  tx: Transaction,
  claimant: DebitClaimant,
  line: TimedLine,
  actor: string,
): Promise<{ readonly isPresent: boolean } | undefined> {
  const payout = await lockHandPayout(tx, claimant.reference);
  const payment = await findPayment(tx, claimant.projectId, claimant.requestId);
  if (payout === undefined || payment === undefined) return undefined;
  if (findLeavingObstacle(payout, payment) !== undefined) return undefined;
  const { reference, reason } = payout;
  const { account } = line;
  if (claimant.by === "sum" && (payout.outcome !== null || payout.accountId !== account.id)) return undefined;
  await endHandPayout(tx, { reference, outcome: "approved", accountId: account.id, reason, actor });
  return { isPresent: payment.reference === reference };
}

/**
 * The codes of payouts that debits name which no payout explains. After a restore of an older backup the bank's statement is imported
 * first, and then the merchant repeats a payout that was lost: its code is the same, and the operator has paid it already.
 */
export async function listCodesPaidBefore(tx: Transaction, keyring: Keyring, book: Book): Promise<ReadonlySet<string>> {
  const debits = await listUnexplainedDebits(tx, book);
  return new Set(debits.flatMap((debit) => listPayoutCodes(`${debit.reference}\n${payerOf(keyring, debit)}`)));
}

/** One that was tampered with names no payout. */
function payerOf(keyring: Keyring, { accountId, reference, payer }: SealedPayer): string {
  try {
    return payer === null ? "" : unsealText(keyring, payerPlace(accountId, reference), payer);
  } catch {
    return "";
  }
}
