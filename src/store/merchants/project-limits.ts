import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import type { Transaction } from "../db.ts";
import type { DailyLimits } from "../payments/create-payments.ts";

/** How much a project, and each of its customers, may start in a day (UTC), in one direction and currency. */
export type ProjectLimits = DailyLimits & {
  readonly projectId: Id;
  readonly direction: Direction;
  readonly currency: Currency;
};

const COLUMNS = `project_id as "projectId", direction, currency, count_max as "countMax", sum_max as "sumMax",
  customer_count_max as "customerCountMax", customer_sum_max as "customerSumMax"`;

/** Of all projects, or of those that are named. */
export function listProjectLimits(tx: Transaction, projectIds?: readonly Id[]): Promise<ProjectLimits[]> {
  return tx.run<ProjectLimits>({
    text: `select ${COLUMNS} from project_limits where $1::uuid[] is null or project_id = any($1)
            order by project_id, direction, currency`,
    values: [projectIds],
  });
}

export async function findProjectLimits(
  tx: Transaction,
  projectId: Id,
  direction: Direction,
  currency: Currency,
): Promise<ProjectLimits | undefined> {
  const rows = await tx.run<ProjectLimits>({
    text: `select ${COLUMNS} from project_limits where project_id = $1 and direction = $2 and currency = $3`,
    values: [projectId, direction, currency],
  });
  return rows[0];
}

export async function saveProjectLimits(tx: Transaction, limits: ProjectLimits): Promise<void> {
  await tx.run({
    text: `insert into project_limits (project_id, direction, currency, count_max, sum_max, customer_count_max, customer_sum_max)
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (project_id, direction, currency) do update
              set count_max = excluded.count_max, sum_max = excluded.sum_max,
                  customer_count_max = excluded.customer_count_max, customer_sum_max = excluded.customer_sum_max`,
    values: [
      limits.projectId,
      limits.direction,
      limits.currency,
      limits.countMax,
      limits.sumMax,
      limits.customerCountMax,
      limits.customerSumMax,
    ],
  });
}
