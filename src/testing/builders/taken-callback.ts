import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import type { TakenCallback } from "../../worker/callbacks/callback-chain.ts";
import { minor, RUB } from "./projects.ts";

/** A callback that a runner has taken, for tests of what it does with it. */
export function aTakenCallback(change: Partial<TakenCallback> = {}): TakenCallback {
  return {
    projectId: "0".repeat(32) as Id,
    origin: "https://shop.example",
    id: newId(),
    requestId: newId(),
    sequence: 2,
    url: "https://shop.example/callbacks",
    body: {},
    attemptCount: 0,
    scheduleFrom: 0,
    challenge: null,
    pageToken: null,
    hostedPageToken: null,
    choices: null,
    lease: "2026-01-31 10:00:00.000001+00",
    goesAhead: false,
    waitsFor: [],
    disabled: false,
    requisites: null,
    paymentState: "processing:requisites",
    requestedAmount: minor(1000),
    currency: RUB,
    takenAtMs: 0,
    ...change,
  };
}
