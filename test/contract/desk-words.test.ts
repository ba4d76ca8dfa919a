import { expect, it } from "vitest";
import { DESK_ACTIONS } from "../../src/core/sandbox/desk-actions.ts";
import { DECLINE_REASONS, FAULT_CALLS, FAULT_KINDS } from "../../src/core/sandbox/desk-words.ts";
import type { EchoStep } from "../../src/core/sandbox/echo-checks.ts";
import * as choices from "../../web/desk/actions.ts";
import { FAULT_NAMES } from "../../web/desk/fault-choices.ts";
import { deskEn } from "../../web/desk/words/en.ts";
import { deskRu } from "../../web/desk/words/ru.ts";

/** A step without its row does not compile. */
const STEPS = {
  headers: true,
  timestamp: true,
  body: true,
  project: true,
  message: true,
  signature: true,
  standard_webhooks: true,
} satisfies Record<EchoStep, true>;

it.each([
  ["English", deskEn],
  ["Russian", deskRu],
])("the desk says in %s every word that the service can send", (_language, words) => {
  const actions = Object.values(words.actions).flatMap((each) => Object.keys(each));
  expect(new Set(actions)).toEqual(new Set(DESK_ACTIONS));
  expect(Object.keys(words.faultKinds).sort()).toEqual([...FAULT_KINDS].sort());
  expect(Object.keys(words.faultCalls)).toEqual(expect.arrayContaining([...FAULT_CALLS]));
  expect(Object.keys(words.reasons).sort()).toEqual([...DECLINE_REASONS].sort());
  expect(Object.keys(words.steps).sort()).toEqual(Object.keys(STEPS).sort());
});

it("offers every fault and every reason that the service takes", () => {
  expect([...FAULT_NAMES].sort()).toEqual([...FAULT_KINDS].sort());
  expect([...choices.DECLINE_REASONS].sort()).toEqual([...DECLINE_REASONS].sort());
});
