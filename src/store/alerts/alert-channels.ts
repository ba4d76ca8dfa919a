import type { Database, Transaction } from "../db.ts";

export type AlertChannelName = "email" | "webhook";

/** A look that this process has taken, and that no other one takes before `leaseS` are over. */
export type AlertLook = {
  readonly channel: AlertChannelName;
  readonly number: bigint;
  readonly now: Date;
  readonly failureCount: number;
};

/** Undefined: it is not time yet, or another process has taken it. */
export async function claimAlertLook(
  db: Pick<Database, "run">,
  channel: AlertChannelName,
  leaseS: number,
): Promise<AlertLook | undefined> {
  const rows = await db.run<AlertLook>({
    text: `insert into alert_channels as c (channel, look_number, next_look_at)
           values ($1, 1, now() + make_interval(secs => $2))
           on conflict (channel) do update set look_number = c.look_number + 1, next_look_at = excluded.next_look_at
             where c.next_look_at <= now()
           returning channel, look_number as number, now() as now, failure_count as "failureCount"`,
    values: [channel, leaseS],
  });
  return rows[0];
}

/** False: another process has taken the next look meanwhile. */
export async function lockAlertLook(tx: Transaction, { channel, number }: AlertLook): Promise<boolean> {
  const rows = await tx.run({
    text: "select from alert_channels where channel = $1 and look_number = $2 for update",
    values: [channel, number],
  });
  return rows.length > 0;
}

/** The result of a look: when the next one is, and whether its message was refused. Where there was nothing to tell, none was. */
export async function endAlertLook(
  tx: Transaction,
  { channel }: AlertLook,
  { nextInS, isRefused }: { readonly nextInS: number; readonly isRefused: boolean },
): Promise<void> {
  await tx.run({
    text: `update alert_channels
              set next_look_at = now() + make_interval(secs => $2),
                  failing_since = case when $3::boolean then coalesce(failing_since, now()) end,
                  failure_count = case when $3 then failure_count + 1 else 0 end
            where channel = $1`,
    values: [channel, nextInS, isRefused],
  });
}

export type FailingChannel = { readonly channel: AlertChannelName; readonly failingS: number };

/** How long each channel has been refusing messages; 0: it does not. */
export function listFailingChannels(db: Pick<Database, "run">): Promise<FailingChannel[]> {
  return db.run<FailingChannel>({
    text: `select channel, coalesce(extract(epoch from now() - failing_since), 0)::float8 as "failingS"
             from alert_channels order by channel`,
  });
}
