import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Transaction } from "../../store/db.ts";
import {
  findOperatorReference,
  insertOperatorReference,
  isNameOfOtherMoney,
  type VouchedReference,
} from "../../store/ledger/operator-references.ts";

/**
 * An operator proves a movement of money by a bank's reference, which is good for one movement of its book: not for
 * another project, command or way, and not where it names money of another payment that was counted already. True: it was
 * free, and is taken when the caller's transaction commits; the caller rolls back otherwise.
 */
export async function vouch(tx: Transaction, vouched: VouchedReference): Promise<boolean> {
  return (await vouchForLine(tx, vouched)) && !(await isNameOfOtherMoney(tx, vouched));
}

/**
 * The same for what names a line of a receiving account, as a payout or a return from there: whether that line is free is
 * the caller's to see. A line that an operator recorded before is the movement that it proves, and no other.
 */
export async function vouchForLine(tx: Transaction, vouched: VouchedReference): Promise<boolean> {
  if (await insertOperatorReference(tx, vouched)) return true;
  const earlier = await findOperatorReference(tx, vouched.book, vouched.reference);
  return earlier?.command === RECORD;
}

const RECORD = "transfer record";

type RecordedLine = {
  readonly account: { readonly id: Id; readonly book: Book };
  readonly reference: string;
  readonly byOperator?: true;
};

/** A statement's line is proved by the bank itself and needs no operator. */
export async function vouchForTransfer(tx: Transaction, line: RecordedLine): Promise<boolean> {
  if (line.byOperator === undefined) return true;
  const { account, reference } = line;
  return vouchForLine(tx, { book: account.book, reference, command: RECORD, projectId: null, subjectId: account.id });
}
