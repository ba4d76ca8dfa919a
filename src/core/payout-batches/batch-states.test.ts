import { expect, it } from "vitest";
import { BATCH_EVENTS, BATCH_STATES, batchAfter } from "./batch-states.ts";

it("goes one way, and has every cell of its table as written here", () => {
  const cells = BATCH_STATES.flatMap((state) =>
    BATCH_EVENTS.flatMap((event) => {
      const next = batchAfter(state, event);
      return next === undefined ? [] : [`${state} + ${event} = ${next}`];
    }),
  );
  expect(cells).toEqual([
    "checked + confirmed = making",
    "checked + confirmed_above_limit = awaiting_approval",
    "checked + withdrawn = withdrawn",
    "awaiting_approval + approved = making",
    "awaiting_approval + refused = refused",
    "awaiting_approval + withdrawn = withdrawn",
    "making + made = done",
  ]);
});
