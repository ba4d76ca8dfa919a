import type pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { waitUntilBlocked } from "../../testing/database/wait-until-blocked.ts";
import { type Migration, migrate, readMigration, readMigrations, schemaState } from "../migrate.ts";
import type { LockPatience } from "./apply-migration.ts";

const { db } = useTestDatabase();
/** Long enough to be seen waiting on a busy machine. */
const PATIENCE: LockPatience = { lockMs: 2_000, gentleLockMs: 60_000, pauseMs: 1, pauseMaxMs: 1, triesMax: 2 };
const IN_TRANSACTION = "-- compatible: 13\n";
const STEPWISE = "-- compatible: 13\n-- no transaction\n";
let other: pg.Client;
let migrations: readonly Migration[] = readMigrations();
const NEXT = migrations.length + 1;

/** Each test applies the next one. */
function next(sql: string): readonly Migration[] {
  const version = migrations.length + 1;
  return [...migrations, readMigration(version, `test-${version}`, sql)];
}

type Warning = { readonly record: object; readonly message: string };

async function apply(sql: string, onWarn: (warning: Warning) => unknown = () => undefined) {
  const wanted = next(sql);
  const warnings: Warning[] = [];
  const warn = (record: object, message: string) => {
    warnings.push({ record, message });
    onWarn({ record, message });
  };
  const result = await migrate(db, { migrations: wanted, patience: PATIENCE, log: { warn } });
  if (result.ok) migrations = wanted;
  return { result, warnings };
}

beforeEach(async () => {
  other = await db.connect();
  await db.run({ text: "create table if not exists grown (id int primary key, word text)" });
  await db.run({ text: "insert into grown (id) select * from generate_series(1, 2500) on conflict do nothing" });
});
afterEach(() => other.end());

async function columnsOfGrown(): Promise<string[]> {
  const rows = await db.run<{ name: string }>({
    text: `select attname as name from pg_attribute where attrelid = 'grown'::regclass and attnum > 0 order by attnum`,
  });
  return rows.map(({ name }) => name);
}

async function indexOf(name: string): Promise<{ valid: boolean; oid: number } | undefined> {
  const [row] = await db.run<{ valid: boolean; oid: number }>({
    text: "select indisvalid as valid, indexrelid::int as oid from pg_index where indexrelid = to_regclass($1)",
    values: [name],
  });
  return row;
}

describe("a lock that another transaction has", () => {
  it("is waited for briefly, and then the migration is refused, with that transaction's name and without its text", async () => {
    await other.query("set application_name = 'a long report'");
    await other.query("begin; select count(*) from grown where word = 'a value'");
    const { rows } = await other.query<{ pid: number }>("select pg_backend_pid() as pid");
    const { result, warnings } = await apply(`${IN_TRANSACTION}alter table grown add column late text`);
    const held = new RegExp(
      `^Migration ${NEXT} \\(test-${NEXT}\\) tried 2 times to get a lock of table grown and did not get it: process ${rows[0]?.pid} ` +
        `\\(a long report, idle in transaction, for \\d+ s\\) held it\\. End that transaction, and run tillgate migrate again\\.$`,
    );
    expect(result).toEqual({ ok: false, error: expect.stringMatching(held) });
    expect(warnings).toHaveLength(2);
    expect(warnings[0]?.record).toMatchObject({ migration: `${NEXT} (test-${NEXT})`, table: "grown", tries: 1 });
    expect(JSON.stringify(warnings)).not.toContain("a value");
    expect(await columnsOfGrown()).toEqual(["id", "word"]);
    expect(await schemaState(db, next(`${IN_TRANSACTION}select 1`))).toEqual({ kind: "behind", missing: 1 });
  });

  it("is tried again, and the migration goes on when that transaction has ended", async () => {
    await other.query("begin; select count(*) from grown");
    const { result, warnings } = await apply(`${IN_TRANSACTION}alter table grown add column late text`, () =>
      other.query("commit"),
    );
    expect(result).toEqual({ ok: true, value: 1 });
    expect(warnings).toHaveLength(1);
    expect(await columnsOfGrown()).toEqual(["id", "word", "late"]);
  });

  it("of a vacuum is waited for without stopping reads and writes", async () => {
    // The lock that a vacuum has; PostgreSQL cancels an autovacuum for a statement that waits for one second.
    await other.query("begin; lock table grown in share update exclusive mode");
    const written: Promise<void>[] = [];
    const write = async () => {
      await waitUntilBlocked(db, 1);
      await db.run({ text: "update grown set word = 'written meanwhile' where id = 1" });
      await other.query("commit");
    };
    const { result } = await apply(`${IN_TRANSACTION}alter table grown add column later text`, () =>
      written.push(write()),
    );
    await Promise.all(written);
    expect(written).toHaveLength(1);
    expect(result).toEqual({ ok: true, value: 1 });
    expect(await columnsOfGrown()).toContain("later");
  });
});

describe("an index that is made concurrently", () => {
  const build = `${STEPWISE}create unique index concurrently grown_by_word on grown (word) where id > 2000`;

  it("and was left unfinished is dropped and made again", async () => {
    await db.run({ text: "update grown set word = 'twice' where id in (2001, 2002)" });
    await expect(apply(build)).rejects.toMatchObject({ code: "23505" });
    const unfinished = await indexOf("grown_by_word");
    expect(unfinished?.valid).toBe(false);
    await db.run({ text: "update grown set word = 'once' where id = 2001" });
    expect((await apply(build)).result).toEqual({ ok: true, value: 1 });
    const made = await indexOf("grown_by_word");
    expect(made?.valid).toBe(true);
    expect(made?.oid).not.toBe(unfinished?.oid);
  });

  it("and is there already is not made again", async () => {
    const before = await indexOf("grown_by_word");
    expect((await apply(build)).result).toEqual({ ok: true, value: 1 });
    expect(await indexOf("grown_by_word")).toEqual(before);
  });

  it("is made once when many processes start at the same time", async () => {
    const wanted = next(`${STEPWISE}create index concurrently grown_by_both on grown (word, id)`);
    const results = await Promise.all(Array.from({ length: 6 }, () => migrate(db, { migrations: wanted })));
    migrations = wanted;
    expect(results.reduce((sum, result) => sum + (result.ok ? result.value : 100), 0)).toBe(1);
    expect((await indexOf("grown_by_both"))?.valid).toBe(true);
  });

  it("is dropped, even if a crash left nothing to drop", async () => {
    const drop = `${STEPWISE}drop index concurrently grown_by_both`;
    expect((await apply(drop)).result).toEqual({ ok: true, value: 1 });
    expect(await indexOf("grown_by_both")).toBeUndefined();
    expect((await apply(drop)).result).toEqual({ ok: true, value: 1 });
  });
});

describe("rows that are changed in batches", () => {
  const fill = (word: string) => `${STEPWISE}update grown set word = '${word}'
    where id in (select id from grown where word is distinct from '${word}' and id <= 2000 order by id limit 300)`;

  it("are all changed, some at a time", async () => {
    expect((await apply(fill("filled"))).result).toEqual({ ok: true, value: 1 });
    const rows = await db.run({
      text: `select count(*)::int as rows, count(distinct xmin::text)::int as transactions
               from grown where word = 'filled'`,
    });
    expect(rows).toEqual([{ rows: 2000, transactions: 7 }]);
  });

  it("are waited for briefly when one of them is locked, and changed when it no longer is", async () => {
    await other.query("begin; update grown set word = 'mine' where id = 1000");
    const { result, warnings } = await apply(fill("again"), () => other.query("commit"));
    expect(result).toEqual({ ok: true, value: 1 });
    expect(warnings).toHaveLength(1);
    const left = await db.run({ text: "select id from grown where id <= 2000 and word is distinct from 'again'" });
    expect(left).toEqual([]);
  });
});
