import { afterAll, expect, it } from "vitest";
import { openMetrics } from "../../platform/metrics.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import { listStandbys } from "../../store/processes/database-state.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { addDatabaseGauges } from "./database-gauges.ts";

const { db } = useTestDatabase();
const role = `plain_${newId().slice(-12)}`;

afterAll(async () => {
  await db.run({ text: `drop role if exists ${role}` });
});

async function figuresOf(watched: Database, nowMs = Date.now): Promise<Record<string, number>> {
  const metrics = openMetrics();
  addDatabaseGauges(metrics, watched, nowMs);
  const text = await metrics.registry.metrics();
  const lines = [...text.matchAll(/^(tillgate_database\S+) (\S+)$/gm)];
  return Object.fromEntries(lines.map(([, name, value]) => [name, Number(value)]));
}

it("tells how long the database takes, how its clock differs, and that it takes writes", async () => {
  const figures = await figuresOf(db, () => Date.now() - 60_000);
  expect(figures.tillgate_database_takes_writes).toBe(1);
  expect(figures.tillgate_database_answer_seconds).toBeGreaterThan(0);
  expect(figures.tillgate_database_clock_offset_seconds).toBeGreaterThan(50);
  expect(figures.tillgate_database_clock_offset_seconds).toBeLessThan(70);
  expect(figures['tillgate_database_standbys{mode="sync"}']).toBe(0);
});

it("a database that does not answer takes no writes, and nothing else is told of it", async () => {
  const away = { ...db, run: () => Promise.reject(new Error("away")) };
  expect(await figuresOf(away)).toEqual({ tillgate_database_takes_writes: 0 });
});

it("standbys are counted by mode, and their lag is told by name", async () => {
  const rows = [
    { name: "node2", mode: "sync", lagBytes: 0, lagS: 0 },
    { name: "node3", mode: "async", lagBytes: 4_096, lagS: 1.5 },
  ];
  const run = async ({ text }: { readonly text: string }) =>
    text.includes("pg_has_role") ? [{ may: true }] : text.includes("pg_stat_replication") ? rows : [];
  expect(await figuresOf({ ...db, run: run as Database["run"] })).toMatchObject({
    'tillgate_database_standbys{mode="sync"}': 1,
    'tillgate_database_standbys{mode="async"}': 1,
    'tillgate_database_standby_lag_bytes{standby="node3"}': 4_096,
    'tillgate_database_standby_lag_seconds{standby="node3"}': 1.5,
  });
});

it("a user that may not see standbys tells nothing of them, rather than that there are none", async () => {
  await db.run({ text: `create role ${role}` });
  await db.transaction(async (tx) => {
    expect(await listStandbys(tx)).toEqual([]);
    await tx.run({ text: `set local role ${role}` });
    expect(await listStandbys(tx)).toBeUndefined();
  });
});
