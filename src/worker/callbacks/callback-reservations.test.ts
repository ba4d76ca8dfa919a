import { expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import type { NewCallback } from "../../store/callbacks/callbacks.ts";
import type { TakenCallback } from "./callback-chain.ts";
import { heldCount, noteAnswerMs } from "./callback-endpoint.ts";
import { openEndpoints } from "./callback-endpoints.ts";
import { openOutbox } from "./callback-reservations.ts";
import { HELD_MAX, PROJECT_HELD_MAX } from "./callback-shares.ts";

const ORIGIN = "https://shop.example";

function anOutbox() {
  const endpoints = openEndpoints();
  const sent: TakenCallback[] = [];
  const outbox = openOutbox({
    endpoints,
    leaseS: 30,
    nowMs: () => 1_000,
    isClosed: () => false,
    add: (callbacks) => sent.push(...callbacks),
    track: () => undefined,
  });
  /** An endpoint that has shown how quick it is. */
  const quick = (projectId: Id) => {
    const state = endpoints.of({ projectId, origin: ORIGIN });
    for (let answers = 0; answers < 100; answers += 1) noteAnswerMs(state, 5);
    return state;
  };
  return { outbox, quick, sent };
}

function callbacks(count: number, projectId: Id, wish: Partial<NewCallback> = {}): NewCallback[] {
  return Array.from({ length: count }, (_, index) => ({
    projectId,
    id: newId(),
    requestId: newId(),
    sequence: 2 + index,
    url: `${ORIGIN}/callbacks`,
    origin: ORIGIN,
    waitsMaxS: null,
    body: {},
    ...wish,
  }));
}

it("however quick an endpoint is, it gets a project's share of the places and no more", () => {
  const { outbox, quick } = anOutbox();
  const projectId = newId();
  quick(projectId);
  expect(outbox.reserve(callbacks(PROJECT_HELD_MAX + 100, projectId))?.ids.size).toBe(PROJECT_HELD_MAX);
});

it("all projects together get no more than a process holds", () => {
  const { outbox, quick } = anOutbox();
  const projects = Array.from({ length: 10 }, () => newId());
  for (const projectId of projects) quick(projectId);
  const chosen = projects.map((projectId) => outbox.reserve(callbacks(PROJECT_HELD_MAX, projectId))?.ids.size ?? 0);
  expect(chosen.reduce((sum, count) => sum + count, 0)).toBe(HELD_MAX);
});

it("a place is free again when its reservation is closed, whether it was used or not", () => {
  const { outbox, quick } = anOutbox();
  const projectId = newId();
  const state = quick(projectId);
  const reservation = outbox.reserve(callbacks(10, projectId));
  expect(heldCount(state)).toBe(10);
  reservation?.close();
  expect(heldCount(state)).toBe(0);
});

it("of one payment none is chosen that follows one for which there was no room", () => {
  const { outbox } = anOutbox();
  const projectId = newId();
  // A new endpoint takes 32.
  const before = callbacks(31, projectId);
  const life = callbacks(4, projectId, { requestId: newId() });
  const chosen = outbox.reserve([...before, ...life])?.ids;
  expect(life.map(({ id }) => chosen?.has(id))).toEqual([true, false, false, false]);
});

it("what comes after one that had to queue does not overtake it", () => {
  const { outbox } = anOutbox();
  const projectId = newId();
  const first = outbox.reserve(callbacks(33, projectId));
  first?.close();
  expect(outbox.reserve(callbacks(1, projectId))).toBeUndefined();
  expect(outbox.reserve(callbacks(1, newId()))?.ids.size).toBe(1);
});
