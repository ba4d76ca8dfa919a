// Latencies in an HDR histogram of microseconds, with three significant digits.
import { createHistogram } from "node:perf_hooks";

export function openLatencies() {
  const histogram = createHistogram({ figures: 3 });
  return {
    /** What takes no time at all is counted as a microsecond. */
    record: (ms) => histogram.record(Math.max(1, Math.round(ms * 1000))),
    summary: () => ({
      count: histogram.count,
      p50Ms: at(histogram, 50),
      p99Ms: at(histogram, 99),
      p999Ms: at(histogram, 99.9),
      maxMs: histogram.count === 0 ? undefined : histogram.max / 1000,
    }),
  };
}

function at(histogram, percentile) {
  return histogram.count === 0 ? undefined : histogram.percentile(percentile) / 1000;
}
