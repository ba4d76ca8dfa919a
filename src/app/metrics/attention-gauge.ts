import { keepFor } from "../../platform/keep-for.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { type Finding, findingsOf, nameOfEntry } from "../attention/findings.ts";
import type { Attention } from "../attention/read-attention.ts";

/** All of `attention` is some thirty small statements: seldom enough to be no load, often enough for an alert. */
const ATTENTION_KEPT_MS = 30_000;

/** How much there is of each entry of `attention`, so that one rule can watch any of them. */
export function addAttentionGauge({ gauges }: Pick<Metrics, "gauges">, read: () => Promise<Attention>): void {
  const kept = keepFor(ATTENTION_KEPT_MS, read);
  gauges("tillgate_attention", "What `attention` lists, by entry and book", ["entry", "book"], async () =>
    [...countsOf(findingsOf(await kept())).values()].map(({ entry, book, count }) => ({
      labels: { entry: nameOfEntry(entry), book: book ?? "all" },
      value: count,
    })),
  );
}

function countsOf(findings: readonly Finding[]): Map<string, Pick<Finding, "entry" | "book" | "count">> {
  const counts = new Map<string, Pick<Finding, "entry" | "book" | "count">>();
  for (const { entry, book, count } of findings) {
    const name = `${entry} ${book}`;
    counts.set(name, { entry, book, count: count + (counts.get(name)?.count ?? 0) });
  }
  return counts;
}
