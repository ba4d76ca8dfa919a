import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import type { ReportQuery } from "../../core/reports/query-values.ts";
import { isWanted, readCallFilter } from "../../core/request-log/call-filter.ts";
import { headsToCalls, type LoggedCall } from "../../core/request-log/logged-call.ts";
import { aChunk, anAnsweredCall, encodeCalls } from "../../testing/builders/logged-calls.ts";
import { aProject } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { shortIt, sizeOf } from "../../testing/run/run-form.ts";
import type { AnsweredCall } from "./answered-call.ts";
import { listCallsInScope } from "./list-calls.ts";
import { readCallInScope } from "./read-call.ts";

const { db } = useTestDatabase();
const BEGAN_MS = Date.parse("2026-11-16T00:00:00Z");
const PATHS = ["/api/v1/payment/p2p/payin", "/api/v1/payment/p2p/payout/info", "/api/v1/balance/info"];
const CODES = [undefined, undefined, undefined, "wrong_state", "validation_failed", "internal_error"];

type World = {
  readonly scope: Parameters<typeof listCallsInScope>[1];
  readonly projects: readonly Id[];
  readonly all: readonly (LoggedCall & { readonly projectId: Id })[];
};
let world: World;

/** Calls of two projects, written by three processes whose rows overlap in time. */
beforeAll(async () => {
  const one = await aProject(db);
  const other = await aProject(db, "live", one.merchantId);
  const foreign = await aProject(db);
  await aChunk(db, foreign.projectId, "calls", [anAnsweredCall({ atMs: BEGAN_MS })]);
  const projects = [one.projectId, other.projectId];
  const all: World["all"][number][] = [];
  for (let flush = 0; flush < 40; flush += 1) {
    const projectId = projects[flush % 2] as Id;
    const calls = Array.from({ length: 12 }, (_, index) => aCall(flush, index));
    const good = calls.filter(({ code }) => code === undefined);
    const bad = calls.filter(({ code }) => code !== undefined);
    await aChunk(db, projectId, "calls", good);
    await aChunk(db, projectId, flush % 5 === 0 ? "unsigned" : "errors", bad);
    for (const call of headsToCalls(encodeCalls(calls).heads)) all.push({ ...call, projectId });
  }
  world = {
    scope: {
      merchantId: one.merchantId,
      projects: [
        { id: one.projectId, name: "Web", book: "test" },
        { id: other.projectId, name: "Shop", book: "live" },
      ],
    },
    projects,
    all,
  };
});

function aCall(flush: number, index: number): AnsweredCall {
  const code = CODES[(flush + index) % CODES.length];
  return anAnsweredCall({
    // Some began long before they were answered.
    atMs: BEGAN_MS + Math.floor(flush / 3) * 1_000 + index * 97 - (index === 5 ? 20_000 : 0),
    path: PATHS[(flush * 7 + index) % PATHS.length] ?? "",
    code,
    status: code === undefined ? 200 : code === "internal_error" ? 500 : 409,
  });
}

function filterOf(query: ReportQuery) {
  const filter = readCallFilter(query);
  if (!filter.ok) throw new Error(filter.error.description);
  return filter.value;
}

/** All pages, one after the other. */
async function listed(query: ReportQuery): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listCallsInScope(db, world.scope, filterOf(cursor === undefined ? query : { ...query, cursor }));
    if (!page.ok) throw new Error(page.error);
    ids.push(...page.value.rows.map(({ id }) => id));
    cursor = page.value.next;
  } while (cursor !== undefined);
  return ids;
}

function wanted(query: ReportQuery): string[] {
  const filter = filterOf(query);
  const isRight = ({ code }: LoggedCall) => filter.status === undefined || (filter.status === "ok") === (code === null);
  return world.all
    .filter((call) => filter.projectId === undefined || call.projectId === filter.projectId)
    .filter((call) => isRight(call) && isWanted(call, filter))
    .map(({ id }) => id)
    .sort()
    .reverse();
}

describe("a list of calls", () => {
  it("has for any filter each call that is meant, once and newest first, whatever the pages", async () => {
    const at = fc.integer({ min: -25, max: 20 }).map((second) => new Date(BEGAN_MS + second * 1_000).toISOString());
    const query = fc.record(
      {
        status: fc.constantFrom("ok", "error", "4xx", "5xx"),
        path: fc.constantFrom("payin", "/info", "/balance/info", "nothing"),
        q: fc.constantFrom("wrong_state", "WRONG", "192.0.2.1", "order-17", "zzz"),
        from: at,
        project: fc.constantFrom(0, 1),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(query, async ({ project, ...rest }) => {
        const asked = { ...rest, ...(project === undefined ? {} : { project: world.projects[project] }) };
        expect(await listed(asked)).toEqual(wanted(asked));
      }),
      { numRuns: sizeOf({ short: 10, long: 400 }) },
    );
    expect((await listed({})).length).toBe(world.all.length);
  });

  shortIt("shows nothing of another merchant's project, and refuses what is no filter", async () => {
    const { projectId } = await aProject(db);
    expect(await listCallsInScope(db, world.scope, filterOf({ project: projectId }))).toMatchObject({ ok: false });
    for (const query of [{ status: "maybe" }, { cursor: "x" }, { page: "2" }, { from: "yesterday" }])
      expect(readCallFilter(query)).toMatchObject({ ok: false, error: { code: "validation_failed" } });
  });
});

shortIt("one call has its own bodies", async () => {
  const { projectId } = await aProject(db);
  const scope = { ...world.scope, projects: [{ id: projectId, name: "Web", book: "test" as const }] };
  const calls = Array.from({ length: 40 }, (_, index) =>
    anAnsweredCall({ body: Buffer.from(JSON.stringify({ payment: { description: `№${"ы".repeat(index)}` } })) }),
  );
  await aChunk(db, projectId, "calls", calls);
  for (const index of [0, 7, 39]) {
    const call = calls[index] as AnsweredCall;
    const detail = await readCallInScope(db, scope, call.id);
    expect(detail).toMatchObject({ ok: true, value: { request: call.body.toString(), answer: call.answer } });
  }
  const foreign = await readCallInScope(db, { ...scope, projects: world.scope.projects }, calls[0]?.id as Id);
  expect(foreign).toEqual({ ok: false, error: "not_found" });
});
