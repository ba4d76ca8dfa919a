import { expect, it, vi } from "vitest";
import type { Id } from "../../core/ids.ts";
import { createPayins } from "../../store/payments/create-payments.ts";
import { aNewPayin } from "../../testing/builders/new-payments.ts";
import { aProject } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { refreshStatistics } from "./fresh-statistics.ts";

const { db } = useTestDatabase();

async function createMany(projectId: Id, count: number): Promise<void> {
  const payins = Array.from({ length: count }, () => aNewPayin(projectId));
  await createPayins(db, payins);
}

async function knownRows(table: string): Promise<number> {
  const [row] = await db.run<{ rows: number }>({
    text: "select reltuples::int as rows from pg_class where oid = $1::regclass",
    values: [table],
  });
  return row?.rows ?? Number.NaN;
}

/** Connections report what they changed a little later. */
async function untilReported(changes: number): Promise<void> {
  const reported = async () => {
    const [row] = await db.run<{ changes: number }>({
      text: "select n_mod_since_analyze::int as changes from pg_stat_user_tables where relname = 'payments'",
    });
    expect(row?.changes).toBe(changes);
  };
  await vi.waitFor(reported, { timeout: 60_000 });
}

it("tables that outgrew their statistics get new ones, until they outgrow those", async () => {
  // PostgreSQL's own daemon must not be faster.
  await db.run({ text: "alter table payments set (autovacuum_enabled = false)" });
  const { projectId } = await aProject(db);
  await createMany(projectId, 100);
  expect(await refreshStatistics(db)).not.toContain("payments");
  await createMany(projectId, 900);
  await vi.waitFor(async () => expect(await refreshStatistics(db)).toContain("payments"), { timeout: 60_000 });
  expect(await knownRows("payments")).toBe(1000);
  await createMany(projectId, 900);
  await untilReported(900);
  expect(await refreshStatistics(db)).not.toContain("payments");
  // Updates do not make a table larger, however many there are.
  await db.run({ text: "update payments set tries = tries + 1" });
  await untilReported(2_800);
  expect(await refreshStatistics(db)).not.toContain("payments");
});
