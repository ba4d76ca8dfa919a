import type { ConnectorHealth } from "../../core/connector.ts";
import {
  addCall,
  type BreakerState,
  type CallResult,
  figuresOf,
  isMostlyLost,
  type SeenCall,
  type WindowFigures,
} from "../../core/provider-window.ts";
import { openGate } from "../../platform/at-most.ts";
import { type Clocks, openProviderBreaker } from "./provider-breaker.ts";

/**
 * How providers answer, as this process sees it. The breaker of one that loses new payments opens; then they go to others
 * of the route, and after a while one payment at a time tries it again.
 */
export type ProviderHealth = {
  /** The same for a connector that was opened again: its keys changed, and the provider did not. */
  readonly of: (provider: string, callsMax: number) => WatchedHealth;
  readonly list: () => readonly HealthFigures[];
};

export type WatchedHealth = ConnectorHealth & {
  /** Undefined: as many calls as it may have are under way, and this one was not made. `begins`: it brings a new payment. */
  readonly watch: <T>(
    begins: boolean,
    call: () => Promise<T>,
    resultOf: (answer: T) => CallResult,
  ) => Promise<T | undefined>;
};

export type HealthFigures = WindowFigures & {
  readonly provider: string;
  readonly state: BreakerState;
  /** When it was closed last, or when it opened. */
  readonly since: Date;
  /** Since the start of the process. */
  readonly totals: Readonly<Record<CallResult, number>>;
};

/** Well within the time in which a card must be sent. */
const GATE_WAIT_MS = 3_000;
/** About payments that it has, a provider that does not answer is asked so often. */
const ASK_EVERY_MS = 1_000;

const CLOCKS: Clocks = { nowMs: () => performance.now(), wallMs: () => Date.now() };

export function openProviderHealth(clocks: Clocks = CLOCKS, gateWaitMs: number = GATE_WAIT_MS): ProviderHealth {
  const known = new Map<string, ReturnType<typeof openHealth>>();
  return {
    of: (provider, callsMax) => {
      const health = known.get(provider) ?? openHealth(clocks, gateWaitMs);
      known.set(provider, health);
      health.allow(callsMax);
      return health.watched;
    },
    list: () => [...known].map(([provider, { figures }]) => ({ provider, ...figures() })),
  };
}

function openHealth(clocks: Clocks, gateWaitMs: number) {
  const { nowMs } = clocks;
  const breaker = openProviderBreaker(clocks);
  const calls: SeenCall[] = [];
  const totals = { answered: 0, refused: 0, lost: 0 };
  let callsMax = 1;
  const gate = openGate(() => callsMax, gateWaitMs);
  /** The last call was lost, of whichever kind. */
  let isSilent = false;
  let askedMs = Number.NEGATIVE_INFINITY;

  function note(begins: boolean, result: CallResult, startedMs: number): void {
    const endedMs = nowMs();
    addCall(calls, { endedMs, tookMs: endedMs - startedMs, result, begins });
    totals[result] += 1;
    isSilent = result === "lost";
  }

  const watched: WatchedHealth = {
    get callsMax() {
      return callsMax;
    },
    admits: breaker.admits,
    mayAsk: () => {
      if (breaker.isClosed() || !isSilent) return true;
      if (nowMs() - askedMs < ASK_EVERY_MS) return false;
      askedMs = nowMs();
      return true;
    },
    watch: async (begins, call, resultOf) => {
      if (!(await gate.enter())) return undefined;
      const startedMs = nowMs();
      const probe = begins ? breaker.begin() : undefined;
      let result: CallResult = "lost";
      try {
        const answer = await call();
        result = resultOf(answer);
        return answer;
      } finally {
        gate.leave();
        note(begins, result, startedMs);
        const isLost = result === "lost";
        const isTooMuch = begins && isLost && isMostlyLost(calls, breaker.changedAt().ms, nowMs());
        if (begins) breaker.end(probe, { isLost, isTooMuch });
      }
    },
  };
  return {
    watched,
    allow: (max: number) => {
      callsMax = max;
    },
    figures: (): Omit<HealthFigures, "provider"> => ({
      state: breaker.state(),
      since: new Date(breaker.changedAt().wallMs),
      totals: { ...totals },
      ...figuresOf(calls, nowMs()),
    }),
  };
}
