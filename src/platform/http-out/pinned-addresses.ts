import { isIP } from "node:net";
import { isGlobalAddress, isLoopbackAddress } from "../../core/merchants/global-address.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Clock } from "../clock.ts";
import type { RefusedReason } from "./answer.ts";
import { remembering } from "./remembering.ts";
import type { Resolve } from "./resolve.ts";
import type { EgressMode } from "./target.ts";

/** Addresses that were resolved once and all found allowed. Connections are made to these, never to the name. */
export type Pinned = Result<readonly string[], Extract<RefusedReason, "name_not_resolved" | "address_not_allowed">>;

export type PinnerOptions = {
  readonly mode: EgressMode;
  readonly resolve: Resolve;
  readonly clock: Clock;
  readonly keptMs: number;
  readonly timeoutMs: number;
};

const LITERALS_KEPT_MAX = 1_024;

type Kept = { readonly pinned: Pinned; readonly atMs: number };

/** Resolves a name once for all who ask at the same time, and remembers good answers for a short while. */
export function openPinner(options: PinnerOptions): (hostname: string) => Pinned | Promise<Pinned> {
  const { mode, clock } = options;
  const kept = new Map<string, Kept>();
  const asked = new Map<string, Promise<Pinned>>();
  const literals = remembering(LITERALS_KEPT_MAX, (address) => checkAll([address], mode));

  /** A clock that was put back must not prolong anything, hence the lower bound. */
  function isFresh({ atMs }: Kept): boolean {
    const ageMs = clock.nowMs() - atMs;
    return ageMs >= 0 && ageMs < options.keptMs;
  }

  /** The oldest come first in the map, so forgetting stops at the first fresh one. */
  function keep(hostname: string, pinned: Pinned): void {
    for (const [name, entry] of kept) {
      if (isFresh(entry)) break;
      kept.delete(name);
    }
    kept.delete(hostname);
    if (pinned.ok) kept.set(hostname, { pinned, atMs: clock.nowMs() });
  }

  async function ask(hostname: string): Promise<Pinned> {
    const addresses = await resolveWithin(options, hostname);
    const pinned = addresses.length === 0 ? fail("name_not_resolved" as const) : checkAll(addresses, mode);
    asked.delete(hostname);
    keep(hostname, pinned);
    return pinned;
  }

  return (hostname) => {
    if (isIP(hostname) !== 0) return literals(hostname);
    const entry = kept.get(hostname);
    if (entry !== undefined && isFresh(entry)) return entry.pinned;
    const running = asked.get(hostname) ?? ask(hostname);
    asked.set(hostname, running);
    return running;
  };
}

/** One bad address spoils the answer: a name that leads both outside and inside was made to get inside. */
function checkAll(addresses: readonly string[], mode: EgressMode): Pinned {
  const allowed = addresses.every(
    (address) => isGlobalAddress(address) || (mode === "development" && isLoopbackAddress(address)),
  );
  return allowed ? ok(addresses) : fail("address_not_allowed");
}

/** A resolver that rejects and one that stays silent are the same to us: no addresses. */
function resolveWithin({ resolve, timeoutMs }: PinnerOptions, hostname: string): Promise<readonly string[]> {
  return new Promise((done) => {
    const timer = setTimeout(() => done([]), timeoutMs);
    Promise.resolve(hostname)
      .then(resolve)
      .catch(() => [])
      .then((addresses) => {
        clearTimeout(timer);
        done(addresses);
      });
  });
}
