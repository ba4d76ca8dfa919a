import type { ProviderBalance } from "../../core/connector.ts";
import type { Database, Transaction } from "../db.ts";

/** What we have at a provider, as it said when it last answered. */
export type StoredProviderBalance = ProviderBalance & {
  readonly provider: string;
  readonly readAt: Date;
  readonly now: Date;
};

export function listProviderBalances(db: Pick<Database, "run">): Promise<StoredProviderBalance[]> {
  return db.run<StoredProviderBalance>({
    text: `select provider, currency, amount, locked_amount as "lockedAmount", read_at as "readAt", now() as now
             from provider_balances order by provider, currency`,
  });
}

/** A currency that the provider no longer names is one that nothing is left of. */
export async function saveProviderBalances(
  tx: Transaction,
  provider: string,
  balances: readonly ProviderBalance[],
): Promise<void> {
  await tx.run({
    text: `insert into provider_balances (provider, currency, amount, locked_amount, read_at)
           select $1, n.currency, n.amount, n.locked_amount, now()
             from unnest($2::text[], $3::bigint[], $4::bigint[]) as n (currency, amount, locked_amount)
           union all
           select provider, currency, 0, 0, now() from provider_balances
            where provider = $1 and not currency = any($2)
           on conflict (provider, currency) do update
              set amount = excluded.amount, locked_amount = excluded.locked_amount, read_at = excluded.read_at`,
    values: [
      provider,
      balances.map(({ currency }) => currency),
      balances.map(({ amount }) => amount),
      balances.map(({ lockedAmount }) => lockedAmount),
    ],
  });
}
