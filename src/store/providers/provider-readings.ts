import type { ProviderBank } from "../../core/connector.ts";
import type { Database, Transaction } from "../db.ts";

/** What is read of a provider now and then. */
export type Reading = "balances" | "banks";

export type ReadingName = { readonly provider: string; readonly what: Reading };

/**
 * True: this process asks the provider now, and no other does so before `everyS` are over. A process that dies meanwhile leaves
 * nothing to clean up.
 */
export async function claimReading(
  db: Pick<Database, "run">,
  { provider, what, everyS }: ReadingName & { readonly everyS: number },
): Promise<boolean> {
  const rows = await db.run({
    // What is not due is left alone: the conflict would lock its row, and a lock is a write.
    text: `insert into provider_readings (provider, what, next_at)
           select $1, $2, now() + make_interval(secs => $3)
            where not exists (select from provider_readings where provider = $1 and what = $2 and next_at > now())
           on conflict (provider, what) do update set next_at = excluded.next_at
            where provider_readings.next_at <= now()
           returning provider`,
    values: [provider, what, everyS],
  });
  return rows.length === 1;
}

/** Answers since when the provider had not answered before; undefined: it had. */
export async function noteAnswer(
  tx: Transaction,
  { provider, what }: ReadingName,
  banks?: readonly ProviderBank[],
): Promise<Date | undefined> {
  const [was] = await tx.run<{ failingSince: Date | null }>({
    text: `select failing_since as "failingSince" from provider_readings where provider = $1 and what = $2 for update`,
    values: [provider, what],
  });
  await tx.run({
    text: `insert into provider_readings (provider, what, next_at, read_at, banks) values ($1, $2, now(), now(), $3)
           on conflict (provider, what) do update
              set read_at = excluded.read_at, failing_since = null, banks = coalesce(excluded.banks, provider_readings.banks)`,
    values: [provider, what, banks === undefined ? null : JSON.stringify(banks)],
  });
  return was?.failingSince ?? undefined;
}

/** True: it answered the last time, or was never asked before. */
export async function noteSilence(db: Pick<Database, "run">, { provider, what }: ReadingName): Promise<boolean> {
  const rows = await db.run({
    text: `insert into provider_readings (provider, what, next_at, failing_since) values ($1, $2, now(), now())
           on conflict (provider, what) do update set failing_since = now()
            where provider_readings.failing_since is null
           returning provider`,
    values: [provider, what],
  });
  return rows.length === 1;
}

export type StoredReading = ReadingName & {
  readonly readAt: Date | null;
  readonly failingSince: Date | null;
};

export function listReadings(db: Pick<Database, "run">): Promise<StoredReading[]> {
  return db.run<StoredReading>({
    text: `select provider, what, read_at as "readAt", failing_since as "failingSince" from provider_readings
            order by provider, what`,
  });
}

export type ReadBanks = { readonly banks: readonly ProviderBank[]; readonly readAt: Date };

/** The provider's list, as it was last read. */
export async function findReadBanks(tx: Transaction, provider: string): Promise<ReadBanks | undefined> {
  const [row] = await tx.run<{ banks: readonly ProviderBank[] | null; readAt: Date | null }>({
    text: `select banks, read_at as "readAt" from provider_readings where provider = $1 and what = 'banks'`,
    values: [provider],
  });
  const { banks = null, readAt = null } = row ?? {};
  return banks === null || readAt === null ? undefined : { banks, readAt };
}

export type BalanceAge = { readonly provider: string; readonly ageS: number };

/** Seconds since each provider's balance was last read; of one that never answered, since it was configured. */
export function listBalanceAges(db: Pick<Database, "run">): Promise<BalanceAge[]> {
  return db.run<BalanceAge>({
    text: `select v.code as provider, extract(epoch from now() - coalesce(r.read_at, v.created_at))::float8 as "ageS"
             from providers v left join provider_readings r on r.provider = v.code and r.what = 'balances'
            where v.retired_at is null or r.read_at is not null order by v.code`,
  });
}
