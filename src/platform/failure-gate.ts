import type { BucketSize, TokenBuckets } from "./token-buckets.ts";

/**
 * Limits failures by address without harming those who do not fail. A caller has one token while it is judged, and gets
 * it back if it did not fail. Where all tokens are with callers who are still being judged, the next ones wait for a
 * verdict instead of being refused: a hundred good calls at once must not turn the next hundred away.
 *
 * Many callers can share an address, behind a proxy that was not named or a network that translates addresses. So an
 * address with a good verdict lately has a far larger bucket, and a credential that was good from there has one of its
 * own, which the failures of others do not touch.
 */
export type FailureGate = {
  /** A promise only where the caller must wait for the verdicts of others. */
  readonly enter: (caller: Caller, size: BucketSize, nowMs: () => number) => Pass | Promise<Pass>;
};

type Caller = {
  readonly address: string;
  /** What the caller says it is known by: a key's token, a page's token. */
  readonly credential: string | undefined;
};

/** Undecided: we could not judge the caller, which is no failure of theirs and no proof that they are good. */
type Verdict = "good" | "failed" | "undecided";

export type Pass = {
  /** Zero: come in, and `leave` later; otherwise the milliseconds until it makes sense to try again. */
  readonly waitMs: number;
  /** Not let in because too many others are still being judged, and not because they failed. */
  readonly isCrowded: boolean;
  readonly leave: (verdict: Verdict) => void;
};

/** More than that wait in one lane only in a flood. */
const WAITERS_MAX = 1_000;
/** A verdict counts as lately for this long. */
const LATELY_MS = 3_600_000;
/** Noting a verdict at most once in this time is exact enough, and keeps it off the path of most calls. */
const NOTED_EVERY_MS = 60_000;
const GOOD_NAMES_MAX = 100_000;
/** Refusing 200 bad signatures a second takes about a hundredth of a processor. */
const LATELY_FACTOR = 100;

type Queue = { judged: number; readonly waiters: (() => void)[] };
type Lane = { readonly name: string; readonly size: BucketSize };
type Entry = Pick<Pass, "waitMs" | "isCrowded">;

export function openFailureGate(buckets: TokenBuckets): FailureGate {
  const queues = new Map<string, Queue>();
  const lately = openGoodNames();

  /** Undefined: all tokens are with callers who are being judged. */
  function tryLane({ name, size }: Lane, nowMs: number): Entry | undefined {
    const waitMs = buckets.take(name, size, nowMs);
    const queue = queues.get(name);
    if (waitMs === 0) {
      if (queue === undefined) queues.set(name, { judged: 1, waiters: [] });
      else queue.judged += 1;
      return { waitMs, isCrowded: false };
    }
    const judged = queue !== undefined && queue.judged > 0;
    return judged && queue.waiters.length < WAITERS_MAX ? undefined : { waitMs, isCrowded: judged };
  }

  async function waitForLane(lane: Lane, nowMs: () => number): Promise<Entry> {
    for (;;) {
      await new Promise<void>((resolve) => queues.get(lane.name)?.waiters.push(resolve) ?? resolve());
      const entry = tryLane(lane, nowMs());
      if (entry !== undefined) return entry;
    }
  }

  function leaveLane({ name, size }: Lane, verdict: Verdict): void {
    if (verdict !== "failed") buckets.refund(name, size);
    const queue = queues.get(name);
    if (queue === undefined) return;
    queue.judged -= 1;
    queue.waiters.shift()?.();
    if (queue.judged > 0) return;
    // No caller is left that could give a token back: those who still wait are answered now.
    queues.delete(name);
    for (const wake of queue.waiters) wake();
  }

  return {
    enter: ({ address, credential }, size, nowMs) => {
      const addressName = `address ${address}`;
      const ownName = credential === undefined ? undefined : `own ${address} ${credential}`;
      const startedMs = nowMs();
      const lane: Lane =
        ownName !== undefined && lately.has(ownName, startedMs)
          ? { name: ownName, size: enlarged(size) }
          : lately.has(addressName, startedMs)
            ? { name: addressName, size: enlarged(size) }
            : { name: address, size };
      const leave: Pass["leave"] = (verdict) => {
        leaveLane(lane, verdict);
        if (verdict !== "good") return;
        lately.note(addressName, startedMs);
        if (ownName !== undefined) lately.note(ownName, startedMs);
      };
      const entry = tryLane(lane, startedMs);
      return entry === undefined
        ? waitForLane(lane, nowMs).then((waited) => ({ ...waited, leave }))
        : { ...entry, leave };
    },
  };
}

function enlarged({ perSecond, burst }: BucketSize): BucketSize {
  return { perSecond: perSecond * LATELY_FACTOR, burst: burst * LATELY_FACTOR };
}

/** Only good verdicts are remembered, so strangers cannot fill this; when it is full, the oldest note goes. */
function openGoodNames() {
  const notedAtMs = new Map<string, number>();
  return {
    has: (name: string, nowMs: number): boolean =>
      nowMs - (notedAtMs.get(name) ?? Number.NEGATIVE_INFINITY) < LATELY_MS,
    note: (name: string, nowMs: number): void => {
      const before = notedAtMs.get(name);
      if (before !== undefined && nowMs - before < NOTED_EVERY_MS) return;
      notedAtMs.delete(name);
      notedAtMs.set(name, nowMs);
      if (notedAtMs.size <= GOOD_NAMES_MAX) return;
      for (const oldest of notedAtMs.keys()) {
        notedAtMs.delete(oldest);
        break;
      }
    },
  };
}
