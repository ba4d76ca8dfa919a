import fc from "fast-check";
import { expect, it } from "vitest";
import { SHOWN_STATES } from "../../core/callbacks/callback-question.ts";
import { aCallback, type CallbackWish, disableUrl } from "../../testing/builders/callbacks.ts";
import { aProject } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import type { ReportScope } from "../reports/report-scope.ts";
import { listCallbacksInScope } from "./list-scope-callbacks.ts";
import { readCallbackHealth } from "./read-callback-health.ts";

const { db } = useTestDatabase();

const URLS = ["https://a.example/1", "https://a.example/2", "https://b.example/", "https://gone.example/x"];
const outcome = fc.oneof(fc.constantFrom(200, 204, 404, 500), fc.constantFrom("timeout", "tls"));
const wish: fc.Arbitrary<CallbackWish> = fc
  .record({
    url: fc.constantFrom(...URLS),
    state: fc.constantFrom("pending", "delivered", "dead", "dismissed" as const),
    attempts: fc.array(outcome, { maxLength: 3 }),
    ageDays: fc.integer({ min: 0, max: 10 }),
  })
  .map(({ ageDays, state, ...rest }) => ({
    ...rest,
    state: state as NonNullable<CallbackWish["state"]>,
    dueInS: 3_600,
    createdAt: new Date(Date.now() - ageDays * 86_400_000 - 60_000),
  }));

it("counts what the lists show, and attempts and deliveries of the period, whatever callbacks there are", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(wish, { minLength: 1, maxLength: 12 }), fc.constantFrom(1, 7), async (wishes, days) => {
      const { merchantId, projectId } = await aProject(db);
      for (const each of wishes) await aCallback(db, projectId, each);
      await disableUrl(db, projectId, "https://gone.example/x");
      const scope: ReportScope = { merchantId, projects: [{ id: projectId, name: "Web", book: "test" }] };
      const now = new Date();
      const health = await readCallbackHealth(db, scope, { projectId, days, now });
      if (!health.ok) throw new Error(health.error);
      const { endpoints } = health.value;
      for (const origin of new Set(URLS.map((url) => new URL(url).origin))) {
        const of = wishes.filter(({ url }) => new URL(url ?? "").origin === origin);
        const recent = of.filter(({ createdAt }) => now.getTime() - (createdAt?.getTime() ?? 0) < days * 86_400_000);
        const attempts = recent.flatMap((each) => each.attempts ?? []);
        const failed = attempts.filter((each) => typeof each === "string" || each >= 300);
        const found = endpoints.find((each) => each.origin === origin);
        expect([found?.written ?? 0, found?.attempts ?? 0, found?.failedAttempts ?? 0]).toEqual([
          recent.length,
          attempts.length,
          failed.length,
        ]);
        expect(found?.delivered ?? 0).toBe(recent.filter(({ state }) => state === "delivered").length);
        for (const state of SHOWN_STATES) {
          const question = { projectId, state, url: origin, from: undefined, to: undefined };
          const list = await listCallbacksInScope(db, scope, question, undefined);
          if (!list.ok) throw new Error(list.error);
          expect(list.value.rows.map((row) => row.state)).toEqual(list.value.rows.map(() => state));
          expect(list.value.rows.length).toBe(list.value.count);
          if (state === "delivered" || state === "dismissed") continue;
          expect([state, found?.[state] ?? 0]).toEqual([state, list.value.count]);
        }
      }
    }),
    { numRuns: 12 },
  );
});
