import { getHouseProject } from "../../app/ledger/house-project.ts";
import type { Id } from "../../core/ids.ts";
import { journalUnexplained } from "../../core/ledger/journal.ts";
import type { Transfer } from "../../core/ledger/transfers.ts";
import type { Book } from "../../core/merchants/book.ts";
import { clearingOfAccount } from "../../core/providers.ts";
import { newId } from "../../platform/new-id.ts";
import type { Transaction } from "../../store/db.ts";
import { freeOperatorReference } from "../../store/ledger/operator-references.ts";
import {
  insertReversal,
  insertUnexplainedAgain,
  markLineReversed,
  wasUnexplained,
} from "../../store/ledger/reversals.ts";
import type { NamedLine } from "../store/explained-debits.ts";

export type LineAccount = { readonly id: Id; readonly code: string; readonly book: Book };

/**
 * A line of an account stops counting, and its reference is free again. Where the bank had reported the line before an
 * operator said what it was, the bank's word stays: it is an unexplained debit again.
 */
export async function takeLineOut(
  tx: Transaction,
  account: LineAccount,
  line: NamedLine,
  { actor, reason }: { readonly actor: string; readonly reason: string },
): Promise<readonly Transfer[]> {
  const house = await getHouseProject(tx, account.book);
  const { currency, amount } = line;
  const projectId = line.projectId ?? house;
  await insertReversal(tx, {
    ...{ projectId, currency, amount, reason, actor },
    id: newId(),
    entry: "bank_line",
    entryId: line.id,
  });
  await markLineReversed(tx, line.id);
  const subjectIds = line.requestId === null ? [account.id] : [account.id, line.requestId];
  await freeOperatorReference(tx, { book: account.book, reference: line.reference, subjectIds });
  if (!(await wasUnexplained(tx, house, line.id))) return [];
  const id = newId();
  await insertUnexplainedAgain(tx, { of: line.id, id, actor });
  const subject = { projectId: house, subjectId: id, currency };
  return [journalUnexplained(subject, newId(), amount, clearingOfAccount(account.code))];
}
