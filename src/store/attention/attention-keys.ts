import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { CallbackKeyKind } from "../callbacks/callback-keys.ts";
import type { Database } from "../db.ts";

/** Keys whose time is nearly up. The tables are small. */
type Reader = Pick<Database, "run">;

export type EndingKey = {
  readonly id: Id;
  readonly label: string;
  readonly merchantId: Id;
  readonly projectId: Id | null;
  readonly book: Book;
  readonly notAfter: Date;
  readonly now: Date;
};

/**
 * Keys of merchants that end within so many days, or ended within so many, where no other key of the same scope lasts
 * longer: then the merchant can no longer call. One that ended long ago was meant to.
 */
export function listEndingKeys(db: Reader, days: number): Promise<EndingKey[]> {
  return db.run<EndingKey>({
    text: `select k.id, k.label, k.merchant_id as "merchantId", k.project_id as "projectId", k.book,
                  k.not_after as "notAfter", now() as now
             from api_keys k
            where k.revoked_at is null
              and k.not_after between now() - make_interval(days => $1) and now() + make_interval(days => $1)
              and not exists (
                select from api_keys o
                 where o.merchant_id = k.merchant_id and o.book = k.book and o.id <> k.id and o.revoked_at is null
                   and (o.project_id is null or o.project_id = k.project_id)
                   and (o.not_after is null or o.not_after > greatest(k.not_after, now() + make_interval(days => $1))))
            order by k.book, k.not_after, k.id`,
    values: [days],
  });
}

export type EndingCallbackKey = {
  readonly kind: CallbackKeyKind;
  /** Null: the service's own. */
  readonly projectId: Id | null;
  readonly retiresAt: Date;
  readonly now: Date;
};

/**
 * Replaced webhook secrets that sign for at most so many seconds more: then receivers must know their successors. Of the
 * other kinds `listUnpromotedKeys` tells: an operator promotes their successors.
 */
export function listEndingCallbackKeys(db: Reader, withinS: number): Promise<EndingCallbackKey[]> {
  return db.run<EndingCallbackKey>({
    text: `select kind, project_id as "projectId", retires_at as "retiresAt", now() as now
             from callback_keys
            where kind = 'webhook' and retires_at > now() and retires_at <= now() + make_interval(secs => $1)
            order by retires_at, kind, project_id nulls first`,
    values: [withinS],
  });
}
