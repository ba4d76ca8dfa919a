import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { aCallback, aPayinOf, callbackRow, disableUrl } from "../../testing/builders/callbacks.ts";
import { aProject } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { type ReplayCommand, replayCallbacks } from "./replay-callbacks.ts";

const { db } = useTestDatabase();
const CHOSEN = { ratePerSecond: 20, countMax: undefined, actor: "olga" };

function replay(filter: ReplayCommand["filter"], changes: Partial<ReplayCommand> = {}) {
  return replayCallbacks(db, { ...CHOSEN, filter, ...changes });
}

async function underWay({ id }: { id: Id }): Promise<void> {
  await db.run({
    text: "update callbacks set due_at = now() + interval '2 min', lease_until = now() + interval '2 min' where id = $1",
    values: [id],
  });
}

const FAILED_14_TIMES = Array.from({ length: 14 }, () => 500);

describe("a replay", () => {
  it("of a dead one makes it due at once, with the whole schedule before it and the attempts numbered on", async () => {
    const { projectId } = await aProject(db);
    const dead = await aCallback(db, projectId, { state: "dead", attempts: FAILED_14_TIMES });
    expect(await replay({ projectId, state: "dead" })).toEqual({
      ok: true,
      value: { replayed: 1, lastDueInS: 0, left: { underWay: 0, disabled: 0 } },
    });
    const row = await callbackRow(db, dead);
    expect(row).toMatchObject({ state: "pending", attemptCount: 14, scheduleFrom: 14, replayedBy: "olga" });
    expect(row.dueInS).toBeLessThanOrEqual(0);
    expect(await replay({ projectId, state: "dead" })).toMatchObject({ ok: false, error: { kind: "none" } });
  });

  it("of a delivered one takes its delivery back until the next", async () => {
    const { projectId } = await aProject(db);
    const delivered = await aCallback(db, projectId, { state: "delivered", attempts: [200] });
    expect(await replay({ projectId, state: "delivered" })).toMatchObject({ ok: true, value: { replayed: 1 } });
    expect(await callbackRow(db, delivered)).toMatchObject({ state: "pending", deliveredAt: null, scheduleFrom: 1 });
  });

  it("of a pending one sends it now instead of later", async () => {
    const { projectId } = await aProject(db);
    const waiting = await aCallback(db, projectId, { attempts: [500, 500], dueInS: 3600 });
    expect(await replay({ projectId, state: "pending" })).toMatchObject({ ok: true });
    const row = await callbackRow(db, waiting);
    expect(row).toMatchObject({ state: "pending", scheduleFrom: 2 });
    expect(row.dueInS).toBeLessThanOrEqual(0);
  });

  it("wakes whoever delivers", async () => {
    const { projectId } = await aProject(db);
    await aCallback(db, projectId, { state: "dead" });
    const client = await db.connect();
    await client.query("listen tillgate_callbacks");
    const heard = once(client, "notification");
    await replay({ projectId, state: "dead" });
    await heard;
    await client.end();
  });

  it("lets a final one wait for earlier ones anew, counted from when it is due", async () => {
    const { projectId } = await aProject(db);
    const requestId = await aPayinOf(db, projectId);
    const first = await aCallback(db, projectId, { requestId, sequence: 2, state: "dead" });
    const last = await aCallback(db, projectId, { requestId, sequence: 3, state: "dead", tells: "success" });
    await db.run({ text: "update callbacks set goes_ahead_at = now() - interval '1 day' where sequence = 3" });
    await replay({ projectId, state: "dead" });
    expect((await callbackRow(db, first)).goesAheadInS).toBeNull();
    expect((await callbackRow(db, last)).goesAheadInS).toBeGreaterThan(890);
  });
});

describe("a replay by a filter", () => {
  it("spreads them over time, the oldest first", async () => {
    const { projectId } = await aProject(db);
    const startedMs = Date.now() - 10_000;
    for (const index of [3, 0, 4, 1, 2]) {
      await aCallback(db, projectId, { state: "dead", createdAt: new Date(startedMs + index * 1000) });
    }
    const result = await replay({ projectId, state: "dead" }, { ratePerSecond: 2 });
    expect(result).toMatchObject({ ok: true, value: { replayed: 5, lastDueInS: 2 } });
    const rows = await db.run<{ gapS: number }>({
      text: `select extract(epoch from due_at - lag(due_at) over (order by created_at))::float8 as "gapS"
               from callbacks where project_id = $1 order by created_at`,
      values: [projectId],
    });
    expect(rows.map(({ gapS }) => gapS)).toEqual([null, 0.5, 0.5, 0.5, 0.5]);
  });

  it("goes on over several portions without a gap or a double", async () => {
    const { projectId } = await aProject(db);
    const { id } = await aCallback(db, projectId, { state: "dead" });
    await db.run({
      text: `insert into callbacks (project_id, id, request_id, sequence, url, origin, body, state)
             select project_id, gen_random_uuid(), request_id, sequence + n, url, origin, body, 'dead'
               from callbacks, generate_series(1, 1200) n where id = $1`,
      values: [id],
    });
    const result = await replay({ projectId, state: "dead" }, { ratePerSecond: 1000 });
    expect(result).toMatchObject({ ok: true, value: { replayed: 1201, lastDueInS: 1.2 } });
    const [row] = await db.run<{ due: number; span: number }>({
      text: `select count(distinct due_at)::int as due, extract(epoch from max(due_at) - min(due_at))::float8 as span
               from callbacks where project_id = $1`,
      values: [projectId],
    });
    expect(row?.due).toBe(1201);
    expect(row?.span).toBeCloseTo(1.2, 3);
  });

  it("takes those that fit, and no others", async () => {
    const { projectId } = await aProject(db);
    const other = (await aProject(db)).projectId;
    const old = new Date("2026-01-01T00:00:00Z");
    const wanted = await aCallback(db, projectId, { state: "dead", paymentId: "ord-1" });
    const ours = [
      await aCallback(db, projectId, { state: "dead", url: "https://shop.example/other" }),
      await aCallback(db, projectId, { state: "dead", createdAt: old }),
      await aCallback(db, projectId, { state: "dead", paymentId: "ord-2" }),
      await aCallback(db, projectId, { state: "delivered", paymentId: "ord-3" }),
    ];
    const theirs = await aCallback(db, other, { state: "dead", paymentId: "ord-1" });
    const filter = { projectId, state: "dead", paymentId: "ord-1", url: "https://shop.example/callbacks" } as const;
    const since = new Date("2026-01-02T00:00:00Z");
    expect(await replay({ ...filter, since })).toMatchObject({ ok: true, value: { replayed: 1 } });
    expect((await callbackRow(db, wanted)).state).toBe("pending");
    for (const each of [...ours, theirs]) expect((await callbackRow(db, each)).replayedBy).toBeNull();
    expect(await replay({ projectId, state: "dead", until: since })).toMatchObject({
      ok: true,
      value: { replayed: 1 },
    });
    expect(await replay({ projectId, state: "dead", requestId: ours[2]?.requestId })).toMatchObject({
      ok: true,
      value: { replayed: 1 },
    });
  });

  it("changes nothing when there are more than may go unasked", async () => {
    const { projectId } = await aProject(db);
    const made = [];
    for (let index = 0; index < 3; index += 1) made.push(await aCallback(db, projectId, { state: "dead" }));
    const refused = await replay({ projectId, state: "dead" }, { countMax: 2 });
    expect(refused).toEqual({ ok: false, error: { kind: "too_many", count: 3 } });
    for (const each of made) expect((await callbackRow(db, each)).state).toBe("dead");
    expect(await replay({ projectId, state: "dead" }, { countMax: 3 })).toMatchObject({ ok: true });
  });

  it("leaves what is being sent, and what goes to a disabled URL", async () => {
    const { projectId } = await aProject(db);
    const sending = await aCallback(db, projectId, { attempts: [500] });
    await underWay(sending);
    const held = await aCallback(db, projectId, { url: "https://gone.example/", dueInS: 60 });
    const deadAndGone = await aCallback(db, projectId, { url: "https://gone.example/", state: "dead" });
    await disableUrl(db, projectId, "https://gone.example/");
    const none = { kind: "none", left: { underWay: 1, disabled: 1 } };
    expect(await replay({ projectId, state: "pending" })).toEqual({ ok: false, error: none });
    expect(await replay({ projectId, state: "dead" })).toMatchObject({ error: { left: { underWay: 0, disabled: 1 } } });
    for (const each of [sending, held, deadAndGone]) expect((await callbackRow(db, each)).replayedBy).toBeNull();
  });

  it("passes over what another transaction holds at this moment", async () => {
    const { projectId } = await aProject(db);
    const locked = await aCallback(db, projectId, { state: "dead" });
    const free = await aCallback(db, projectId, { state: "dead" });
    await db.transaction(async (tx) => {
      await tx.run({ text: "select from callbacks where id = $1 for no key update", values: [locked.id] });
      expect(await replay({ projectId, state: "dead" })).toMatchObject({ ok: true, value: { replayed: 1 } });
    });
    expect((await callbackRow(db, locked)).state).toBe("dead");
    expect((await callbackRow(db, free)).state).toBe("pending");
  });
});
