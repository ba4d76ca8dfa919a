import { describe, expect, it } from "vitest";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { type Migration, migrate, readMigrations, schemaState } from "./migrate.ts";

const { db } = useTestDatabase();
const real = readMigrations();

function next(version: number, sql: string): Migration {
  return { version, name: `test-${version}`, sql, checksum: `checksum of ${version}` };
}

describe("migrations", () => {
  it("have nothing to do on a current schema", async () => {
    expect(await migrate(db)).toEqual({ ok: true, value: 0 });
    expect(await schemaState(db)).toEqual({ kind: "current" });
  });

  it("are applied once when many processes start at the same time", async () => {
    const wanted = [...real, next(real.length + 1, "create table made_once (id int)")];
    const results = await Promise.all(Array.from({ length: 8 }, () => migrate(db, wanted)));
    expect(results.reduce((sum, result) => sum + (result.ok ? result.value : 100), 0)).toBe(1);
    expect(await schemaState(db, wanted)).toEqual({ kind: "current" });
  });

  it("leave nothing behind when one fails", async () => {
    const wanted = [...real, next(real.length + 1, "create table made_once (id int)")];
    const failing = [...wanted, next(real.length + 2, "create table half (id int); select 1 / 0")];
    await expect(migrate(db, failing)).rejects.toThrow(/division by zero/);
    const [row] = await db.run<{ found: boolean }>({ text: "select to_regclass('half') is not null as found" });
    expect(row?.found).toBe(false);
    expect(await schemaState(db, failing)).toEqual({ kind: "behind", missing: 1 });
  });

  it("of a newer program make an older one refuse", async () => {
    expect(await schemaState(db, real)).toEqual({ kind: "ahead", version: real.length + 1 });
    const refused = await migrate(db, real);
    expect(refused).toMatchObject({
      ok: false,
      error: expect.stringContaining("which a newer program made: run that one"),
    });
  });

  it("that were edited after they were applied are refused", async () => {
    const edited = real.map((migration) => (migration.version === 1 ? { ...migration, checksum: "other" } : migration));
    const migrations = [...edited, next(real.length + 1, "")];
    expect(await schemaState(db, migrations)).toEqual({ kind: "other", migration: "1 (directory)" });
    expect(await migrate(db, migrations)).toEqual({
      ok: false,
      error:
        "The database at DATABASE_URL was made by another version of Tillgate, whose migration 1 (directory) differs: " +
        "run that version, or give this one an empty database.",
    });
  });

  it("of before they were folded are more, and yet of another version, not of a newer one", async () => {
    const folded = real.slice(0, 3).map((migration) => ({ ...migration, checksum: "folded" }));
    expect(await schemaState(db, folded)).toMatchObject({ kind: "other" });
    expect(await migrate(db, folded, "/home/olga/.tillgate")).toEqual({
      ok: false,
      error:
        "The database in /home/olga/.tillgate was made by another version of Tillgate: remove that directory and start again.",
    });
  });
});
