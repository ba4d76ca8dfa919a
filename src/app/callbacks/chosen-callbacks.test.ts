import { beforeEach, expect, it } from "vitest";
import type { CallbackQuestion } from "../../core/callbacks/callback-question.ts";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import { aPayinOf, SHOP_URL } from "../../testing/builders/callbacks.ts";
import { aProject } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import type { ReportScope } from "../reports/report-scope.ts";
import { dismissChosen, replayChosen } from "./chosen-callbacks.ts";
import { COUNTED_MAX, listCallbacksInScope } from "./list-scope-callbacks.ts";

const { db } = useTestDatabase();
const OPERATOR = { kind: "operator", name: "test" } as const;
const DEAD: CallbackQuestion = { projectId: undefined, state: "dead", url: undefined, from: undefined, to: undefined };

let scope: ReportScope;

beforeEach(async () => {
  const { merchantId, projectId } = await aProject(db, "live");
  const second = await aProject(db, "test", merchantId);
  scope = {
    merchantId,
    projects: [
      { id: projectId, name: "Web", book: "live" },
      { id: second.projectId, name: "Web", book: "test" },
    ],
  };
});

/** So many dead letters of one payment. */
async function deadLetters(projectId: Id, count: number): Promise<void> {
  const requestId = await aPayinOf(db, projectId);
  await db.run({
    text: `insert into callbacks (project_id, id, request_id, sequence, url, origin, body, state)
           select $1, n.id, $2, n.place + 1, $4, 'https://shop.example', '{}', 'dead'
             from unnest($3::uuid[]) with ordinality as n (id, place)`,
    values: [projectId, requestId, Array.from({ length: count }, () => newId()), SHOP_URL],
  });
}

async function statesOf(projectId: Id): Promise<Record<string, number>> {
  const rows = await db.run<{ state: string; count: number }>({
    text: "select state, count(*)::int as count from callbacks where project_id = $1 group by state",
    values: [projectId],
  });
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

async function auditedCounts(): Promise<(readonly [string, number])[]> {
  const rows = await db.run<{ subject: Id; count: number }>({
    text: `select subject, (after->>'callbacks')::int as count from audit_log where merchant_id = $1 order by id`,
    values: [scope.merchantId],
  });
  return rows.map(({ subject, count }) => [subject, count]);
}

it("sends all that match again, of every project, paced, and writes each transaction down", async () => {
  const [live, test] = scope.projects.map(({ id }) => id) as [Id, Id];
  await deadLetters(live, 1_200);
  await deadLetters(test, 3);
  const done = await replayChosen(db, scope, { question: DEAD }, OPERATOR);
  expect(done).toMatchObject({ ok: true, value: { replayed: 1_203, lastDueInS: 1_199 / 20 } });
  expect([await statesOf(live), await statesOf(test)]).toEqual([{ pending: 1_200 }, { pending: 3 }]);
  const lines = await auditedCounts();
  const ofLive = lines.filter(([subject]) => subject === live).map(([, count]) => count);
  expect(ofLive).toEqual([500, 500, 200]);
  expect(lines.filter(([subject]) => subject === test)).toEqual([[test, 3]]);
  expect(await replayChosen(db, scope, { question: DEAD }, OPERATOR)).toEqual({ ok: false, error: "nothing_left" });
});

it("refuses more than ten thousand, changes nothing then, and says that there are more", async () => {
  const [live] = scope.projects.map(({ id }) => id) as [Id];
  await deadLetters(live, COUNTED_MAX + 2);
  expect(await replayChosen(db, scope, { question: DEAD }, OPERATOR)).toEqual({ ok: false, error: "too_many" });
  expect(await dismissChosen(db, scope, { question: DEAD }, OPERATOR)).toEqual({ ok: false, error: "too_many" });
  expect(await statesOf(live)).toEqual({ dead: COUNTED_MAX + 2 });
  const page = await listCallbacksInScope(db, scope, DEAD, undefined);
  expect(page.ok && page.value.count).toBe(COUNTED_MAX + 1);
});

it("leaves callbacks of a project that is not in scope, whoever names them", async () => {
  const foreign = await aProject(db);
  await deadLetters(foreign.projectId, 1);
  const [row] = await db.run<{ id: Id }>({
    text: "select id from callbacks where project_id = $1",
    values: [foreign.projectId],
  });
  const ids = [row?.id ?? newId()];
  expect(await replayChosen(db, scope, { ids }, OPERATOR)).toEqual({ ok: false, error: "not_found" });
  expect(await dismissChosen(db, scope, { ids }, OPERATOR)).toEqual({ ok: false, error: "not_found" });
  const question = { ...DEAD, projectId: foreign.projectId };
  expect(await replayChosen(db, scope, { question }, OPERATOR)).toEqual({ ok: false, error: "not_found" });
  expect(await statesOf(foreign.projectId)).toEqual({ dead: 1 });
});
