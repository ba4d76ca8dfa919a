/** What was seen of a provider's answers in the last minute. It knows no clock: time is an argument. */

/** `half_open`: the next payment tries whether it answers again. */
export type BreakerState = "closed" | "open" | "half_open";

/** `refused`: a certain no. `lost`: no answer, or one that says nothing. */
export type CallResult = "answered" | "refused" | "lost";

export type SeenCall = {
  readonly endedMs: number;
  readonly tookMs: number;
  readonly result: CallResult;
  /** It brought a new payment; the others are about payments that the provider has. */
  readonly begins: boolean;
};

export type WindowFigures = {
  readonly calls: number;
  readonly refused: number;
  readonly lost: number;
  /** Null: there were no calls. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
};

const WINDOW_MS = 60_000;
const CALLS_KEPT = 1_000;

/** In the order of their ends. */
export function addCall(calls: SeenCall[], call: SeenCall): void {
  calls.push(call);
  const first = calls.findIndex(({ endedMs }) => endedMs > call.endedMs - WINDOW_MS);
  calls.splice(0, Math.max(first, calls.length - CALLS_KEPT));
}

export function figuresOf(calls: readonly SeenCall[], nowMs: number): WindowFigures {
  const recent = calls.filter(({ endedMs }) => endedMs > nowMs - WINDOW_MS);
  const took = recent.map(({ tookMs }) => tookMs).sort((one, other) => one - other);
  const countOf = (wanted: CallResult) => recent.filter(({ result }) => result === wanted).length;
  return {
    calls: recent.length,
    refused: countOf("refused"),
    lost: countOf("lost"),
    p50Ms: quantileOf(took, 0.5),
    p95Ms: quantileOf(took, 0.95),
  };
}

function quantileOf(sorted: readonly number[], part: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? null;
}

const JUDGED_MIN = 20;
const LOST_SHARE = 0.5;

/** Half of the calls that brought new payments were lost since then; of fewer than twenty nothing is concluded. */
export function isMostlyLost(calls: readonly SeenCall[], sinceMs: number, nowMs: number): boolean {
  const fromMs = Math.max(sinceMs, nowMs - WINDOW_MS);
  const judged = calls.filter(({ begins, endedMs }) => begins && endedMs > fromMs);
  const lost = judged.filter(({ result }) => result === "lost");
  return judged.length >= JUDGED_MIN && lost.length >= judged.length * LOST_SHARE;
}
