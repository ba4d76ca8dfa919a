import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import type { Database } from "../db.ts";

export type Balance = {
  readonly projectId: Id;
  readonly currency: Currency;
  readonly available: Minor;
  readonly locked: Minor;
};

export function listBalances(db: Pick<Database, "run">, projectIds: readonly Id[]): Promise<Balance[]> {
  return db.run<Balance>({
    name: "list_balances",
    text: `select project_id as "projectId", currency, available, locked
             from balances where project_id = any($1::uuid[]) order by project_id, currency`,
    values: [projectIds],
  });
}
