import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Transaction } from "../../store/db.ts";
import {
  findOperatorReference,
  insertOperatorReference,
  isNameOfOtherMoney,
  type OperatorReference,
} from "../../store/ledger/operator-references.ts";

/**
 * An operator proves a movement of money by a bank's reference, which is good for one movement of its book: not for
 * another project, command or way, and not where it names money of another payment that was counted already. True: it was
 * free, and is taken when the caller's transaction commits; the caller rolls back otherwise.
 */
export async function takeReference(tx: Transaction, given: OperatorReference): Promise<boolean> {
  return (await takeLineReference(tx, given)) && !(await isNameOfOtherMoney(tx, given));
}

/**
 * The same for what names a line of a receiving account, as a payout or a return from there: whether that line is free is
 * the caller's to see. A line that an operator recorded before is the movement that it proves, and no other.
 */
export async function takeLineReference(tx: Transaction, given: OperatorReference): Promise<boolean> {
  if (await insertOperatorReference(tx, given)) return true;
  const earlier = await findOperatorReference(tx, given.book, given.reference);
  return earlier?.command === RECORD;
}

const RECORD = "transfer record";

type RecordedLine = {
  readonly account: { readonly id: Id; readonly book: Book };
  readonly reference: string;
  readonly byOperator?: true;
};

/** A statement's line is proved by the bank itself and needs no operator. */
export async function takeRecordedReference(tx: Transaction, line: RecordedLine): Promise<boolean> {
  if (line.byOperator === undefined) return true;
  const { account, reference } = line;
  return takeLineReference(tx, {
    book: account.book,
    reference,
    command: RECORD,
    projectId: null,
    subjectId: account.id,
  });
}
