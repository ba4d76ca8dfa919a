import { expect, it } from "vitest";
import { type Migration, migrate, readMigration, readMigrations, schemaState } from "../../store/migrate.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { prepareSchema } from "./prepare-schema.ts";

const { db } = useTestDatabase();
const real = readMigrations();
const later: readonly Migration[] = [...real, readMigration(real.length + 1, "later", "create table later (id int)")];

function openWarnings(): { readonly log: { warn: (record: object) => void }; readonly first: Promise<object> } {
  let warn: (record: object) => void = () => undefined;
  const first = new Promise<object>((resolve) => {
    warn = resolve;
  });
  return { log: { warn: (record) => warn(record) }, first };
}

it("a process that does not migrate says what is missing when it has waited long enough", async () => {
  const options = { migrates: false, dataDir: undefined, migrations: later, waitMaxMs: 0 };
  expect(await prepareSchema(db, { ...options, ...openWarnings() })).toEqual({
    ok: false,
    error: "1 migration is missing, and TILLGATE_MIGRATE is off. Run tillgate migrate.",
  });
  expect(await schemaState(db, later)).toEqual({ kind: "behind", missing: 1 });
});

it("it stops waiting when the process is told to stop", async () => {
  const { log, first } = openWarnings();
  const told = new AbortController();
  const options = { migrates: false, dataDir: undefined, migrations: later, log, stop: told.signal };
  const prepared = prepareSchema(db, options);
  await first;
  told.abort();
  expect(await prepared).toEqual({ ok: false, error: "Stopped while waiting for tillgate migrate." });
});

it("it waits until another program has migrated", async () => {
  const { log, first } = openWarnings();
  const prepared = prepareSchema(db, { migrates: false, dataDir: undefined, migrations: later, log });
  expect(await first).toEqual({ missing: 1 });
  expect(await migrate(db, { migrations: later })).toEqual({ ok: true, value: 1 });
  expect(await prepared).toEqual({ ok: true, value: undefined });
});

it("it refuses a schema that it cannot work on", async () => {
  const options = { migrates: false, dataDir: undefined, migrations: real, ...openWarnings() };
  expect(await prepareSchema(db, options)).toMatchObject({
    ok: false,
    error: expect.stringContaining("newer program"),
  });
});
