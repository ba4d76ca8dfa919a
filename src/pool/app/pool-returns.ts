import type { AccountLines, SendingAccount } from "../../app/ledger/account-lines.ts";
import { getHouseProject } from "../../app/ledger/house-project.ts";
import { journalExplained } from "../../core/ledger/journal.ts";
import type { Transfer } from "../../core/ledger/transfers.ts";
import { accountOfWay, clearingOf } from "../../core/providers.ts";
import { newId } from "../../platform/new-id.ts";
import type { Transaction } from "../../store/db.ts";
import type { SuspenseMove } from "../../store/ledger/suspense-moves.ts";
import { lockLinesOf } from "../store/bank-lines.ts";
import { explainDebit, findBankLine } from "../store/explained-debits.ts";
import { insertOwnLine } from "../store/own-line.ts";
import { findReceivingAccount } from "../store/receiving-accounts.ts";
import { FUNDS_LINES } from "./pool-funds.ts";
import { takeLineOut } from "./reversed-lines.ts";

/**
 * The receiving account that money is sent back from. Its lines are locked before any payment is, as by every caller that
 * records what its bank reports.
 */
async function lockAccountOfWay(tx: Transaction, way: string): Promise<SendingAccount | undefined> {
  const code = accountOfWay(way);
  const account = code === undefined ? undefined : await findReceivingAccount(tx, code);
  if (account !== undefined) await lockLinesOf(tx, [account.id]);
  return account;
}

/**
 * Records the line that a return is, so that the bank's own word of it later changes nothing. Where the bank spoke
 * first, and that debit was unexplained, it is explained: what it was booked as is to be undone.
 * `taken`: the bank's reference names something else.
 */
async function recordReturn(
  tx: Transaction,
  account: SendingAccount,
  move: SuspenseMove,
  now: Date,
): Promise<readonly Transfer[] | "taken"> {
  const { reference, currency, amount, projectId, requestId, actor } = move;
  const known = await findBankLine(tx, account.id, reference);
  if (known === undefined) {
    const line = { reference, currency, amount, projectId, requestId, actor } as const;
    const names = { accountId: account.id, id: newId() };
    await insertOwnLine(tx, { ...names, ...line, direction: "debit", outcome: "return" }, now);
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

async function takeReturnOut(
  tx: Transaction,
  account: SendingAccount,
  move: SuspenseMove,
  words: { readonly actor: string; readonly reason: string },
): Promise<readonly Transfer[]> {
  const line = await findBankLine(tx, account.id, move.reference);
  if (line?.outcome !== "return" || line.requestId !== move.requestId)
    throw new Error("a return from a receiving account has its line there");
  return takeLineOut(tx, account, line, words);
}

/** What `suspense return` and `provider funds`, and taking these back, need of the lines of receiving accounts. */
export const ACCOUNT_LINES: AccountLines = { lockAccountOfWay, recordReturn, takeReturnOut, ...FUNDS_LINES };
