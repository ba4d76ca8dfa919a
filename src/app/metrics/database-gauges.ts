import { keepFor } from "../../platform/keep-for.ts";
import type { LabelledFigure, Metrics } from "../../platform/metrics.ts";
import type { Database } from "../../store/db.ts";
import { listStandbys, readDatabaseState, type Standby } from "../../store/processes/database-state.ts";
import { FIGURES_KEPT_MS } from "./figures-kept.ts";

/** More standbys than this are no cluster of PostgreSQL: the names are theirs, and the number of labels is ours. */
const STANDBYS_MAX = 16;

/** How the database does, as this process sees it: a figure that cannot be had is left out. */
export function addDatabaseGauges({ gauges }: Pick<Metrics, "gauges">, db: Database, nowMs: () => number): void {
  const read = keepFor(FIGURES_KEPT_MS, () => ask(db, nowMs));
  const one = (name: string, help: string, pick: (answer: Answer) => number) =>
    gauges(name, help, [], async () => [{ labels: {}, value: pick(await read()) }]);
  one("tillgate_database_answer_seconds", "How long the database took for the smallest question", ({ tookS }) => tookS);
  one("tillgate_database_clock_offset_seconds", "Its clock less this machine's", ({ offsetS }) => offsetS);
  gauges("tillgate_database_takes_writes", "1: it takes writes; 0: it does not, or does not answer", [], async () => [
    {
      labels: {},
      value: await read().then(
        ({ takesWrites }) => (takesWrites ? 1 : 0),
        () => 0,
      ),
    },
  ]);
  addStandbyGauges({ gauges }, db);
}

type Answer = { readonly tookS: number; readonly offsetS: number; readonly takesWrites: boolean };

async function ask(db: Database, nowMs: () => number): Promise<Answer> {
  const startedMs = performance.now();
  const state = await readDatabaseState(db);
  const tookMs = performance.now() - startedMs;
  // The server read its clock somewhere on the way: half of the way is the best guess.
  const offsetS = (state.nowMs - (nowMs() - tookMs / 2)) / 1_000;
  return { tookS: tookMs / 1_000, offsetS, takesWrites: state.takesWrites };
}

function addStandbyGauges({ gauges }: Pick<Metrics, "gauges">, db: Database): void {
  const read = keepFor(FIGURES_KEPT_MS, () => listStandbys(db));
  const each = (pick: (standby: Standby) => number) => async (): Promise<LabelledFigure[]> =>
    ((await read()) ?? [])
      .slice(0, STANDBYS_MAX)
      .map((standby) => ({ labels: { standby: standby.name }, value: pick(standby) }));
  gauges("tillgate_database_standbys", "Standbys that stream from the primary, by mode", ["mode"], async () => {
    const standbys = await read();
    if (standbys === undefined) return [];
    return (["sync", "async"] as const).map((mode) => ({
      labels: { mode },
      value: standbys.filter((standby) => standby.mode === mode).length,
    }));
  });
  gauges(
    "tillgate_database_standby_lag_bytes",
    "What a standby has not replayed yet",
    ["standby"],
    each(({ lagBytes }) => lagBytes),
  );
  gauges(
    "tillgate_database_standby_lag_seconds",
    "How long ago the primary wrote what a standby replayed last",
    ["standby"],
    each(({ lagS }) => lagS),
  );
}
