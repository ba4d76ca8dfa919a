import type { Id } from "../../core/ids.ts";
import type { MethodOffer } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import type { Transaction } from "../db.ts";

/** What a project may do with a method in one direction and currency, and what it costs. */
export type ProjectMethod = MethodOffer & {
  readonly projectId: Id;
  readonly enabled: boolean;
  readonly minAmount: Minor;
  readonly maxAmount: Minor;
  /** Hundredths of a percent. */
  readonly feeBp: number;
  readonly feeFixed: Minor;
};

const COLUMNS = `project_id as "projectId", direction, method, currency, enabled, min_amount as "minAmount",
  max_amount as "maxAmount", fee_bp as "feeBp", fee_fixed as "feeFixed"`;

/** Of all projects, or of those that are named. */
export function listProjectMethods(tx: Transaction, projectIds?: readonly Id[]): Promise<ProjectMethod[]> {
  return tx.run<ProjectMethod>({
    text: `select ${COLUMNS} from project_methods where $1::uuid[] is null or project_id = any($1)
            order by project_id, direction, method, currency`,
    values: [projectIds],
  });
}

export async function findProjectMethod(
  tx: Transaction,
  projectId: Id,
  offer: MethodOffer,
): Promise<ProjectMethod | undefined> {
  const rows = await tx.run<ProjectMethod>({
    text: `select ${COLUMNS} from project_methods
            where project_id = $1 and direction = $2 and method = $3 and currency = $4`,
    values: [projectId, offer.direction, offer.method, offer.currency],
  });
  return rows[0];
}

export async function saveProjectMethods(tx: Transaction, methods: readonly ProjectMethod[]): Promise<void> {
  await tx.run({
    text: `insert into project_methods (project_id, direction, method, currency, enabled, min_amount, max_amount, fee_bp, fee_fixed)
           select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::bigint[], $7::bigint[],
                                $8::integer[], $9::bigint[])
           on conflict (project_id, direction, method, currency) do update
              set enabled = excluded.enabled, min_amount = excluded.min_amount, max_amount = excluded.max_amount,
                  fee_bp = excluded.fee_bp, fee_fixed = excluded.fee_fixed`,
    values: [
      methods.map((method) => method.projectId),
      methods.map((method) => method.direction),
      methods.map((method) => method.method),
      methods.map((method) => method.currency),
      methods.map((method) => method.enabled),
      methods.map((method) => method.minAmount),
      methods.map((method) => method.maxAmount),
      methods.map((method) => method.feeBp),
      methods.map((method) => method.feeFixed),
    ],
  });
}
