import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
// @ts-expect-error: plain JavaScript, because it runs before TypeScript is installed
import { prepare } from "../../../tools/prepare.mjs";
import { seedBanks } from "../../app/merchants/seed-banks.ts";
import { type Database, type DatabaseLimits, openDatabase } from "../../store/db.ts";
import { ensureDatabase, openEmbedded } from "../../store/embedded/embedded.ts";
import { migrate } from "../../store/migrate.ts";
import { dataPlace } from "./data-place.ts";
import type { RunForm } from "./run-form.ts";

/** Where the tests' PostgreSQL listens; each file clones the template that is made here. */
export type TestPostgres = { readonly host: string; readonly port: number; readonly user: string };

declare module "vitest" {
  export interface ProvidedContext {
    postgres: TestPostgres;
    isContinuousIntegration: boolean;
    browser: string;
    form: RunForm;
    upgradePayments: number;
  }
}

export const TEMPLATE_DATABASE = "tillgate_template";

/** One real server for the whole run. Test data need not outlive a power cut, so it does not wait for the disk. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Some tests run the built program; whoever starts vitest by hand gets it built too.
  prepare();
  const stateDir = mkdtempSync(join(dataPlace(), "tillgate-test-"));
  // As root, the server runs under another uid, which must be able to enter.
  chmodSync(stateDir, 0o755);
  const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" };
  const server = await openEmbedded({ stateDir, settings, claim: "service" });
  if (!server.ok) throw new Error(server.error);
  const { connection } = server.value;
  await makeTemplate(connection);
  project.provide("postgres", connection);
  return async () => {
    await server.value.release();
    rmSync(stateDir, { recursive: true, force: true });
  };
}

async function makeTemplate(connection: TestPostgres): Promise<void> {
  await ensureDatabase(connection, TEMPLATE_DATABASE);
  const db = openTestConnection(connection, TEMPLATE_DATABASE);
  const migrated = await migrate(db);
  if (!migrated.ok) throw new Error(migrated.error);
  await seedBanks(db);
  await db.close();
}

/** For what hangs: 64 sessions at once on a machine with a load of 8 wait longer than those of a service should. */
const PATIENT: DatabaseLimits = { connectMs: 60_000, statementMs: 60_000, queryMs: 65_000, lockWaitMs: 60_000 };

export function openTestConnection(connection: TestPostgres, database: string): Database {
  return openDatabase({
    connection: { ...connection, database },
    connectionsMax: 20,
    applicationName: "tillgate test",
    onIdleError: () => undefined,
    limits: PATIENT,
  });
}
