import { keepFor } from "../../platform/keep-for.ts";
import type { LabelledFigure, Metrics } from "../../platform/metrics.ts";
import { countContradicted, countShortfalls, type Pile } from "../../store/attention/attention.ts";
import type { Database } from "../../store/db.ts";
import { type LastLedgerCheck, readLastLedgerCheck } from "../../store/ledger/ledger-checks.ts";
import { SHORTFALL_DAYS } from "../attention/read-attention.ts";
import { FIGURES_KEPT_MS } from "./figures-kept.ts";

/** Money that is missing, and when the books were last proven. */
export function addLedgerGauges({ gauges }: Pick<Metrics, "gauges">, db: Database): void {
  const piles = (name: string, help: string, read: () => Promise<Pile[]>, pick: (pile: Pile) => number) =>
    gauges(name, help, ["book", "currency"], async () => (await read()).map((pile) => figureOf(pile, pick(pile))));
  const shortfalls = keepFor(FIGURES_KEPT_MS, () => countShortfalls(db, SHORTFALL_DAYS));
  const contradicted = keepFor(FIGURES_KEPT_MS, () => countContradicted(db, SHORTFALL_DAYS));
  piles("tillgate_shortfall_minor", "Paid twice in 30 days, in minor units", shortfalls, ({ sum }) => Number(sum));
  piles("tillgate_payments_contradicted", "Contradicted after the end, 30 days", contradicted, ({ count }) => count);

  const last = keepFor(FIGURES_KEPT_MS, () => readLastLedgerCheck(db));
  const check = (name: string, help: string, pick: (check: LastLedgerCheck) => number) =>
    gauges(name, help, [], async () => [{ labels: {}, value: pick(await last()) }]);
  check("tillgate_ledger_check_age_seconds", "Since the last ledger check ended", ({ ageS }) => ageS);
  check("tillgate_ledger_check_violations", "What the last ledger check found", (found) => found.violationCount);
}

function figureOf({ book, currency }: Pile, value: number): LabelledFigure {
  return { labels: { book, currency }, value };
}
