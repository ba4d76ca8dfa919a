import { createSecureContext } from "node:tls";
import { type Clock, systemClock } from "../clock.ts";
import { type EgressAnswer, type EgressRequest, type FailedReason, failed, type Outcome, refused } from "./answer.ts";
import { openConnection } from "./connection.ts";
import { type Dial, dialTcp } from "./dial.ts";
import { exchange } from "./exchange.ts";
import { findSafeHeaders } from "./headers.ts";
import { openLanes } from "./lanes.ts";
import { EGRESS_LIMITS, type EgressLimits } from "./limits.ts";
import { openPinner } from "./pinned-addresses.ts";
import { type Resolve, resolveByQuery, resolveBySystem } from "./resolve.ts";
import { type EgressMode, parseTarget } from "./target.ts";

/** The one door to servers whose addresses merchants choose. */
export type Egress = {
  /** Never rejects: what went wrong is in the answer. */
  readonly send: (request: EgressRequest) => Promise<EgressAnswer>;
  /** Ends what is under way with `closed`; every connection is gone when the promise is kept. */
  readonly close: () => Promise<void>;
};

export type EgressOptions = {
  /** Development also allows http, any port, and the addresses of this very machine. Other private ones stay closed. */
  readonly mode: EgressMode;
  readonly limits?: Partial<EgressLimits>;
  /** Certificates to trust instead of the usual ones. */
  readonly ca?: readonly string[];
  readonly resolve?: Resolve;
  readonly dial?: Dial;
  readonly clock?: Clock;
};

export function openEgress(options: EgressOptions): Egress {
  const { mode, dial = dialTcp, clock = systemClock } = options;
  const limits = { ...EGRESS_LIMITS, ...options.limits };
  const secureContext = createSecureContext(options.ca === undefined ? {} : { ca: [...options.ca] });
  const pin = openPinner({
    mode,
    clock,
    resolve: options.resolve ?? (mode === "development" ? resolveBySystem : resolveByQuery()),
    keptMs: limits.addressesKeptMs,
    timeoutMs: limits.lookupTimeoutMs,
  });
  const lanes = openLanes({
    limits,
    connect: (target, addresses, onDisconnect) =>
      openConnection({ target, addresses, dial, secureContext, limits, onDisconnect }),
  });
  const underWay = new Set<AbortController>();
  let closed = false;

  async function carryOut(request: EgressRequest, signal: AbortSignal): Promise<Outcome> {
    const target = parseTarget(request.url, mode);
    if (!target.ok) return refused(target.error);
    const headers = findSafeHeaders(request.headers);
    if (headers === undefined) return refused("bad_header");
    const pinned = await unlessStopped(pin(target.value.hostname), signal);
    if (pinned === undefined) return failed(signal.reason as FailedReason);
    if (!pinned.ok) return refused(pinned.error);
    const lane = lanes.find(request.owner ?? "", target.value, pinned.value);
    const taken = await lane.take(signal);
    if (!taken.ok) return failed(taken.error);
    const { method, body } = request;
    const outgoing = { method, path: target.value.path, headers, body };
    const { outcome, use } = await exchange(taken.value, outgoing, limits, signal);
    lane.giveBack(taken.value, use);
    return outcome;
  }

  /** Whatever ends a request early does so through one signal, whose reason is the reason of the answer. */
  async function carryOutInTime(request: EgressRequest): Promise<Outcome> {
    if (closed) return failed("closed");
    if (request.signal?.aborted) return failed("aborted");
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort("timeout" satisfies FailedReason), limits.totalTimeoutMs);
    const onAbort = () => stop.abort("aborted" satisfies FailedReason);
    request.signal?.addEventListener("abort", onAbort, { once: true });
    underWay.add(stop);
    const outcome = await carryOut(request, stop.signal);
    underWay.delete(stop);
    request.signal?.removeEventListener("abort", onAbort);
    clearTimeout(timer);
    return outcome;
  }

  return {
    send: async (request) => {
      const startedMs = performance.now();
      const outcome = await carryOutInTime(request);
      return { ...outcome, latencyMs: Math.round(performance.now() - startedMs) };
    },
    close: async () => {
      closed = true;
      for (const stop of underWay) stop.abort("closed" satisfies FailedReason);
      await lanes.close();
    },
  };
}

/** The value, or undefined as soon as the signal says stop. */
function unlessStopped<T>(value: T | Promise<T>, signal: AbortSignal): Promise<T | undefined> | T | undefined {
  if (signal.aborted) return undefined;
  if (!(value instanceof Promise)) return value;
  return new Promise((resolve) => {
    const stop = () => resolve(undefined);
    signal.addEventListener("abort", stop, { once: true });
    value.then((settled) => {
      signal.removeEventListener("abort", stop);
      resolve(signal.aborted ? undefined : settled);
    });
  });
}
