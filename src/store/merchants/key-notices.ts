import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Transaction } from "../db.ts";

/** A key whose people are to be told now that it ends. */
export type KeyNotice = {
  readonly keyId: Id;
  readonly label: string;
  readonly book: Book;
  readonly notAfter: Date;
  readonly merchantId: Id;
  readonly merchantName: string;
  /** Null: a key for all of the merchant's projects of its book. */
  readonly projectName: string | null;
};

/**
 * Takes reminders that are due, each once, whichever of the processes asks: the row that is written is the claim. Of a key for
 * which several are due there is one answer. A key that is made for less time than that has no such reminder.
 */
export function claimKeyNotices(
  tx: Transaction,
  { daysBefore, limit }: { readonly daysBefore: readonly number[]; readonly limit: number },
): Promise<KeyNotice[]> {
  return tx.run<KeyNotice>({
    text: `with due as (
             select k.id, d.days from api_keys k cross join unnest($1::int[]) as d (days)
              where k.revoked_at is null and k.not_after > now()
                and k.not_after <= now() + make_interval(days => d.days)
                and k.not_after > k.created_at + make_interval(days => d.days)
                and not exists (select from key_notices n where n.key_id = k.id and n.days_before = d.days)
              order by k.not_after, k.id, d.days limit $2),
           claimed as (
             insert into key_notices (key_id, days_before) select id, days from due order by id, days
             on conflict do nothing returning key_id)
           select k.id as "keyId", k.label, k.book, k.not_after as "notAfter", k.merchant_id as "merchantId",
                  m.name as "merchantName", j.name as "projectName"
             from api_keys k
             join merchants m on m.id = k.merchant_id
             left join projects j on j.id = k.project_id
            where k.id in (select key_id from claimed)
            order by k.not_after, k.id`,
    values: [daysBefore, limit],
  });
}

/** The person who sets this end knows it: what would be due at once is not sent. */
export async function skipKeyNotices(
  tx: Transaction,
  { keyId, notAfter, now, daysBefore }: SkippedNotices,
): Promise<void> {
  await tx.run({
    text: `insert into key_notices (key_id, days_before)
           select $1, d.days from unnest($4::int[]) as d (days)
            where $2::timestamptz <= $3::timestamptz + make_interval(days => d.days)
           on conflict do nothing`,
    values: [keyId, notAfter, now, daysBefore],
  });
}

type SkippedNotices = {
  readonly keyId: Id;
  readonly notAfter: Date;
  readonly now: Date;
  readonly daysBefore: readonly number[];
};
