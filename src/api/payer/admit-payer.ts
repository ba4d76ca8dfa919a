import { callerOf } from "../../core/merchants/network.ts";
import type { Clock } from "../../platform/clock.ts";
import { OutOfTime } from "../../platform/deadlines.ts";
import type { FailureGate } from "../../platform/failure-gate.ts";
import type { TokenBuckets } from "../../platform/token-buckets.ts";

/** A person clicks a few times a second at most; a page that is reloaded in anger stays within this. */
const PAGE_RATE = { perSecond: 10, burst: 60 };
/** Guessing tokens is hopeless, and is not let try for long either. */
const GUESS_RATE = { perSecond: 1, burst: 30 };

export type AdmitPayerDeps = {
  readonly clock: Clock;
  readonly failures: FailureGate;
  readonly pagesByToken: TokenBuckets;
};

export type AdmittedPayer<T> =
  | { readonly kind: "in"; readonly value: T }
  /** The token opens nothing. */
  | { readonly kind: "missing" }
  | { readonly kind: "too_fast"; readonly waitMs: number };

/** Those who guess tokens are slowed down by address, and those who have one by payment. */
export async function admitPayer<T extends { readonly payment: { readonly requestId: string } }>(
  deps: AdmitPayerDeps,
  { ip, params }: { readonly ip: string; readonly params: { readonly token: string } },
  open: () => Promise<T | undefined>,
): Promise<AdmittedPayer<T>> {
  const caller = { address: `page ${callerOf(ip)}`, credential: params.token };
  const pass = await deps.failures.enter(caller, GUESS_RATE, deps.clock.nowMs);
  // Those before it wait for the database: it is we who are slow.
  if (pass.isCrowded) throw new OutOfTime();
  if (pass.waitMs > 0) return { kind: "too_fast", waitMs: pass.waitMs };
  let verdict: Parameters<typeof pass.leave>[0] = "undecided";
  let value: T | undefined;
  try {
    value = await open();
    verdict = value === undefined ? "failed" : "good";
  } finally {
    pass.leave(verdict);
  }
  if (value === undefined) return { kind: "missing" };
  const waitMs = deps.pagesByToken.take(value.payment.requestId, PAGE_RATE, deps.clock.nowMs());
  return waitMs > 0 ? { kind: "too_fast", waitMs } : { kind: "in", value };
}

export function retryAfterS(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000));
}
