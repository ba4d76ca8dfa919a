import { describe, expect, it } from "vitest";
import { readMigration, readMigrations } from "../../src/store/migrate.ts";
import { listMigrationFaults } from "./migration-rules.ts";

/** Those of 0.1.0 make tables that are empty, and no older program is there. */
const FIRST_RELEASE = 14;
const HEADER = "-- compatible: 13\n";

function faultsOf(sql: string, earlier: readonly string[] = []): string[] {
  const all = [...earlier, sql].map((text, index) => readMigration(14 + index, "test", HEADER + text));
  const last = all.at(-1);
  return last === undefined ? [] : listMigrationFaults(last, all);
}

it("every migration after the first release keeps the rules", () => {
  const all = readMigrations();
  const faults = all.slice(FIRST_RELEASE).flatMap((migration) => {
    return listMigrationFaults(migration, all).map((fault) => `${migration.version} (${migration.name}): ${fault}`);
  });
  expect(faults).toEqual([]);
});

it("a migration must say what it is compatible with", () => {
  const silent = readMigration(14, "test", "alter table payments add column note text");
  expect(listMigrationFaults(silent, [silent])).toEqual([expect.stringContaining("-- compatible: NUMBER")]);
});

describe("refused", () => {
  it.each([
    "create index payments_by_note on payments (note)",
    "create unique index payments_by_note on payments (note)",
    "drop index payments_due",
    "alter table payments alter column amount type numeric",
    "alter table payments alter amount set data type numeric",
    "alter table payments add column note text not null",
    "alter table payments add column note uuid default gen_random_uuid()",
    "alter table payments add column note timestamptz not null default clock_timestamp()",
    "alter table payments add column note text default random()::text",
    "alter table payments add column note bigserial",
    "alter table payments add column note text generated always as (payment_id) stored",
    "alter table payments add column note uuid references projects (id)",
    "alter table payments add column note text check (note <> '')",
    "alter table payments add column note text unique",
    "alter table payments add constraint note_short check (char_length(note) < 65)",
    "alter table payments add check (char_length(note) < 65)",
    "alter table payments add constraint of_project foreign key (project_id) references projects (id)",
    "alter table payments add constraint note_once unique (note)",
    "alter table payments add primary key (request_id)",
    "alter table payments add constraint apart exclude using gist (note with =)",
    "alter table payments alter column note set not null",
    "alter table payments set unlogged",
    "alter table payments rename column note to remark",
    "alter table payments rename to bills",
    "alter table payments drop column note cascade",
    "update payments set note = ''",
    "with x as (select 1) update payments set note = ''",
    "insert into payments_new select * from payments",
    "lock table payments",
    "truncate request_log",
    "create table notes (id int);\nupdate payments set note = ''",
    "alter table payments add column note text;\nalter table callbacks add column note text",
    "alter table payments add column note text;\ncreate trigger t after insert on transfers execute function f()",
    "alter table payments validate constraint a;\nalter table payments add column note text",
  ])("%s", (sql) => {
    expect(faultsOf(sql)).toHaveLength(1);
  });
});

describe("accepted", () => {
  it.each([
    "alter table payments add column note text",
    "alter table payments add column note text not null default ''",
    "alter table payments add column noted boolean not null default false, add column notes integer default 0",
    "alter table payments add column noted_at timestamptz default now()",
    "alter table payments add constraint note_short check (char_length(note) < 65) not valid",
    "alter table payments add constraint of_project foreign key (project_id) references projects (id) not valid",
    "alter table payments add constraint note_once unique using index payments_by_note",
    "alter table payments validate constraint note_short",
    "alter table payments drop column note",
    "alter table payments alter column note drop not null",
    "insert into settings (name, value) values ('a', 'b')",
    "create or replace function f() returns trigger language plpgsql as $$ begin update payments set note = ''; end $$",
    // A table that the file itself makes is empty.
    "create table notes (id uuid primary key references projects (id), note text not null check (note <> ''));\n" +
      "create index notes_by_note on notes (note);\nalter table notes add constraint a check (note <> 'b')",
  ])("%s", (sql) => {
    expect(faultsOf(sql)).toEqual([]);
  });

  it("without a transaction: indexes and batches", () => {
    const sql =
      "-- no transaction\ncreate index concurrently a on payments (note);\nupdate payments set note = '' where note in (select 1 limit 5)";
    expect(faultsOf(sql)).toEqual([]);
  });

  it("set not null, once a check that says the same was validated", () => {
    const check = "alter table payments add constraint noted check (note is not null) not valid";
    const validate = "alter table payments validate constraint noted";
    const set = "alter table payments alter column note set not null";
    expect(faultsOf(set, [check, validate])).toEqual([]);
    expect(faultsOf(set, [check])).toHaveLength(1);
    expect(faultsOf(set, [check.replaceAll("note ", "other "), validate])).toHaveLength(1);
  });
});
