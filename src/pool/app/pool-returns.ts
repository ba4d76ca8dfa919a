import { journalExplained } from "../../core/ledger/journal.ts";
import type { Transfer } from "../../core/ledger/transfers.ts";
import { accountOfWay, clearingOf } from "../../core/providers.ts";
import { newId } from "../../platform/new-id.ts";
import type { Transaction } from "../../store/db.ts";
import type { SuspenseMove } from "../../store/ledger/suspense-moves.ts";
import { insertBankTransfers, lockTransfersOf, resolveBookedTimes } from "../store/bank-transfers.ts";
import { explainDebit, findTransfer } from "../store/explained-debits.ts";
import { findReceivingAccount, type ReceivingAccount } from "../store/receiving-accounts.ts";
import { getHouseProject } from "./house-project.ts";

/**
 * The receiving account that money is sent back from. Its transfers are locked before any payment is, as by every caller that
 * records what its bank reports.
 */
export async function lockAccountOfWay(tx: Transaction, way: string): Promise<ReceivingAccount | undefined> {
  const code = accountOfWay(way);
  const account = code === undefined ? undefined : await findReceivingAccount(tx, code);
  if (account !== undefined) await lockTransfersOf(tx, [account.id]);
  return account;
}

/**
 * Records the transfer that a return is, so that the bank's own word of it later changes nothing. Where the bank spoke
 * first, and that debit was unexplained, it is explained: what it was booked as is to be undone.
 * `taken`: the bank's reference names something else.
 */
export async function recordReturn(
  tx: Transaction,
  account: ReceivingAccount,
  move: SuspenseMove,
  now: Date,
): Promise<readonly Transfer[] | "taken"> {
  const { reference, currency, amount, projectId, requestId, actor } = move;
  const known = await findTransfer(tx, account.id, reference);
  if (known === undefined) {
    const booked = { kind: "instant", from: now, to: now } as const;
    const [span] = await resolveBookedTimes(tx, [{ accountId: account.id, booked }]);
    if (span === undefined) throw new Error("every transfer has its time");
    const times = { bookedFrom: span.from, bookedTo: span.to, bookedDay: span.day };
    const names = { accountId: account.id, id: newId(), reference, actor, projectId, requestId };
    await insertBankTransfers(tx, [
      { ...names, ...times, direction: "debit", currency, amount, payer: null, outcome: "return" },
    ]);
    return [];
  }
  const isThis = known.outcome === "unexplained" && known.currency === currency && known.amount === amount;
  if (!isThis) return "taken";
  const house = await getHouseProject(tx, account.book);
  await explainDebit(tx, known.id, { explanation: { outcome: "return", payment: { projectId, requestId } }, actor });
  return [
    journalExplained({ projectId: house, subjectId: known.id, currency }, newId(), amount, clearingOf(move.through)),
  ];
}
