import type { Pulse, SeenServer, Silence } from "../../core/restore/judge-database.ts";
import type { Transaction } from "../db.ts";

type PulseRow = {
  beatAt: Date;
  systemIdentifier: string | null;
  timeline: number | null;
  recoveryTarget: string;
  silentFrom: Date | null;
  silentUntil: Date | null;
  now: Date;
  seenIdentifier: string | null;
  seenTimeline: number | null;
  seenTarget: string;
};

/** What was written last, and what the server says now. Processes take turns, so that one of them judges a change. */
export async function lockPulse(tx: Transaction): Promise<{ readonly pulse: Pulse; readonly seen: SeenServer }> {
  const [row] = await tx.run<PulseRow>({
    name: "lock_pulse",
    text: `select beat_at as "beatAt", system_identifier as "systemIdentifier", timeline, recovery_target as "recoveryTarget",
                  silent_from as "silentFrom", silent_until as "silentUntil",
                  date_trunc('milliseconds', clock_timestamp()) as now, database_identifier() as "seenIdentifier",
                  database_timeline() as "seenTimeline", recovery_target() as "seenTarget"
             from database_pulse for update`,
  });
  if (row === undefined) throw new Error("database_pulse has lost its row");
  const { silentFrom, silentUntil, now, seenIdentifier, seenTimeline, seenTarget, ...written } = row;
  const silence = silentFrom === null || silentUntil === null ? null : { from: silentFrom, until: silentUntil };
  return {
    pulse: { ...written, silence },
    seen: { now, systemIdentifier: seenIdentifier, timeline: seenTimeline, recoveryTarget: seenTarget },
  };
}

/** The row must be locked. */
export async function savePulse(tx: Transaction, seen: SeenServer, silence: Silence | null): Promise<void> {
  await tx.run({
    name: "save_pulse",
    text: `update database_pulse
              set beat_at = $1, system_identifier = $2, timeline = $3, recovery_target = coalesce(nullif($4, ''), recovery_target),
                  silent_from = $5, silent_until = $6`,
    values: [
      ...[seen.now, seen.systemIdentifier, seen.timeline, seen.recoveryTarget],
      ...[silence?.from ?? null, silence?.until ?? null],
    ],
  });
}
