import type { BreakerState } from "../../core/provider-window.ts";
import type { LabelledFigure, Metrics } from "../../platform/metrics.ts";
import type { HealthFigures, ProviderHealth } from "./health-window.ts";

const STATE_FIGURES: Readonly<Record<BreakerState, number>> = { closed: 0, half_open: 1, open: 2 };

/** What this process sees of the providers that it calls. */
export function addHealthGauges({ gauges }: Metrics, { list }: ProviderHealth): void {
  const each = (pick: (seen: HealthFigures) => Omit<LabelledFigure, "labels">[] | LabelledFigure[]) => async () =>
    list().flatMap((seen) =>
      pick(seen).map((figure) => ({
        value: figure.value,
        labels: { provider: seen.provider, ...("labels" in figure ? figure.labels : {}) },
      })),
    );
  gauges(
    "tillgate_provider_breaker",
    "Breaker of a provider: 0 closed, 1 trying again, 2 open",
    ["provider"],
    each(({ state }) => [{ value: STATE_FIGURES[state] }]),
  );
  gauges(
    "tillgate_provider_calls",
    "Calls to a provider since the start, by result",
    ["provider", "result"],
    each(({ totals }) => Object.entries(totals).map(([result, value]) => ({ labels: { result }, value }))),
  );
  gauges(
    "tillgate_provider_latency_seconds",
    "How long a provider took to answer in the last minute",
    ["provider", "quantile"],
    each(({ p50Ms, p95Ms }) => [...quantile("0.5", p50Ms), ...quantile("0.95", p95Ms)]),
  );
}

function quantile(name: string, ms: number | null): LabelledFigure[] {
  return ms === null ? [] : [{ labels: { quantile: name }, value: ms / 1_000 }];
}
