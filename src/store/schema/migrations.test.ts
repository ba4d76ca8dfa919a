import { describe, expect, it } from "vitest";
import { readMigration, readMigrations } from "./migrations.ts";

describe("the header of a migration", () => {
  it.each([
    ["create table a (id int)", undefined],
    ["-- What it is for.\n-- compatible: 13\n\ncreate table a (id int)", 13],
    // Only the header counts: below it, a comment is for people.
    ["create table a (id int);\n-- compatible: 13", undefined],
    ["-- compatible: 13 or so\nselect 1", undefined],
  ])("%j: compatible down to %s", (sql, compatible) => {
    expect(readMigration(14, "test", sql).compatible).toBe(compatible);
  });

  it.each([0, 14, 15])("migration 14 cannot be compatible with %i", (version) => {
    expect(() => readMigration(14, "test", `-- compatible: ${version}\nselect 1`)).toThrow(/an earlier migration only/);
  });
});

describe("a migration without a transaction", () => {
  const read = (sql: string) => readMigration(14, "test", `-- no transaction\n${sql}`).steps;

  it("has steps that can be repeated", () => {
    const build = "create unique index concurrently a_by_b on a (b) where c = ';'";
    const batch = "update a set b = 1 where id in (select id from a where b is null limit 1000)";
    expect(read(`-- Why.\n${build};\n${batch};\ndrop index concurrently a_by_c;`)).toEqual([
      { kind: "create index", text: build, index: "a_by_b" },
      { kind: "batches", text: batch },
      { kind: "drop index", index: "a_by_c" },
    ]);
  });

  it.each([
    "create index a_by_b on a (b)",
    "alter table a add column b int",
    "update a set b = 1",
    "create index concurrently if not exists a_by_b on a (b)",
    "create index concurrently on a (b)",
    "drop index concurrently a_by_b, a_by_c",
  ])("may not hold: %s", (sql) => {
    expect(() => read(sql)).toThrow(/this is none of them/);
  });

  it("is none of those of the first release", () => {
    expect(readMigrations().filter(({ steps }) => steps !== undefined)).toEqual([]);
  });
});
