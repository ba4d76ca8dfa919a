import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import type { Database } from "../../store/db.ts";
import { openTestConnection, TEMPLATE_DATABASE } from "../run/global-setup.ts";
import { openLedgerWatch } from "./ledger-watch.ts";

export type TestDatabase = {
  readonly db: Database;
  readonly url: string;
  /** Makes an empty database beside it, where a sandbox can keep its books. */
  readonly createSandbox: () => Promise<void>;
  readonly sandboxUrl: string;
  /** Connections of its own to the same database, as another process would have; the test closes them. */
  readonly openAnother: () => Database;
  /** For a test that breaks the books on purpose: they are not checked after it. */
  readonly expectBroken: () => void;
};

/**
 * A database of its own for each test file, cloned from the migrated template. After every test the ledger's invariants
 * are checked, whatever the test was about.
 */
export function useTestDatabase(): TestDatabase {
  const postgres = inject("postgres");
  const name = `t_${randomBytes(8).toString("hex")}`;
  const admin = openTestConnection(postgres, "postgres");
  const db = openTestConnection(postgres, name);
  const ledger = openLedgerWatch(db);
  let broken = false;
  /**
   * Copying and removing a database takes as long as it takes on a busy machine. Copying its files takes 12 ms of processor
   * time; through the log, which is the default, it takes 30 ms.
   */
  const administer = (text: string) => admin.run({ text, timeoutMs: 0 });

  beforeAll(async () => {
    await administer(`create database ${name} template ${TEMPLATE_DATABASE} strategy file_copy`);
  });
  afterEach(async () => {
    const expected = broken;
    broken = false;
    if (!expected) expect(await ledger.listViolations()).toEqual([]);
  });
  afterAll(async () => {
    await ledger.close();
    await db.close();
    await administer(`drop database ${name} with (force)`);
    await administer(`drop database if exists ${name}_sandbox with (force)`);
    await admin.close();
  });
  const urlOf = (database: string) =>
    `postgresql://${postgres.user}@/${database}?host=${encodeURIComponent(postgres.host)}&port=${postgres.port}`;
  return {
    db,
    url: urlOf(name),
    createSandbox: async () => {
      await administer(`create database ${name}_sandbox template template0 strategy file_copy`);
    },
    sandboxUrl: urlOf(`${name}_sandbox`),
    openAnother: () => openTestConnection(postgres, name),
    expectBroken: () => {
      broken = true;
    },
  };
}
