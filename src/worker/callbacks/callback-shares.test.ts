import fc from "fast-check";
import { expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import { HELD_MAX, PROJECT_HELD_MAX, shareRoom, type Wish } from "./callback-shares.ts";

function aWish(change: Partial<Wish> = {}): Wish {
  return { projectId: newId(), origin: "https://shop.example", dueInMs: -1, countMax: 256, ...change };
}

it("gives everybody what they want while there is room", () => {
  const wishes = [aWish(), aWish({ countMax: 1 }), aWish({ countMax: 32 })];
  expect(shareRoom(wishes, new Map()).map(({ countMax }) => countMax)).toEqual([256, 1, 32]);
});

it("gives one project no more than its part, however many endpoints it has", () => {
  const projectId = newId();
  const wishes = Array.from({ length: 100 }, (_, index) => aWish({ projectId, origin: `https://${index}.example` }));
  const shares = shareRoom([...wishes, aWish({ dueInMs: 0, countMax: 256 })], new Map([[projectId, 412]]));
  expect(shares.slice(0, -1)).toEqual(wishes.map((wish) => ({ ...wish, countMax: 1 })));
  expect(shares.at(-1)).toMatchObject({ countMax: 256 });
  const few = shareRoom(wishes, new Map([[projectId, PROJECT_HELD_MAX - 3]]));
  expect(few.map(({ countMax }) => countMax)).toEqual([1, 1, 1]);
});

it("serves those who wait longest first when there is not room for all, and everybody a little when there is", () => {
  const wishes = Array.from({ length: HELD_MAX }, (_, index) => aWish({ dueInMs: -index }));
  expect(shareRoom(wishes, new Map()).map(({ countMax }) => countMax)).toEqual(Array(HELD_MAX).fill(1));
  const full = new Map(Array.from({ length: 4 }, () => [newId() as string, PROJECT_HELD_MAX - 1]));
  const [first, ...others] = shareRoom(wishes, full);
  expect(first).toMatchObject({ dueInMs: 1 - HELD_MAX, countMax: 1 });
  expect(others).toHaveLength(3);
});

it("never gives more than there is, more than was asked for, or a share of nothing", () => {
  const projects = Array.from({ length: 6 }, () => newId());
  const wish = fc.record({
    projectId: fc.constantFrom<Id>(...projects),
    origin: fc.constantFrom("https://a.example", "https://b.example"),
    dueInMs: fc.integer({ min: -100_000, max: 0 }),
    countMax: fc.integer({ min: 1, max: 256 }),
  });
  const held = fc.array(fc.nat(PROJECT_HELD_MAX), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 60 }), held, (wishes, counts) => {
      const before = new Map(projects.map((id, index) => [id as string, counts[index] ?? 0]));
      const after = new Map(before);
      for (const { projectId, countMax } of shareRoom(wishes, before)) {
        expect(countMax).toBeGreaterThan(0);
        after.set(projectId, (after.get(projectId) ?? 0) + countMax);
      }
      const total = [...after.values()].reduce((sum, count) => sum + count, 0);
      const atStart = counts.reduce((sum, count) => sum + count, 0);
      expect(total).toBeLessThanOrEqual(Math.max(HELD_MAX, atStart));
      for (const count of after.values()) expect(count).toBeLessThanOrEqual(PROJECT_HELD_MAX);
    }),
  );
});
