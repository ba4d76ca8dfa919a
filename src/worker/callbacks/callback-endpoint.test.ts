import { describe, expect, it } from "vitest";
import { afterAnswer } from "../../core/callbacks/breaker.ts";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import { aTakenCallback } from "../../testing/builders/taken-callback.ts";
import {
  beginGone,
  ENDPOINT_IN_FLIGHT_MAX,
  type EndpointState,
  endGone,
  enqueue,
  findProbeAtMs,
  heldCount,
  isGone,
  maySend,
  newEndpointState,
  noteAnswerMs,
  wantedCount,
} from "./callback-endpoint.ts";
import { openEndpoints } from "./callback-endpoints.ts";

function anEndpoint(origin = "https://shop.example", projectId: Id = newId()): EndpointState {
  return newEndpointState({ projectId, origin });
}

function quick(state: EndpointState): EndpointState {
  for (let answers = 0; answers < 100; answers += 1) noteAnswerMs(state, 5);
  return state;
}

function fail(state: EndpointState, times: number): void {
  for (let made = 0; made < times; made += 1) {
    state.breaker = afterAnswer(state.breaker, { succeeded: false, probe: undefined }, 0);
  }
}

describe("what is taken for an endpoint", () => {
  it("is no more than it can be sent at once, until it has shown how quick it is", () => {
    const state = anEndpoint();
    expect(wantedCount(state, 0)).toBe(ENDPOINT_IN_FLIGHT_MAX);
    expect(wantedCount(quick(state), 0)).toBe(256);
  });

  it("is no more than a slow one can be sent at once, and one that begins to hang soon gets no more either", () => {
    const slow = anEndpoint();
    for (let answers = 0; answers < 100; answers += 1) noteAnswerMs(slow, 9_000);
    expect(wantedCount(slow, 0)).toBe(ENDPOINT_IN_FLIGHT_MAX);
    const hanging = quick(anEndpoint());
    for (let answers = 0; answers < 4; answers += 1) noteAnswerMs(hanging, 10_000);
    expect(wantedCount(hanging, 0)).toBe(ENDPOINT_IN_FLIGHT_MAX);
  });

  it("counts callbacks, not payments: many of one payment fill it as well", () => {
    const state = quick(anEndpoint());
    const requestId = newId();
    for (let sequence = 2; sequence < 202; sequence += 1) enqueue(state, aTakenCallback({ requestId, sequence }));
    expect(state.queue).toHaveLength(1);
    expect(heldCount(state)).toBe(200);
    expect(wantedCount(state, 0)).toBe(0);
  });

  it("is the rest of it, once half of what was taken ahead is gone", () => {
    const state = quick(anEndpoint());
    for (let count = 0; count < 112; count += 1) enqueue(state, aTakenCallback());
    expect(wantedCount(state, 0)).toBe(256 - 112);
    enqueue(state, aTakenCallback());
    expect(wantedCount(state, 0)).toBe(0);
  });

  it("is nothing while its breaker is open, one as a probe, and then nothing until that is answered", () => {
    const state = anEndpoint();
    fail(state, 5);
    expect(wantedCount(state, 4_999)).toBe(0);
    expect(findProbeAtMs(state)).toBe(5_000);
    expect(wantedCount(state, 5_000)).toBe(1);
    state.breaker = { ...state.breaker, probing: true };
    expect(wantedCount(state, 1_000_000)).toBe(0);
    // Nobody need look again and again while the probe hangs.
    expect(findProbeAtMs(state)).toBeUndefined();
  });
});

describe("a queue", () => {
  it("sends no more at once than the cap", () => {
    const state = anEndpoint();
    enqueue(state, aTakenCallback());
    expect(maySend(state, 0)).toBe(true);
    state.inFlight = ENDPOINT_IN_FLIGHT_MAX;
    expect(maySend(state, 0)).toBe(false);
  });

  it("puts what comes for a payment under way behind it, not beside it", () => {
    const state = anEndpoint();
    const requestId = newId();
    enqueue(state, aTakenCallback({ requestId, sequence: 2 }));
    const chain = state.queue.shift();
    chain?.waiting.shift();
    enqueue(state, aTakenCallback({ requestId, sequence: 3 }));
    expect(state.queue).toHaveLength(0);
    expect(chain?.waiting.map(({ sequence }) => sequence)).toEqual([3]);
    enqueue(state, aTakenCallback({ requestId, sequence: 3, url: "https://shop.example/other" }));
    expect(state.queue).toHaveLength(1);
  });
});

describe("a URL that is gone", () => {
  const url = "https://shop.example/callbacks";

  it("is gone for what was taken before it was written down, and not for what was taken after", () => {
    const state = anEndpoint();
    beginGone(state, url);
    expect(isGone(state, aTakenCallback({ url, takenAtMs: 1_000_000 }))).toBe(true);
    endGone(state, url, 2_000, 30_000);
    expect(isGone(state, aTakenCallback({ url, takenAtMs: 1_999 }))).toBe(true);
    expect(isGone(state, aTakenCallback({ url, takenAtMs: 2_001 }))).toBe(false);
    expect(isGone(state, aTakenCallback({ url: `${url}/other`, takenAtMs: 1_999 }))).toBe(false);
  });

  it("is forgotten when nothing taken before it can be left", () => {
    const state = anEndpoint();
    for (let count = 0; count < 100; count += 1) endGone(state, `${url}/${count}`, count * 10_000, 30_000);
    expect(state.goneAtMs.size).toBeLessThanOrEqual(4);
  });
});

describe("the endpoints that a process knows", () => {
  it("are forgotten when nothing waits for them, so that a new one with every payment fills no memory", () => {
    const endpoints = openEndpoints();
    const projectId = newId();
    for (let count = 0; count < 10_000; count += 1) endpoints.of({ projectId, origin: `https://${count}.example` });
    const busy = endpoints.of({ projectId, origin: "https://busy.example" });
    enqueue(busy, aTakenCallback());
    endpoints.keepOnly([{ projectId, origin: "https://7.example" }]);
    expect(endpoints.list().map(({ endpoint }) => endpoint.origin)).toEqual([
      "https://7.example",
      "https://busy.example",
    ]);
  });

  it("are forgiven by project", () => {
    const endpoints = openEndpoints();
    const mine = endpoints.of({ projectId: newId(), origin: "https://shop.example" });
    const theirs = endpoints.of({ projectId: newId(), origin: "https://shop.example" });
    fail(mine, 5);
    fail(theirs, 5);
    endpoints.forgive(mine.endpoint.projectId);
    expect(mine.breaker.openUntilMs).toBeUndefined();
    expect(theirs.breaker.openUntilMs).toBeDefined();
  });
});
