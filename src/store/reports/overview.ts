import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import { idBounds } from "../../core/reports/period.ts";
import type { Database } from "../db.ts";

type Reader = Pick<Database, "run">;

export type PaymentFigures = {
  readonly projectId: Id;
  readonly direction: Direction;
  readonly currency: Currency;
  readonly bucket: number;
  readonly count: number;
  readonly successCount: number;
  readonly declineCount: number;
  /** As text: a sum can exceed what 64 bits hold. */
  readonly volume: string;
  readonly successSeconds: number;
};

/**
 * Payments created since `from`, by stretches of `stepS` seconds. All of it is in the primary key's index. Times are added up as
 * intervals and counted in seconds only then: for each row that would be arithmetic with numerics.
 */
export function listPaymentFigures(
  db: Reader,
  projectIds: readonly Id[],
  { from, stepS }: { readonly from: Date; readonly stepS: number },
): Promise<PaymentFigures[]> {
  return db.run<PaymentFigures>({
    text: `select f.project_id as "projectId", f.direction, f.currency,
                  round(extract(epoch from f.stretch - $2::timestamptz) / $3)::int as bucket, f.count,
                  f.success_count as "successCount", f.decline_count as "declineCount",
                  coalesce(f.volume, 0)::text as volume,
                  coalesce(extract(epoch from f.success_time), 0)::float8 as "successSeconds"
             from (
               select p.project_id, p.direction, p.currency,
                      date_bin(make_interval(secs => $3::int), p.created_at, $2::timestamptz) as stretch,
                      count(*)::int as count, count(*) filter (where p.state = 'success')::int as success_count,
                      count(*) filter (where p.state = 'decline')::int as decline_count,
                      sum(p.amount) filter (where p.state = 'success') as volume,
                      sum(p.finished_at - p.created_at) filter (where p.state = 'success') as success_time
                 from payments p
                where p.project_id = any($1::uuid[]) and p.created_at >= $2::timestamptz and p.request_id >= $4::uuid
                group by 1, 2, 3, 4) f
            order by f.currency, f.direction, f.project_id, f.stretch`,
    values: [projectIds, from, stepS, idBounds({ from, to: undefined }).lowest],
  });
}
