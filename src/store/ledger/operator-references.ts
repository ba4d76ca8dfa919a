import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import { BY_HAND, POOL_PROVIDER, PROVIDERS, wayOf } from "../../core/providers.ts";
import type { Transaction } from "../db.ts";

/** A movement of money that an operator proves by a bank's reference. */
export type OperatorReference = {
  readonly book: Book;
  readonly reference: string;
  /** The command that it was given to: `payment settle`. */
  readonly command: string;
  /** Null: it names a line of a receiving account, and that line says whose the money is. */
  readonly projectId: Id | null;
  /** The payment, the adjustment or the receiving account that money moved for. */
  readonly subjectId: Id;
};

/**
 * False when the reference proves another movement in this book, of any project, command or way; then nothing
 * was written. One that is just being given elsewhere is waited for.
 */
export async function insertOperatorReference(tx: Transaction, given: OperatorReference): Promise<boolean> {
  const rows = await tx.run({
    name: "insert_operator_reference",
    text: `insert into operator_references (book, reference, command, project_id, subject_id)
           values ($1, $2, $3, $4, $5)
           on conflict (book, reference) where freed_at is null do nothing
           returning reference`,
    values: [given.book, given.reference, given.command, given.projectId, given.subjectId],
  });
  return rows.length > 0;
}

export async function findOperatorReference(
  tx: Transaction,
  book: Book,
  reference: string,
): Promise<OperatorReference | undefined> {
  const rows = await tx.run<OperatorReference>({
    name: "find_operator_reference",
    text: `select book, reference, command, project_id as "projectId", subject_id as "subjectId"
             from operator_references where book = $1 and reference = $2 and freed_at is null`,
    values: [book, reference],
  });
  return rows[0];
}

/** The entry that it was given for was reversed, so it may be given for the right one. */
export async function freeOperatorReference(
  tx: Transaction,
  {
    book,
    reference,
    subjectIds,
  }: Pick<OperatorReference, "book" | "reference"> & { readonly subjectIds: readonly Id[] },
): Promise<void> {
  await tx.run({
    name: "free_operator_reference",
    text: `update operator_references set freed_at = now()
            where book = $1 and reference = $2 and subject_id = any($3::uuid[]) and freed_at is null`,
    values: [book, reference, subjectIds],
  });
}

/** Every way by which money is counted under a name, but for the receiving accounts, whose names the database has. */
const WAYS = [BY_HAND, ...Object.keys(PROVIDERS)];

/**
 * Whether money of another payment, or of none, was counted under this name in the book: told by a provider, recorded, or
 * read from a statement. What was reversed since no longer counts, though its receipt stays. One look into a primary key for each project and way, and for each receiving account.
 */
export async function isNameOfOtherMoney(
  tx: Transaction,
  { book, reference, subjectId }: Pick<OperatorReference, "book" | "reference" | "subjectId">,
): Promise<boolean> {
  const rows = await tx.run<{ taken: boolean }>({
    name: "is_name_of_other_money",
    text: `select exists (
             select from projects j
              cross join (select unnest($3::text[]) as way
                           union all select code from providers
                           union all select $4 || code from receiving_accounts where book = $1) w
               join receipts r on r.project_id = j.id and r.provider = w.way and r.receipt_reference = $2
              where j.book = $1 and r.request_id <> $5
                and not exists (
                  select from bank_lines t join receiving_accounts c on c.id = t.account_id
                   where $4 || c.code = r.provider and t.reference = $2 and t.reversed_at is not null)
                and not exists (
                  select from suspense_moves m
                   where m.target_project_id = r.project_id and m.target_request_id = r.request_id and m.reference = $2
                     and m.reversed_at is not null))
           or exists (
             select from receiving_accounts c
               join bank_lines t on t.account_id = c.id and t.reference = $2 and t.reversed_at is null
              where c.book = $1 and t.request_id is distinct from $5) as taken`,
    values: [book, reference, WAYS, wayOf(POOL_PROVIDER, ""), subjectId],
  });
  return rows[0]?.taken ?? false;
}
