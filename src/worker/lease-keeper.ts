import type { HeldLease } from "../app/payments/look.ts";
import { LEASE_S } from "../core/payments/timers.ts";
import type { Log } from "../platform/log.ts";
import { warnOfError } from "../platform/log-lines/quiet-log.ts";

/**
 * Renews the leases of what this process has had in its hands for a while, all of them with one statement. So a lease can be short:
 * a process that died is followed by another soon, and one that waits for a slow provider keeps its work. A look that ends
 * soon costs nothing.
 */
export type LeaseKeeper<Name> = {
  /**
   * `askedMs`: when the database was asked for it, by this process's clock, and so before the lease began. A process that stood still
   * with the answer unread does not take the lease for a new one.
   */
  readonly keep: (name: Name, leaseUntil: Date, askedMs: number) => KeptLease;
  readonly close: () => void;
};

export type KeptLease = HeldLease & {
  /** It is over, or given back. */
  readonly drop: () => void;
};

export type Lease<Name> = Name & { readonly leaseUntil: Date };

export type LeaseKeeperDeps<Name> = {
  readonly log: Log;
  /** Answers the new ends, in their order; undefined: that one was not renewed. */
  readonly renew: (leases: readonly Lease<Name>[], leaseS: number) => Promise<readonly (Date | undefined)[]>;
};

/** After so long in hand, and then each time again. Three of them may fail before the lease ends. */
const RENEW_AFTER_MS = 2_500;
const CHECK_EVERY_MS = 500;

type Entry<Name> = {
  readonly name: Name;
  leaseUntil: Date;
  sinceMs: number;
  /** By this process's clock. */
  endsAtMs: number;
  isSettled: boolean;
  renewal?: Promise<void> | undefined;
};

export function openLeaseKeeper<Name>({ log, renew }: LeaseKeeperDeps<Name>): LeaseKeeper<Name> {
  const kept = new Set<Entry<Name>>();
  let isRenewing = false;

  async function renewAll(entries: readonly Entry<Name>[]): Promise<void> {
    const sentAtMs = performance.now();
    try {
      const leases = entries.map(({ name, leaseUntil }) => ({ ...name, leaseUntil }));
      const ends = await renew(leases, LEASE_S);
      for (const [index, entry] of entries.entries()) {
        const leaseUntil = ends[index];
        if (leaseUntil !== undefined)
          Object.assign(entry, { leaseUntil, sinceMs: sentAtMs, endsAtMs: sentAtMs + LEASE_S * 1_000 });
      }
    } catch (error) {
      warnOfError(log, error, "leases could not be renewed");
    }
  }

  function check(): void {
    if (isRenewing || kept.size === 0) return;
    const nowMs = performance.now();
    const old = [...kept].filter(({ sinceMs, isSettled }) => !isSettled && nowMs - sinceMs >= RENEW_AFTER_MS);
    if (old.length === 0) return;
    isRenewing = true;
    const renewal = renewAll(old).finally(() => {
      isRenewing = false;
      for (const entry of old) entry.renewal = undefined;
    });
    for (const entry of old) entry.renewal = renewal;
  }

  const timer = setInterval(check, CHECK_EVERY_MS);
  timer.unref();
  return {
    keep: (name, leaseUntil, askedMs) => {
      const endsAtMs = askedMs + LEASE_S * 1_000;
      const entry: Entry<Name> = { name, leaseUntil, sinceMs: askedMs, endsAtMs, isSettled: false };
      kept.add(entry);
      return {
        isHeld: () => performance.now() < entry.endsAtMs,
        settle: async () => {
          entry.isSettled = true;
          await entry.renewal;
          return entry.leaseUntil;
        },
        drop: () => {
          kept.delete(entry);
        },
      };
    },
    close: () => clearInterval(timer),
  };
}
