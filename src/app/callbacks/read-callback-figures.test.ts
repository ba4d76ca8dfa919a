import { expect, it } from "vitest";
import { aCallback, disableUrl } from "../../testing/builders/callbacks.ts";
import { aProject } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { readCallbackFigures } from "./read-callback-figures.ts";

const { db } = useTestDatabase();

it("is all zeros where nothing waits", async () => {
  expect(await readCallbackFigures(db)).toEqual({ due: 0, held: 0, dead: 0, oldestDueS: 0, oldestPendingS: 0 });
});

it("tells what is due from what waits, is held, dead or delivered, and how old the oldest is", async () => {
  const { projectId } = await aProject(db);
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
  await aCallback(db, projectId, { dueInS: -30, createdAt: ago(100) });
  await aCallback(db, projectId, { dueInS: -10 });
  await aCallback(db, projectId, { dueInS: 600, createdAt: ago(5000) });
  await aCallback(db, projectId, { dueInS: -9000, createdAt: ago(9000), url: "https://gone.example/a" });
  await disableUrl(db, projectId, "https://gone.example/a");
  for (const state of ["dead", "dead", "delivered"] as const) {
    await aCallback(db, projectId, { state, createdAt: ago(90_000) });
  }
  const figures = await readCallbackFigures(db);
  expect(figures).toMatchObject({ due: 2, held: 1, dead: 2 });
  expect(Math.floor(figures.oldestDueS / 10)).toBe(3);
  expect(Math.floor(figures.oldestPendingS / 100)).toBe(50);

  const other = (await aProject(db)).projectId;
  await aCallback(db, other, { state: "dead" });
  expect(await readCallbackFigures(db, other)).toMatchObject({ due: 0, held: 0, dead: 1 });
  expect((await readCallbackFigures(db)).dead).toBe(3);
});

it("counts a URL that was enabled again as any other", async () => {
  const { projectId } = await aProject(db);
  await aCallback(db, projectId, { url: "https://back.example/" });
  await disableUrl(db, projectId, "https://back.example/");
  expect(await readCallbackFigures(db, projectId)).toMatchObject({ due: 0, held: 1 });
  await db.run({
    text: "update disabled_callback_urls set enabled_at = now(), enabled_by = 'olga' where project_id = $1",
    values: [projectId],
  });
  expect(await readCallbackFigures(db, projectId)).toMatchObject({ due: 1, held: 0 });
});
