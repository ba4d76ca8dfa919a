import { describe, expect, it } from "vitest";
import { verdictOn } from "./answer.ts";
import { TEST_EVENTS, testCallbackBody } from "./test-callback.ts";

const EVENT_ID = "0198c6a15f3b7c0e8d2a4b6c8e0f1a41";
const about = { projectId: "0198c6a15f3b7c0e8d2a4b6c8e0f1a2b", eventId: EVENT_ID, createdAt: new Date(0) };

describe.each(TEST_EVENTS)("a test of %s", (event) => {
  it("says three times that there is no such payment", () => {
    expect(testCallbackBody(event, about)).toMatchObject({
      general: { request_id: "0".repeat(32), payment_id: `tillgate-test-callback-${EVENT_ID}` },
      status: { status_description: "Test callback: there is no such payment" },
      payment_info: { type: event.split("_")[0] },
      event: { id: EVENT_ID, sequence: 2, test: true },
    });
  });
});

it.each([
  [200, "delivered"],
  [299, "delivered"],
  [301, "retried"],
  [404, "retried"],
  [410, "disables_url"],
  [500, "retried"],
  [undefined, "retried"],
] as const)("an answer of %s means: %s", (status, verdict) => {
  expect(verdictOn(status)).toBe(verdict);
});
