import { afterEach, describe, expect, it } from "vitest";
import { findOpenRestore, listRestores, mayMoneyLeave, saveResumed } from "../../store/restore/restores.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { takePulse } from "./take-pulse.ts";

const { db } = useTestDatabase();
const set = (change: string) => db.run({ text: `update database_pulse set ${change}` });
const mayLeave = () => db.transaction(mayMoneyLeave);

async function resume(): Promise<void> {
  const open = await findOpenRestore(db);
  if (open !== undefined) await db.transaction((tx) => saveResumed(tx, open.id, "olga", "test"));
}

afterEach(async () => {
  await takePulse(db, undefined, "test");
  await resume();
});

it("writes what the server says, and finds the same again", async () => {
  const first = await takePulse(db, undefined, "test");
  const second = await takePulse(db, first.beatAt, "test");
  expect([first.verdict, second.verdict]).toEqual([{ kind: "same" }, { kind: "same" }]);
  expect(await db.run({ text: `select beat_at as "beatAt" from database_pulse` })).toEqual([{ beatAt: second.beatAt }]);
  const [row] = await db.run({
    text: "select system_identifier ~ '^[0-9]{15,}$' as told, timeline from database_pulse",
  });
  expect(row).toEqual({ told: true, timeline: 1 });
  expect(await findOpenRestore(db)).toBeUndefined();
});

it("a restored database is noticed once, by the process that comes first", async () => {
  await set("timeline = 0, beat_at = now() - interval '1 hour'");
  expect(await mayLeave()).toBe(false);
  const [one, other] = await Promise.all([takePulse(db, undefined, "one"), takePulse(db, undefined, "other")]);
  const kinds = [one.verdict.kind, other.verdict.kind].sort();
  expect(kinds).toEqual(["restored", "same"]);
  const open = await findOpenRestore(db);
  expect(open).toMatchObject({ why: "other_timeline", facts: { written: { timeline: 0 }, seen: { timeline: 1 } } });
  expect(Date.now() - (open?.knownUntil.getTime() ?? 0)).toBeGreaterThan(3_590_000);
  expect(await mayLeave()).toBe(false);
  await resume();
  expect(await mayLeave()).toBe(true);
});

it("between a failover and the first beat no money leaves, and after it money leaves again", async () => {
  await set("timeline = 0, beat_at = now() - interval '20 seconds'");
  expect(await mayLeave()).toBe(false);
  expect((await takePulse(db, undefined, "test")).verdict).toEqual({ kind: "failover" });
  expect(await mayLeave()).toBe(true);
  expect(await findOpenRestore(db)).toBeUndefined();
});

it("where another server answers on the same timeline, no money leaves before a process has judged it", async () => {
  await set("system_identifier = '1'");
  expect(await mayLeave()).toBe(false);
  expect((await takePulse(db, undefined, "test")).verdict).toMatchObject({ kind: "restored", why: "other_server" });
});

it("a process notices it though one that has just started wrote first, and notices it once", async () => {
  const { beatAt } = await takePulse(db, undefined, "old");
  const other = await takePulse(db, undefined, "slow");
  await set("beat_at = now() - interval '10 minutes'");
  expect((await takePulse(db, undefined, "new")).verdict).toEqual({ kind: "same" });
  const { verdict } = await takePulse(db, beatAt, "old");
  expect(verdict).toMatchObject({ kind: "restored", why: "older_than_written" });
  const open = await findOpenRestore(db);
  expect(Date.now() - (open?.knownUntil.getTime() ?? 0)).toBeGreaterThan(590_000);
  await resume();
  expect((await takePulse(db, other.beatAt, "slow")).verdict).toEqual({ kind: "same" });
  expect(await findOpenRestore(db)).toBeUndefined();
});

it("a process notices that the database lacks what it wrote", async () => {
  const { beatAt } = await takePulse(db, undefined, "test");
  await set("beat_at = now() - interval '10 minutes'");
  expect((await takePulse(db, beatAt, "test")).verdict).toMatchObject({ kind: "restored", why: "older_than_written" });
});

describe("a process that starts after a long outage with a failover takes it for a restore, and one that lived through it", () => {
  const outage = async (knownUntil: string) => {
    await set(`timeline = 0, beat_at = ${knownUntil}`);
    expect((await takePulse(db, undefined, "new")).verdict).toMatchObject({ kind: "restored", why: "other_timeline" });
  };
  const wroteLast = () => new Date(Date.now() - 600_000);

  it("withdraws it, where the database has what that one wrote", async () => {
    await outage("now() - interval '601 seconds'");
    expect((await takePulse(db, wroteLast(), "old")).verdict).toEqual({ kind: "same" });
    expect(await findOpenRestore(db)).toBeUndefined();
    expect(await mayLeave()).toBe(true);
    const [last] = await listRestores(db, 1);
    expect(last).toMatchObject({ resumedBy: "old", despite: expect.stringContaining("the database has it") });
  });

  it("leaves it, where the database lacks it", async () => {
    await outage("now() - interval '2 hours'");
    await takePulse(db, wroteLast(), "old");
    expect(await findOpenRestore(db)).toMatchObject({ why: "other_timeline" });
  });

  it("leaves one that was noticed before it wrote last, and one that an operator declared", async () => {
    await outage("now() - interval '601 seconds'");
    await db.run({ text: "update restores set noticed_at = now() - interval '700 seconds' where resumed_at is null" });
    await takePulse(db, wroteLast(), "old");
    expect(await findOpenRestore(db)).toBeDefined();
    await db.run({ text: "update restores set noticed_at = now(), why = 'declared' where resumed_at is null" });
    await takePulse(db, wroteLast(), "old");
    expect(await findOpenRestore(db)).toBeDefined();
  });
});

describe("a second restore before the first was resumed", () => {
  it("takes back what was checked, and keeps the earlier of the two moments", async () => {
    await set("timeline = 0, beat_at = now() - interval '2 hours'");
    await takePulse(db, undefined, "test");
    await db.run({
      text: "update restores set checked_at = now(), checked_by = 'olga', passed = true, report = '{}' where resumed_at is null",
    });
    const before = await findOpenRestore(db);
    await set("system_identifier = '1', beat_at = now() - interval '1 hour'");
    await takePulse(db, undefined, "test");
    const after = await findOpenRestore(db);
    expect(after).toMatchObject({ id: before?.id, why: "other_server", checkedAt: null, passed: null });
    expect(after?.knownUntil).toEqual(before?.knownUntil);
  });
});
