/** What a process wrote of the database the last time. */
export type Pulse = {
  readonly beatAt: Date;
  /** Null: the server does not tell. */
  readonly systemIdentifier: string | null;
  readonly timeline: number | null;
  /** The last point in time that the server was told to recover to; empty: none. */
  readonly recoveryTarget: string;
  /** The last time that no process wrote for longer than `LOST_MAX_S`, where it was not taken for a restore; null: there was none. */
  readonly silence: Silence | null;
};

/** From the last beat before it to the first after it. */
export type Silence = { readonly from: Date; readonly until: Date };

/** What the server says of itself now. */
export type SeenServer = Omit<Pulse, "beatAt" | "silence"> & { readonly now: Date };

/** Why a database is taken for a restored one, in words for people. */
export const RESTORE_REASON_WORDS = {
  other_server: "the database is on another server than before (its system identifier differs)",
  older_than_written: "the database lacks what this process wrote",
  recovery_target: "the server recovered to a point in time",
  timeline_back: "the server's timeline is an earlier one than before",
  other_timeline: "the server's timeline is a new one, and no process wrote for a while before that",
  declared: "an operator declared it",
} as const;
export type RestoreReason = keyof typeof RESTORE_REASON_WORDS;

export type Verdict =
  | { readonly kind: "same" }
  /** Another server took over, and has what was written. */
  | { readonly kind: "failover" }
  /** What was written after `knownUntil` may be lost. */
  | { readonly kind: "restored"; readonly why: RestoreReason; readonly knownUntil: Date };

/** A failover may lose this much where replication is asynchronous; a synchronous one loses nothing. */
export const LOST_MAX_S = 60;
/** A failover takes seconds. What grew a timeline after a longer silence of all processes is taken for a restore. */
const SILENCE_MAX_S = 300;

/**
 * Whether this is the database that was written to before. `remembered` is when this process last wrote the pulse, by the
 * database's clock; undefined where it has just started. Where it is unsure the answer is "restored": a check costs minutes,
 * and a payout that is paid twice costs its amount.
 */
export function judgeDatabase(pulse: Pulse, seen: SeenServer, remembered: Date | undefined): Verdict {
  const restored = (why: RestoreReason, knownUntil = pulse.beatAt): Verdict => ({ kind: "restored", why, knownUntil });
  if (isOther(pulse.systemIdentifier, seen.systemIdentifier)) return restored("other_server");
  const lacksSince = remembered && findLack(pulse, seen, remembered);
  if (lacksSince !== undefined) return restored("older_than_written", lacksSince);
  if (!isOther(pulse.timeline, seen.timeline)) return { kind: "same" };
  if (Number(seen.timeline) < Number(pulse.timeline)) return restored("timeline_back");
  if (seen.recoveryTarget !== "" && seen.recoveryTarget !== pulse.recoveryTarget) return restored("recovery_target");
  // This process wrote until the timeline changed, and what it wrote is there: however long the outage was, nothing is lost.
  if (remembered !== undefined) return { kind: "failover" };
  return secondsBetween(pulse.beatAt, seen.now) > SILENCE_MAX_S ? restored("other_timeline") : { kind: "failover" };
}

/** A process that starts cannot tell a long outage from a restore. One that wrote before it can: whether it was away for as long. */
export function canTestify(remembered: Date | undefined, { now }: SeenServer): remembered is Date {
  return remembered !== undefined && secondsBetween(remembered, now) > SILENCE_MAX_S;
}

/** Since when the database lacks what this process wrote; undefined: it has it, but for what a failover may lose. */
function findLack({ beatAt, silence }: Pulse, { now }: SeenServer, remembered: Date): Date | undefined {
  // Where the server's clock went back, or another server's is behind, other processes have written earlier moments since.
  const wroteAt = remembered < now ? remembered : now;
  if (secondsBetween(beatAt, wroteAt) > LOST_MAX_S) return beatAt;
  // A process that has just started came first, found nothing wrong, and wrote the row: what it found before is the witness.
  const isIn = silence !== null && remembered < silence.until && secondsBetween(silence.from, remembered) > LOST_MAX_S;
  return isIn ? silence.from : undefined;
}

/** What the row says to the next process about the time before this beat. A restore has a row of its own, and is judged once. */
export function silenceAfter({ beatAt, silence }: Pulse, { now }: SeenServer, verdict: Verdict): Silence | null {
  if (verdict.kind === "restored") return null;
  return secondsBetween(beatAt, now) > LOST_MAX_S ? { from: beatAt, until: now } : silence;
}

/** Where one of the two is not known, nothing follows. */
function isOther<T>(before: T | null, now: T | null): boolean {
  return before !== null && now !== null && before !== now;
}

function secondsBetween(earlier: Date, later: Date): number {
  return (later.getTime() - earlier.getTime()) / 1000;
}
