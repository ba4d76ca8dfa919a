import { expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { useCallbackRig } from "../../testing/rigs/callback-rig.ts";
import { openEndpoints, REMEMBERED_MAX } from "./callback-endpoints.ts";
import { HELD_MAX, PROJECT_HELD_MAX, shareRoom } from "./callback-shares.ts";
import { openCallbackWalk } from "./callback-walk.ts";

/** A project with very many endpoints is slow for itself alone. */
const database = useTestDatabase();
const { db } = database;
const rig = useCallbackRig(database);
const PAGE = 20;
const CROWD = 250;

async function tell(projectCount: number, endpointCount: number): Promise<Id[]> {
  const receiver = await rig.receiver();
  const shops = await Promise.all(Array.from({ length: projectCount }, () => rig.shop(receiver)));
  for (const shop of shops) {
    const payments = Array.from({ length: endpointCount }, (_, index) => ({
      requestId: newId(),
      states: ["processing:requisites"] as const,
      url: `https://shop-${index}.example/`,
    }));
    await rig.tell(shop, payments);
  }
  return shops.map(({ projectId }) => projectId);
}

it("each look sees all of the small projects and two pages of the crowded one, and the walk sees every endpoint", async () => {
  const small = await tell(3, 2);
  const [crowded] = await tell(1, CROWD);
  const walk = openCallbackWalk(db, PAGE);
  const seen = new Set<string>();
  for (let looks = 0; looks < Math.ceil(CROWD / PAGE); looks += 1) {
    const look = await walk.look();
    const ofCrowded = look.waiting.filter(({ projectId }) => projectId === crowded);
    expect(ofCrowded.length).toBeLessThanOrEqual(2 * PAGE);
    expect(look.waiting.filter(({ projectId }) => small.includes(projectId))).toHaveLength(6);
    expect([...look.crowded]).toEqual([crowded]);
    for (const { origin } of ofCrowded) seen.add(origin);
    if (!look.isUnderWay) break;
  }
  expect(seen.size).toBe(CROWD);
  // It begins again.
  expect((await walk.look()).waiting.filter(({ projectId }) => projectId === crowded)).toHaveLength(2 * PAGE);
});

it("a project that is not crowded any more is seen whole again", async () => {
  await db.run({ text: "update callbacks set due_at = null" });
  const [projectId] = await tell(1, CROWD);
  const walk = openCallbackWalk(db, PAGE);
  expect((await walk.look()).isUnderWay).toBe(true);
  await db.run({
    text: "update callbacks set state = 'dead', due_at = null where project_id = $1 and origin not like '%shop-7%'",
    values: [projectId],
  });
  const { waiting, crowded, isUnderWay } = await walk.look();
  expect([waiting.length, crowded.size, isUnderWay]).toEqual([11, 0, false]);
});

it("remembers so many endpoints of a crowded project, the latest, and none too many", () => {
  const [projectId, other] = [newId(), newId()];
  const endpoints = openEndpoints();
  const originOf = (index: number) => `https://${index}.example`;
  for (let index = 0; index < REMEMBERED_MAX + 100; index += 1) endpoints.of({ projectId, origin: originOf(index) });
  endpoints.of({ projectId: other, origin: originOf(0) });
  endpoints.keepOnly([{ projectId, origin: originOf(0) }], new Set([projectId]));
  const kept = endpoints.list().map(({ endpoint }) => endpoint);
  expect(kept).toHaveLength(REMEMBERED_MAX + 1);
  expect(kept.some(({ projectId: of }) => of === other)).toBe(false);
  expect(kept.some(({ origin }) => origin === originOf(0))).toBe(true);
  expect(kept.at(-1)?.origin).toBe(originOf(REMEMBERED_MAX + 99));
});

it("endpoints of a project that can take no more take no share from the others", () => {
  const [full, free] = [newId(), newId()];
  const wishes = Array.from({ length: 512 }, (_, index) => ({
    ...{ projectId: full, origin: `https://${index}.example`, dueInMs: -index, countMax: 32 },
  }));
  const longest = { projectId: free, origin: "https://shop.example", dueInMs: -10_000, countMax: 256 };
  const shares = shareRoom([...wishes, longest], new Map([[full, PROJECT_HELD_MAX]]));
  expect(HELD_MAX).toBeGreaterThan(PROJECT_HELD_MAX);
  expect(shares).toEqual([longest]);
});
