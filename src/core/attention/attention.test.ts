import { expect, it } from "vitest";
import { POOL_STANDINGS, POOL_STANDINGS_OF_TABLE } from "../../pool/core/pool-standings.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import * as house from "./attention.ts";
import { ATTENTION_ENTRIES, type Standing } from "./attention.ts";

const { db } = useTestDatabase();

const STANDINGS = { ...house.STANDINGS, ...POOL_STANDINGS };
const STANDINGS_OF_TABLE = { ...house.STANDINGS_OF_TABLE, ...POOL_STANDINGS_OF_TABLE };

function standingsOf(what: keyof typeof STANDINGS): Readonly<Record<string, Standing>> {
  return STANDINGS[what];
}

it("every entry is there because of something that can stand so", () => {
  const named = Object.values(STANDINGS).flatMap((states) =>
    Object.values(states as Record<string, Standing>).flatMap((standing) => ("by" in standing ? [standing.by] : [])),
  );
  expect([...new Set(named)].sort()).toEqual([...ATTENTION_ENTRIES].sort());
});

it("no table of the database is forgotten", async () => {
  const rows = await db.run<{ name: string }>({
    text: `select table_name as name from information_schema.tables
            where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  });
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(STANDINGS_OF_TABLE).sort());
  const stood = Object.values(STANDINGS_OF_TABLE).flatMap((of) => ("unneeded" in of ? [] : of));
  expect([...new Set(stood)].sort()).toEqual(Object.keys(STANDINGS).sort());
});

/** Columns whose names say that a row stands somewhere, and other words for the same. */
const STATE_COLUMNS = ["state", "status", "outcome"];

it("every state that the database allows says whether it waits for a person", async () => {
  const checks = await db.run<{ table: string; column: string; definition: string }>({
    text: `select c.conrelid::regclass::text as table, a.attname as column, pg_get_constraintdef(c.oid) as definition
             from pg_constraint c
             join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
            where c.contype = 'c' and cardinality(c.conkey) = 1 and c.connamespace = current_schema()::regnamespace
              and a.atttypid = 'text'::regtype and (a.attname = any($1) or c.conrelid = 'pauses'::regclass and a.attname = 'kind')`,
    values: [STATE_COLUMNS],
  });
  const found: Record<string, string[]> = {};
  for (const { table, column, definition } of checks) {
    const values = [...definition.matchAll(/'([^']+)'::text/g)].map(([, value = ""]) => value);
    if (!definition.includes("ARRAY[")) continue;
    const of = STANDINGS_OF_TABLE[table] ?? [];
    const known = "unneeded" in of ? [] : of.flatMap((what) => Object.keys(standingsOf(what)));
    expect(values.filter((value) => !known.includes(value)).map((value) => `${table}.${column}: ${value}`)).toEqual([]);
    found[`${table}.${column}`] = values;
  }
  expect(Object.keys(found).sort()).toEqual([
    "attempts.outcome",
    "bank_lines.outcome",
    "callbacks.state",
    "hand_payouts.outcome",
    "holds.state",
    "pauses.kind",
    "payments.state",
    "payout_batch_rows.state",
    "payout_batches.state",
    "projects.status",
    "provider_health.state",
  ]);
});
