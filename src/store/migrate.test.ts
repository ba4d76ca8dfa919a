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
    const results = await Promise.all(Array.from({ length: 8 }, () => migrate(db, { migrations: wanted })));
    expect(results.reduce((sum, result) => sum + (result.ok ? result.value : 100), 0)).toBe(1);
    expect(await schemaState(db, wanted)).toEqual({ kind: "current" });
  });

  it("leave nothing behind when one fails", async () => {
    const wanted = [...real, next(real.length + 1, "create table made_once (id int)")];
    const failing = [...wanted, next(real.length + 2, "create table half (id int); select 1 / 0")];
    await expect(migrate(db, { migrations: failing })).rejects.toThrow(/division by zero/);
    const [row] = await db.run<{ found: boolean }>({ text: "select to_regclass('half') is not null as found" });
    expect(row?.found).toBe(false);
    expect(await schemaState(db, failing)).toEqual({ kind: "behind", missing: 1 });
  });

  it("of a newer program make an older one refuse", async () => {
    expect(await schemaState(db, real)).toEqual({ kind: "ahead", version: real.length + 1 });
    const refused = await migrate(db, { migrations: real });
    expect(refused).toMatchObject({
      ok: false,
      error: expect.stringContaining("which a newer program made: run that one"),
    });
  });

  it.each([
    [[13], "compatible"],
    [[13, 13], "compatible"],
    [[12], "compatible"],
    [[undefined], "ahead"],
    // The newest is compatible with the one before it, and that one is not with this program.
    [[undefined, 14], "ahead"],
    [[13, 14], "ahead"],
  ])("of a newer program that say they are compatible down to %j are %s", async (compatibles, kind) => {
    await db.run({ text: "delete from schema_migrations where version > $1", values: [real.length] });
    for (const [index, compatible] of compatibles.entries()) {
      await db.run({
        text: "insert into schema_migrations (version, name, checksum, compatible) values ($1, 'newer', 'newer', $2)",
        values: [real.length + 1 + index, compatible === undefined ? null : compatible - 13 + real.length],
      });
    }
    const version = real.length + compatibles.length;
    expect(await schemaState(db)).toEqual({ kind, version });
    expect(await migrate(db)).toMatchObject(kind === "compatible" ? { ok: true, value: 0 } : { ok: false });
  });

  it("are written down with what they are compatible with", async () => {
    await db.run({ text: "delete from schema_migrations where version > $1", values: [real.length] });
    const expand = { ...next(real.length + 1, "create table expanded (id int)"), compatible: real.length };
    expect(await migrate(db, { migrations: [...real, expand] })).toEqual({ ok: true, value: 1 });
    expect(await schemaState(db)).toEqual({ kind: "compatible", version: real.length + 1 });
    const contract = next(real.length + 2, "drop table expanded");
    expect(await migrate(db, { migrations: [...real, expand, contract] })).toEqual({ ok: true, value: 1 });
    expect(await schemaState(db)).toEqual({ kind: "ahead", version: real.length + 2 });
    expect(await schemaState(db, [...real, expand])).toEqual({ kind: "ahead", version: real.length + 2 });
  });

  it("of a database from before they said so are told apart by their checksums", async () => {
    await db.run({ text: "alter table schema_migrations drop column compatible" });
    expect(await schemaState(db)).toEqual({ kind: "ahead", version: real.length + 2 });
    await db.run({ text: "alter table schema_migrations add column compatible integer" });
  });

  it("that were edited after they were applied are refused", async () => {
    const edited = real.map((migration) => (migration.version === 1 ? { ...migration, checksum: "other" } : migration));
    const migrations = [...edited, next(real.length + 1, "")];
    expect(await schemaState(db, migrations)).toEqual({ kind: "other", migration: "1 (directory)" });
    expect(await migrate(db, { migrations })).toEqual({
      ok: false,
      error:
        "The database at DATABASE_URL was made by another version of Tillgate, whose migration 1 (directory) differs: " +
        "run that version, or give this one an empty database.",
    });
  });

  it("of before they were folded are more, and yet of another version, not of a newer one", async () => {
    const folded = real.slice(0, 3).map((migration) => ({ ...migration, checksum: "folded" }));
    expect(await schemaState(db, folded)).toMatchObject({ kind: "other" });
    expect(await migrate(db, { migrations: folded, dataDir: "/home/olga/.tillgate" })).toEqual({
      ok: false,
      error:
        "The database in /home/olga/.tillgate was made by another version of Tillgate: remove that directory and start again.",
    });
  });
});
