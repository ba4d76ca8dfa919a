import { beforeAll, describe, expect, it } from "vitest";
import { readOverviewQuestion } from "../../core/reports/overview.ts";
import { newId } from "../../platform/new-id.ts";
import { aCallback, disableUrl } from "../../testing/builders/callbacks.ts";
import { rsaKeyOf } from "../../testing/builders/projects.ts";
import { aReportWorld, type ReportWorld } from "../../testing/builders/report-world.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { readOverview } from "./read-overview.ts";

const { db } = useTestDatabase();
const DAY_MS = 86_400_000;

let world: ReportWorld;
/** One moment for all of it, so that the tests do not depend on when they run. */
let now: Date;

beforeAll(async () => {
  world = await aReportWorld(db, 120);
  now = new Date();
});

async function overviewOf(query: Record<string, string>, scope = world.scope) {
  const question = readOverviewQuestion(query);
  if (!question.ok) throw new Error(question.error.description);
  const overview = await readOverview(db, scope, question.value, now);
  if (!overview.ok) throw new Error(overview.error);
  return overview.value;
}

type Counted = { count: number; success: number; decline: number; volume: bigint; seconds: number };

/** The same figures by another road: one plain statement for each question. */
async function figuresSince(projectId: string, currency: string, direction: string, from: Date): Promise<Counted> {
  const [row] = await db.run<Counted>({
    text: `select count(*)::int as count, (count(*) filter (where state = 'success'))::int as success,
                  (count(*) filter (where state = 'decline'))::int as decline,
                  coalesce(sum(case when state = 'success' then amount end), 0)::bigint as volume,
                  avg(case when state = 'success' then extract(epoch from finished_at - created_at) end)::float8 as seconds
             from payments where project_id = $1 and currency = $2 and direction = $3 and created_at >= $4`,
    values: [projectId, currency, direction, from],
  });
  if (row === undefined) throw new Error("no figures");
  return row;
}

describe("the overview", () => {
  it.each([1, 7, 30])("of %i days has the figures of the table, and points that add up to them", async (days) => {
    const { series } = await overviewOf({ days: String(days) });
    const from = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - (days - 1) * DAY_MS);
    expect(series.length).toBeGreaterThan(0);
    for (const { book, currency, direction, total, points } of series) {
      const table = await figuresSince(book === "live" ? world.live : world.test, currency, direction, from);
      expect([total.count, total.successCount, total.declineCount, total.volume]).toEqual([
        ...[table.count, table.success, table.decline, table.volume],
      ]);
      const ended = table.success + table.decline;
      expect(total.successRate).toBe(ended === 0 ? null : table.success / ended);
      if (table.success > 0) expect(total.averageSuccessS).toBeCloseTo(table.seconds, 3);
      expect(points.reduce((count, point) => count + point.count, 0)).toBe(total.count);
      expect(points.reduce((volume, point) => volume + point.volume, 0n)).toBe(total.volume);
      expect(points.length).toBe(days === 1 ? now.getUTCHours() + 1 : days);
      expect(points[0]?.at).toEqual(from);
    }
    const books = new Set(series.map(({ book }) => book));
    expect([...books].sort()).toEqual(["live", "test"]);
  });

  it("has the balances of the merchant's projects and of no others", async () => {
    const { balances } = await overviewOf({});
    const rows = await db.run({
      text: `select project_id as "projectId", currency, available, locked from balances
              where project_id in ($1, $2) order by project_id, currency`,
      values: [world.live, world.test],
    });
    expect(balances.map(({ book: _book, ...balance }) => balance)).toEqual(rows);
    const ofTest = await overviewOf({ project: world.test });
    expect(new Set(ofTest.balances.map(({ book }) => book))).toEqual(new Set(["test"]));
  });

  it("tells what needs attention, and nothing of another merchant's", async () => {
    const before = (await overviewOf({})).attention;
    expect(before.disputes.map(({ projectId }) => projectId).sort()).toEqual([world.live, world.test].sort());
    expect([before.deadCallbacks, before.disabledUrls, before.expiringKeys, before.nearLimits]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    for (const [merchantId, projectId] of [
      [world.merchantId, world.live],
      [world.foreign.merchantId, world.foreign.projectId],
    ] as const) {
      await aCallback(db, projectId, { state: "dead", attempts: [500] });
      await disableUrl(db, projectId);
      const key = await rsaKeyOf(db, { merchantId, projectId: null, book: "live" });
      await db.run({
        text: "update api_keys set not_after = now() + interval '3 days' where id = $1",
        values: [key.id],
      });
      await db.run({
        text: `insert into project_limits (project_id, direction, currency, count_max, sum_max)
               values ($1, 'payin', 'RUB', 10, null), ($1, 'payout', 'RUB', null, 1000000)`,
        values: [projectId],
      });
      await db.run({
        text: `insert into daily_usage (project_id, direction, currency, day, customer_id, count, sum)
               values ($1, 'payin', 'RUB', $2::date, '', 8, 8000),
                      ($1, 'payin', 'RUB', $2::date, 'c1', 8, 8000),
                      ($1, 'payout', 'RUB', $2::date, '', 8, 8000)`,
        values: [projectId, now.toISOString().slice(0, 10)],
      });
    }
    const { attention } = await overviewOf({});
    expect(attention.deadCallbacks).toMatchObject([{ projectId: world.live, count: 1 }]);
    expect(attention.disabledUrls).toMatchObject([{ projectId: world.live, count: 1 }]);
    expect(attention.expiringKeys).toMatchObject([{ projectId: null, book: "live", label: "test" }]);
    expect(attention.nearLimits).toMatchObject([{ projectId: world.live, direction: "payin", count: 8, countMax: 10 }]);
    const ofTest = (await overviewOf({ project: world.test })).attention;
    expect([ofTest.deadCallbacks, ofTest.expiringKeys, ofTest.nearLimits]).toEqual([[], [], []]);
  });

  it("of another merchant's project is not told from one that does not exist", async () => {
    for (const projectId of [world.foreign.projectId, newId()]) {
      expect(await readOverview(db, world.scope, { projectId, days: 7 }, now)).toEqual({
        ...{ ok: false, error: "not_found" },
      });
    }
  });

  it("takes no other parameters", () => {
    expect(readOverviewQuestion({ days: "2" }).ok).toBe(false);
    expect(readOverviewQuestion({ from: "2026-01-01" }).ok).toBe(false);
  });
});
