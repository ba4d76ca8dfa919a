import { createSecureContext } from "node:tls";
import { type Clock, systemClock } from "../clock.ts";
import { afterAnswers } from "../deadlines.ts";
import { type EgressAnswer, type EgressRequest, type FailedReason, failed, type Outcome, refused } from "./answer.ts";
import { openConnection } from "./connection.ts";
import { type Dial, dialTcp } from "./dial.ts";
import { exchange } from "./exchange.ts";
import { findSafeHeaders } from "./headers.ts";
import { openLanes } from "./lanes.ts";
import { EGRESS_LIMITS, type EgressLimits } from "./limits.ts";
import { openPinner } from "./pinned-addresses.ts";
import { type Resolve, resolveByQuery, resolveBySystem } from "./resolve.ts";
import { openStop, type Stop, stopWith } from "./stop.ts";
import { type EgressMode, openTargets } from "./target.ts";

/** The one door to servers whose addresses merchants and operators choose. */
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
  /** The public key of the certificate must be one of these as well: SHA-256 of its SPKI, in base64. */
  readonly pins?: readonly string[] | undefined;
  readonly resolve?: Resolve;
  readonly dial?: Dial;
  readonly clock?: Clock;
};

export function openEgress(options: EgressOptions): Egress {
  const { mode, dial = dialTcp, clock = systemClock } = options;
  const limits = { ...EGRESS_LIMITS, ...options.limits };
  const secureContext = createSecureContext(options.ca === undefined ? {} : { ca: [...options.ca] });
  const targets = openTargets(mode);
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
      openConnection({ target, addresses, dial, secureContext, pins: options.pins, limits, onDisconnect }),
  });
  const underWay = new Set<Stop>();
  let closed = false;

  async function carryOut(request: EgressRequest, stop: Stop): Promise<Outcome> {
    const target = targets(request.url);
    if (!target.ok) return refused(target.error);
    const headers = findSafeHeaders(request.headers);
    if (headers === undefined) return refused("bad_header");
    const known = pin(target.value.hostname);
    const pinned = known instanceof Promise ? await unlessStopped(known, stop) : known;
    if (pinned === undefined) return failed(stop.reason as FailedReason);
    if (!pinned.ok) return refused(pinned.error);
    const lane = lanes.find(request.owner ?? "", target.value, pinned.value);
    const taken = await lane.take(stop);
    if (!taken.ok) return failed(taken.error);
    const { method, body, showsHeaders } = request;
    const outgoing = { method, path: target.value.path, headers, body, showsHeaders };
    const { outcome, use } = await exchange(taken.value, outgoing, limits, stop);
    lane.giveBack(taken.value, use);
    return outcome;
  }

  /** Whatever ends a request early does so through one stop, whose reason is the reason of the answer. */
  async function carryOutInTime(request: EgressRequest): Promise<Outcome> {
    if (closed) return failed("closed");
    if (request.signal?.aborted) return failed("aborted");
    const stop = openStop();
    const timer = setTimeout(afterAnswers, limits.totalTimeoutMs, () => stopWith(stop, "timeout"));
    const onAbort = () => stopWith(stop, "aborted");
    request.signal?.addEventListener("abort", onAbort, { once: true });
    underWay.add(stop);
    const outcome = await carryOut(request, stop);
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
      for (const stop of underWay) stopWith(stop, "closed");
      await lanes.close();
    },
  };
}

/** The value, or undefined as soon as it is stopped. */
function unlessStopped<T>(value: Promise<T>, stop: Stop): Promise<T | undefined> {
  if (stop.reason !== undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    stop.listener = () => resolve(undefined);
    value.then((settled) => {
      stop.listener = undefined;
      resolve(stop.reason === undefined ? settled : undefined);
    });
  });
}
