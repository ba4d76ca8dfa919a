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

/** Payments created since `from`, by stretches of `stepS` seconds. All of it is in the primary key's index. */
export function listPaymentFigures(
  db: Reader,
  projectIds: readonly Id[],
  { from, stepS }: { readonly from: Date; readonly stepS: number },
): Promise<PaymentFigures[]> {
  return db.run<PaymentFigures>({
    text: `select p.project_id as "projectId", p.direction, p.currency,
                  floor(extract(epoch from p.created_at - $2) / $3::float8)::int as bucket, count(*)::int as count,
                  count(*) filter (where p.state = 'success')::int as "successCount",
                  count(*) filter (where p.state = 'decline')::int as "declineCount",
                  coalesce(sum(p.amount) filter (where p.state = 'success'), 0)::text as volume,
                  coalesce(sum(extract(epoch from p.finished_at - p.created_at)::float8)
                    filter (where p.state = 'success'), 0)::float8 as "successSeconds"
             from payments p
            where p.project_id = any($1::uuid[]) and p.created_at >= $2::timestamptz and p.request_id >= $4::uuid
            group by 1, 2, 3, 4 order by 3, 2, 1, 4`,
    values: [projectIds, from, stepS, idBounds({ from, to: undefined }).lowest],
  });
}
