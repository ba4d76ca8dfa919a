import { expect, it, test } from "vitest";
import type { Id } from "../ids.ts";
import { keyState, keysAtWork, projectsThatNeed } from "./api-key-rules.ts";

const nowMs = Date.parse("2026-06-01T00:00:00Z");
const at = (text: string) => new Date(text);

test.each([
  ["active", { notBefore: at("2026-01-01"), notAfter: null, revokedAt: null }],
  ["active", { notBefore: at("2026-06-01"), notAfter: at("2026-07-01"), revokedAt: null }],
  ["not yet", { notBefore: at("2026-06-02"), notAfter: null, revokedAt: null }],
  ["expired", { notBefore: at("2026-01-01"), notAfter: at("2026-06-01"), revokedAt: null }],
  ["revoked", { notBefore: at("2026-06-02"), notAfter: at("2026-07-01"), revokedAt: at("2026-05-01") }],
])("a key is %s", (state, key) => expect(keyState(key, nowMs)).toBe(state));

it("a project needs a key that works for it now where no other key does", () => {
  const project = (id: string, book: "test" | "live") => ({ id: id as Id, book });
  const projects = [project("a", "test"), project("b", "test"), project("c", "live")];
  const key = (
    id: string,
    projectId: string | null,
    times: { notBefore?: Date; notAfter?: Date; revokedAt?: Date } = {},
  ) => ({
    ...{ id: id as Id, projectId: projectId as Id | null, book: "test" as const },
    ...{ notBefore: at("2026-01-01"), notAfter: null, revokedAt: null, ...times },
  });
  const needing = (keys: readonly ReturnType<typeof key>[]) =>
    projectsThatNeed("1" as Id, keysAtWork(keys, projects, nowMs));

  expect(needing([key("1", "a")])).toEqual(["a"]);
  // A key of the whole book works for each of its projects, and for none of the other book.
  expect(needing([key("1", null)])).toEqual(["a", "b"]);
  expect(needing([key("1", null), key("2", "a")])).toEqual(["b"]);
  expect(needing([key("1", "a"), key("2", null)])).toEqual([]);
  expect(needing([key("1", "a"), key("2", "b")])).toEqual(["a"]);
  // What does not work now does not help.
  for (const times of [
    { revokedAt: at("2026-05-01") },
    { notAfter: at("2026-05-01") },
    { notBefore: at("2026-07-01") },
  ])
    expect(needing([key("1", "a"), key("2", "a", times)])).toEqual(["a"]);
  expect(needing([key("1", "a", { revokedAt: at("2026-05-01") })])).toEqual([]);
});
