import { describe, expect, it, vi } from "vitest";
import type { Id } from "../../core/ids.ts";
import { CALLS_KEPT, ERRORS_KEPT_DAYS, UNSIGNED_NOTED } from "../../core/request-log/limits.ts";
import { headsToCalls } from "../../core/request-log/logged-call.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import { markAsDatabases } from "../../store/faults.ts";
import { deleteOldErrors, trimProjects } from "../../store/request-log/chunks.ts";
import { aChunk, anAnsweredCall } from "../../testing/builders/logged-calls.ts";
import { aProject } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCallLog } from "./call-log.ts";
import { unpackText } from "./pack.ts";

const { db } = useTestDatabase();
const log = { warn: vi.fn() };
const nowMs = () => Date.now();

type Stored = { readonly kind: string; readonly calls: number; readonly missed: number; readonly heads: Buffer };

function stored(projectId: Id): Promise<Stored[]> {
  return db.run<Stored>({
    text: `select kind, call_count as calls, missed, heads from request_log where project_id = $1 order by kind, id`,
    values: [projectId],
  });
}

/** In the memory of a process, and then written. */
async function logged(projectId: Id, count: number, from: Pick<Database, "run"> = db) {
  const callLog = openCallLog({ db: from as Database, log, nowMs });
  for (let number = 0; number < count; number += 1) callLog.note(projectId, anAnsweredCall({ atMs: number }));
  await callLog.close();
  return callLog.figures();
}

describe("the request log", () => {
  it("writes one row for the calls of a project, one for its errors, and one for those that are unsigned", async () => {
    const { projectId } = await aProject(db);
    const callLog = openCallLog({ db, log, nowMs });
    for (let number = 0; number < 30; number += 1) callLog.note(projectId, anAnsweredCall());
    for (let number = 0; number < 3; number += 1) callLog.note(projectId, anAnsweredCall({ code: "wrong_state" }));
    const strangers = UNSIGNED_NOTED.burst + 40;
    for (let number = 0; number < strangers; number += 1)
      callLog.noteUnsigned(projectId, anAnsweredCall({ code: "signature_invalid" }));
    await callLog.close();
    const rows = await stored(projectId);
    expect(rows.map(({ kind, calls }) => [kind, calls])).toEqual([
      ["calls", 30],
      ["errors", 3],
      ["unsigned", UNSIGNED_NOTED.burst],
    ]);
    expect(rows[2]?.missed).toBe(40);
    const [first] = headsToCalls(unpackText(rows[1]?.heads ?? Buffer.of(0)));
    expect(first).toMatchObject({ status: 400, code: "wrong_state", message: "what wrong_state means" });
    expect(callLog.figures()).toMatchObject({ written: 33 + UNSIGNED_NOTED.burst, dropped: 0, waiting: 0 });
  });

  it("lets the calls of a project wait for company in a crowd, for four seconds or until they are many", async () => {
    const [{ projectId: busy }, { projectId: calm }] = [await aProject(db), await aProject(db)];
    let [now, others] = [nowMs(), 1_000];
    const callLog = openCallLog({ db, log, nowMs: () => now });
    const note = (projectId: Id, count: number) => {
      for (let number = 0; number < count; number += 1) callLog.note(projectId, anAnsweredCall());
    };
    const counts = async () =>
      (await Promise.all([busy, calm].map(stored))).map((rows) => rows.reduce((sum, { calls }) => sum + calls, 0));
    note(busy, 250);
    note(calm, 10);
    for (; others > 0; others -= 1) callLog.note(newId(), anAnsweredCall());
    await callLog.flush();
    expect(await counts()).toEqual([250, 0]);
    expect(callLog.figures()).toMatchObject({ written: 250, dropped: 0, waiting: 1_010 });
    now += 4_000;
    await callLog.flush();
    expect(await counts()).toEqual([250, 10]);
    expect(callLog.figures()).toMatchObject({ written: 1_260, waiting: 0 });
    note(calm, 1);
    await callLog.flush();
    expect(await counts()).toEqual([250, 11]);
    await callLog.close();
  });

  it("writes no call that newer ones have superseded before it could be written", async () => {
    const { projectId } = await aProject(db);
    const figures = await logged(projectId, CALLS_KEPT * 2 + 25);
    const calls = (await stored(projectId)).flatMap(({ heads }) => headsToCalls(unpackText(heads)));
    expect(calls.map(({ paymentId }) => paymentId)).toEqual(
      Array.from({ length: CALLS_KEPT + 25 }, (_, index) => `order-${index + CALLS_KEPT}`),
    );
    expect(figures).toMatchObject({ written: CALLS_KEPT + 25, dropped: 0 });
  });

  it("does not grow while the database is away: what does not fit is dropped and counted, and the rest is written later", async () => {
    const { projectId } = await aProject(db);
    let isAway = true;
    const gone = new Error("Connection terminated");
    markAsDatabases(gone);
    const awayDb = {
      ...db,
      run: ((statement) => (isAway ? Promise.reject(gone) : db.run(statement))) as Database["run"],
    };
    const callLog = openCallLog({ db: awayDb, log, nowMs });
    const body = Buffer.from(JSON.stringify({ payment: { description: "x".repeat(3_900) } }));
    for (let number = 0; number < 6_000; number += 1) callLog.note(projectId, anAnsweredCall({ body }));
    const { waiting, dropped } = callLog.figures();
    expect(waiting).toBeLessThan(4_500);
    expect(waiting + dropped).toBe(6_000);
    await vi.waitFor(() => expect(log.warn).toHaveBeenCalled(), { timeout: 30_000, interval: 20 });
    isAway = false;
    callLog.note(projectId, anAnsweredCall());
    await callLog.close();
    const counts = (await stored(projectId)).map(({ calls }) => calls);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(waiting + 1);
    expect(callLog.figures().waiting).toBe(0);
  });
});

describe("what is kept", () => {
  it("is the last calls, errors among them; unsigned calls take no place of theirs", async () => {
    const { projectId } = await aProject(db);
    const half = Array.from({ length: CALLS_KEPT / 2 }, (_, index) => anAnsweredCall({ atMs: index }));
    const later = (ms: number) => half.map((call) => ({ ...call, id: anAnsweredCall({ atMs: ms }).id }));
    await aChunk(db, projectId, "calls", half);
    await aChunk(db, projectId, "unsigned", later(10_000));
    await aChunk(db, projectId, "errors", later(20_000));
    await aChunk(db, projectId, "calls", later(30_000));
    await trimProjects(db, [projectId]);
    expect((await stored(projectId)).map(({ kind }) => kind)).toEqual(["calls", "errors", "unsigned"]);
    await aChunk(db, projectId, "calls", later(40_000));
    await trimProjects(db, [projectId]);
    expect((await stored(projectId)).map(({ kind }) => kind)).toEqual(["calls", "calls", "errors", "unsigned"]);
  });

  it("is not an error that is a month old", async () => {
    const { projectId } = await aProject(db);
    await aChunk(db, projectId, "errors", [anAnsweredCall({ atMs: 1 })]);
    await aChunk(db, projectId, "calls", [anAnsweredCall({ atMs: 2 })]);
    await aChunk(db, projectId, "errors", [anAnsweredCall({ atMs: 3 })]);
    await db.run({
      text: `update request_log set written_at = now() - make_interval(days => $2)
              where project_id = $1 and id < $3`,
      values: [projectId, ERRORS_KEPT_DAYS + 1, anAnsweredCall({ atMs: 3 }).id.slice(0, 12).padEnd(32, "0")],
    });
    await deleteOldErrors(db, ERRORS_KEPT_DAYS);
    expect((await stored(projectId)).map(({ kind }) => kind)).toEqual(["calls", "errors"]);
  });
});
