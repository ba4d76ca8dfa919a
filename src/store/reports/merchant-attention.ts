import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import type { Database } from "../db.ts";

/** What a merchant's people should look at. Each read is of the projects that the reader may see, and of no others. */
type Reader = Pick<Database, "run">;

export type ProjectCount = { readonly projectId: Id; readonly count: number; readonly oldestAt: Date };

/** Payments in dispute, and since when the oldest of them is there; said in the words of the small index of disputes. */
export function countDisputes(db: Reader, projectIds: readonly Id[]): Promise<ProjectCount[]> {
  return db.run<ProjectCount>({
    text: `select p.project_id as "projectId", count(*)::int as count, min(p.created_at) as "oldestAt"
             from payments p where p.state like 'dispute:%' and p.project_id = any($1::uuid[])
            group by p.project_id`,
    values: [projectIds],
  });
}

/** Callbacks that were given up. */
export function countDeadCallbacksOf(db: Reader, projectIds: readonly Id[]): Promise<ProjectCount[]> {
  return db.run<ProjectCount>({
    text: `select c.project_id as "projectId", count(*)::int as count, min(c.created_at) as "oldestAt"
             from callbacks c where c.state = 'dead' and c.project_id = any($1::uuid[])
            group by c.project_id`,
    values: [projectIds],
  });
}

/** Callback URLs that answered 410: nothing is sent there. */
export function countDisabledUrls(db: Reader, projectIds: readonly Id[]): Promise<ProjectCount[]> {
  return db.run<ProjectCount>({
    text: `select d.project_id as "projectId", count(*)::int as count, min(d.disabled_at) as "oldestAt"
             from disabled_callback_urls d where d.enabled_at is null and d.project_id = any($1::uuid[])
            group by d.project_id`,
    values: [projectIds],
  });
}

export type ExpiringKey = {
  readonly id: Id;
  readonly label: string;
  /** Null: a key for all of the merchant's projects of its book. */
  readonly projectId: Id | null;
  readonly book: "test" | "live";
  readonly notAfter: Date;
};

/** Keys that end within so many days, or have ended within so many, where no other key of the same scope lasts longer. */
export function listExpiringKeys(db: Reader, projectIds: readonly Id[], days: number): Promise<ExpiringKey[]> {
  return db.run<ExpiringKey>({
    text: `select k.id, k.label, k.project_id as "projectId", k.book, k.not_after as "notAfter"
             from api_keys k
            where k.merchant_id in (select j.merchant_id from projects j where j.id = any($1::uuid[]))
              and (k.project_id = any($1::uuid[])
                   or (k.project_id is null
                       and k.book in (select j.book from projects j where j.id = any($1::uuid[]))))
              and k.revoked_at is null
              and k.not_after between now() - make_interval(days => $2) and now() + make_interval(days => $2)
              and not exists (
                select from api_keys o
                 where o.merchant_id = k.merchant_id and o.book = k.book and o.id <> k.id and o.revoked_at is null
                   and (o.project_id is null or o.project_id = k.project_id)
                   and (o.not_after is null or o.not_after > greatest(k.not_after, now() + make_interval(days => $2))))
            order by k.not_after, k.id`,
    values: [projectIds, days],
  });
}

export type NearLimit = {
  readonly projectId: Id;
  readonly direction: Direction;
  readonly currency: Currency;
  readonly count: number;
  readonly countMax: number | null;
  readonly sum: string;
  readonly sumMax: string | null;
};

/** Projects whose payments of a day (UTC, such as `2026-01-31`) reach this share of a limit. */
export function listNearLimits(
  db: Reader,
  projectIds: readonly Id[],
  { share, day }: { readonly share: number; readonly day: string },
): Promise<NearLimit[]> {
  return db.run<NearLimit>({
    text: `select u.project_id as "projectId", u.direction, u.currency, u.count, l.count_max as "countMax",
                  u.sum::text as sum, l.sum_max::text as "sumMax"
             from daily_usage u
             join project_limits l
               on l.project_id = u.project_id and l.direction = u.direction and l.currency = u.currency
            where u.project_id = any($1::uuid[]) and u.day = $3::date and u.customer_id = ''
              and (u.count >= l.count_max * $2::float8 or u.sum >= l.sum_max * $2::numeric)
            order by u.project_id, u.direction, u.currency`,
    values: [projectIds, share, day],
  });
}

/** Payouts made by hand that wait for a second person. */
export function countWaitingBatches(db: Reader, projectIds: readonly Id[]): Promise<ProjectCount[]> {
  return db.run<ProjectCount>({
    text: `select b.project_id as "projectId", count(*)::int as count, min(b.confirmed_at) as "oldestAt"
             from payout_batches b where b.state = 'awaiting_approval' and b.project_id = any($1::uuid[])
            group by b.project_id`,
    values: [projectIds],
  });
}
