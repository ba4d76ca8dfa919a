import type { Database, Transaction } from "../db.ts";
import type { AlertChannelName } from "./alert-channels.ts";

/** What a channel was told is there, and was not told is gone. */
export type ToldFinding = {
  readonly finding: string;
  readonly seenAt: Date;
  readonly toldAt: Date;
  readonly toldCount: number;
};

export function listToldFindings(db: Pick<Database, "run">, channel: AlertChannelName): Promise<ToldFinding[]> {
  return db.run<ToldFinding>({
    text: `select finding, seen_at as "seenAt", told_at as "toldAt", told_count as "toldCount"
             from alert_findings where channel = $1 and gone_at is null order by finding`,
    values: [channel],
  });
}

export async function markSeen(tx: Transaction, channel: AlertChannelName, findings: readonly string[]): Promise<void> {
  await tx.run({
    text: `update alert_findings set seen_at = now()
            where channel = $1 and finding = any($2::text[]) and gone_at is null`,
    values: [channel, findings],
  });
}

export type Telling = { readonly finding: string; readonly count: number };

/** A finding that comes back after it was gone is a new one. */
export async function markTold(tx: Transaction, channel: AlertChannelName, told: readonly Telling[]): Promise<void> {
  await tx.run({
    text: `insert into alert_findings as f (channel, finding, since, seen_at, told_at, told_count)
           select $1, t.finding, now(), now(), now(), t.count from unnest($2::text[], $3::int[]) as t (finding, count)
           on conflict (channel, finding) do update
             set since = case when f.gone_at is null then f.since else excluded.since end, seen_at = excluded.seen_at,
                 told_at = excluded.told_at, told_count = excluded.told_count, gone_at = null`,
    values: [channel, told.map(({ finding }) => finding), told.map(({ count }) => count)],
  });
}

export async function markGone(tx: Transaction, channel: AlertChannelName, findings: readonly string[]): Promise<void> {
  await tx.run({
    text: "update alert_findings set gone_at = now() where channel = $1 and finding = any($2::text[])",
    values: [channel, findings],
  });
}
