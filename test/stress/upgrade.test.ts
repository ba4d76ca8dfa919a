import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { afterAll, expect, inject, it, vi } from "vitest";
import { readMigrations } from "../../src/store/migrate.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type RunningProgram, startProgram } from "../../src/testing/program/program.ts";
import { aClient } from "../../src/testing/service/merchant-client.ts";
import { settled, useTestService } from "../../src/testing/service/test-service.ts";
import { openLockProbe } from "./lock-probe.ts";
import { installNextVersion } from "./next-version.ts";
import { startSteadyLoad } from "./steady-load.ts";

/**
 * A rolling upgrade as docs/operations.md describes it, and back again: the migrations of the next version run on a large table while the old
 * version takes payments, both versions then work side by side, and the old one starts again on the newer schema.
 * `TILLGATE_TEST_PAYMENTS=1000000 npx vitest run --config vitest.stress.config.ts test/stress/upgrade.test.ts` takes a table of that size.
 */
const database = useTestDatabase();
const { db } = database;
const service = useTestService(database, {}, "api");
const PAYMENTS = inject("upgradePayments");
const FILLED_EVERY = 50;
const SEEDED_AT_ONCE = 50_000;
const CALLS = 60;
const LOCK_WAIT_MAX_MS = 1_000;
const WAIT = { timeout: 90_000, interval: 50 };
const next = installNextVersion(readMigrations().length);
const running: RunningProgram[] = [];
/** Of what runs beside the steps. */
const stops: (() => unknown)[] = [];

afterAll(async () => {
  for (const stop of stops) await stop();
  for (const each of running) await each.end("SIGKILL");
  rmSync(next.directory, { recursive: true, force: true });
});

/** Payments that ended long ago and moved no money. Foreign keys hold by construction and are not checked. */
async function seedPayments(): Promise<void> {
  const { projectId } = await aProject(db);
  const client = await db.connect();
  await client.query("set statement_timeout = 0; set session_replication_role = replica");
  for (let from = 0; from < PAYMENTS; from += SEEDED_AT_ONCE) {
    await client.query(
      `insert into payments (project_id, request_id, direction, product, payment_id, body_hash, state, decline_code,
                             method, currency, requested_amount, amount, fee_bp, fee_fixed, fee, customer_id, request,
                             created_at, expires_at, deadline_at, finished_at, released_at)
       select $1, uuidv7(), 'payin', 'p2p', 'old-' || n, '\\x00', 'decline', 'cancelled',
              'card-p2p', 'RUB', 1000, 1000, 250, 0, 25, case when n % $4 = 0 then 'filled' else 'customer-' || n % 1000 end, '{}',
              t, t, t, t, t
         from generate_series($2::int, $3::int) n, (select now() - interval '2 days') as a (t)`,
      [projectId, from, Math.min(from + SEEDED_AT_ONCE, PAYMENTS) - 1, FILLED_EVERY],
    );
  }
  await client.query("vacuum analyze payments");
  await client.end();
}

const ENV = {
  PATH: process.env.PATH ?? "",
  PORT: "0",
  DATABASE_URL: database.url,
  TILLGATE_SANDBOX_DATABASE_URL: database.sandboxUrl,
  TILLGATE_DATA_DIR: service.stateDir,
  TILLGATE_MIGRATE: "off",
  // Limits are for what hangs. A lock that stands in the way is found by the probe.
  TILLGATE_REQUEST_DEADLINE_MS: "60000",
};

async function start(role: "api" | "worker", version: { program?: string } = {}): Promise<RunningProgram> {
  const program = await startProgram(["start", "--role", role], ENV, version);
  running.push(program);
  return program;
}

async function end(program: RunningProgram): Promise<void> {
  expect(await program.end("SIGTERM")).toBe(0);
}

/** The command of the next version. `onRetry` is called when it did not get a lock. */
async function migrateToNext(onRetry: () => void): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, [next.program, "migrate"], { env: ENV, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said += chunk;
    if (`${chunk}`.includes("tried again")) onRetry();
  });
  await once(child, "close");
  return { code: child.exitCode, said };
}

/** Asks every process that is in service whether it is ready, and keeps each answer that is not 200. */
function watchReadiness(urls: () => readonly string[]): { readonly refusals: string[]; readonly stop: () => void } {
  const refusals: string[] = [];
  const ask = async (url: string) => {
    const answer = await fetch(`${url}/readyz`).catch((error: Error) => error);
    if (answer instanceof Error) refusals.push(answer.message);
    else if (answer.status !== 200) refusals.push(`${answer.status} ${await answer.text()}`);
  };
  const timer = setInterval(() => void urls().map(ask), 250);
  return { refusals, stop: () => clearInterval(timer) };
}

it(`an upgrade and a rollback over ${PAYMENTS.toLocaleString("en")} payments under load: no call fails`, async () => {
  await seedPayments();
  const oldWorker = await start("worker");
  const oldApi = await start("api");
  const { credentials, projectId } = await aClient(db, service, { feeBp: 100 });
  await settled(database, oldApi.url);
  let inService = [service.url(), oldApi.url, oldWorker.url];
  const readiness = watchReadiness(() => inService);
  const probe = await openLockProbe(db);
  const load = startSteadyLoad(credentials, [service.url(), oldApi.url]);
  stops.push(load.stop, readiness.stop, probe.stop);
  await load.untilAnswered(CALLS);

  // A long report is in the way of the first migration. The command gives way to the calls, and tries again.
  const report = await db.connect();
  await report.query("begin; select count(*) from payments where customer_id = 'filled'");
  const startMs = performance.now();
  const migrated = await migrateToNext(() => void report.query("commit"));
  const migratedMs = performance.now() - startMs;
  expect(migrated).toEqual({ code: 0, said: expect.stringContaining(`Applied ${next.migrations} migrations.`) });
  expect(migrated.said).toContain("a lock did not come in time");
  await report.end();

  // The old version on the newer schema.
  await load.untilAnswered(CALLS);
  expect(readiness.refusals).toEqual([]);
  const knows = () => oldApi.output().includes("the schema is newer than this program");
  await vi.waitFor(() => expect(knows()).toBe(true), WAIT);

  // Side by side.
  const newWorker = await start("worker", next);
  const newApi = await start("api", next);
  await settled(database, newApi.url);
  inService = [...inService, newApi.url, newWorker.url];
  load.serve([oldApi.url, newApi.url]);
  await load.untilAnswered(CALLS);

  // The new version alone.
  load.serve([newApi.url]);
  inService = [service.url(), newApi.url, newWorker.url];
  await load.untilAnswered(CALLS);
  await end(oldApi);
  await end(oldWorker);
  await load.untilAnswered(CALLS);

  // And back.
  const againApi = await start("api");
  await settled(database, againApi.url);
  inService = [...inService, againApi.url];
  load.serve([againApi.url]);
  await load.untilAnswered(CALLS);
  for (const stop of stops) await stop();

  expect(load.faults).toEqual([]);
  expect(readiness.refusals).toEqual([]);
  expect(probe.longestMs()).toBeLessThan(LOCK_WAIT_MAX_MS);
  await expectUpgraded();
  await expectAllThere(projectId, load.created);
  process.stdout.write(
    `upgrade: ${PAYMENTS} payments, migrated in ${Math.round(migratedMs)} ms; ${load.answered()} calls, the longest ${Math.round(load.longestMs())} ms; ` +
      `longest wait for a table's lock ${Math.round(probe.longestMs())} ms\n`,
  );
}, 600_000);

/** The index is valid, the rule was checked against every row, and the rows are filled in. */
async function expectUpgraded(): Promise<void> {
  const rows = await db.run({
    text: `select (select indisvalid from pg_index where indexrelid = 'payments_of_customer'::regclass) as "indexed",
                  (select convalidated from pg_constraint where conname = 'payments_note_short') as validated,
                  (select count(*)::int from payments where note is not null) as filled`,
  });
  expect(rows).toEqual([{ indexed: true, validated: true, filled: Math.ceil(PAYMENTS / FILLED_EVERY) }]);
}

/** Every payment that was acknowledged is there, and a worker has found requisites for it. */
async function expectAllThere(projectId: string, created: readonly string[]): Promise<void> {
  const stored = async () =>
    db.run<{ id: string }>({
      text: `select payment_id as id from payments where project_id = $1 and state = 'processing:awaiting_confirm'`,
      values: [projectId],
    });
  await vi.waitFor(async () => expect((await stored()).length).toBe(created.length), WAIT);
  expect((await stored()).map(({ id }) => id).sort()).toEqual([...created].sort());
}
