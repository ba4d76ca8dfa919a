import { describe, expect, it } from "vitest";
import type { WireAnswer } from "./channel.ts";
import { openCreate } from "./create.ts";

const PROJECT = "p";
const LOST: WireAnswer = { kind: "lost" };
const NOT_SENT: WireAnswer = { kind: "not_sent" };
const TEN_MINUTES_MS = 600_000;

function refusal(status: number, code: string): WireAnswer {
  const body = { status: "error", sub_status: null, status_description: "", code, errors: [] };
  return { kind: "answered", status, body: Buffer.from(JSON.stringify(body)) };
}

function taken(change: object = {}): WireAnswer {
  const body = {
    ...{ project_id: PROJECT, payment_id: "r", status: "processing", sub_status: "new" },
    payment: { amount: 1, currency: "RUB" },
    ...change,
  };
  return { kind: "answered", status: 200, body: Buffer.from(JSON.stringify(body)) };
}

/** A gateway that answers so, call by call. */
function opened(...answers: readonly WireAnswer[]) {
  const left = [...answers];
  const clock = { atMs: 0, nowMs: () => clock.atMs };
  const create = openCreate({ ask: async () => left.shift() ?? LOST }, PROJECT, clock);
  return { clock, kind: async () => (await create("/path", "r", {})).kind, create };
}

const UNKNOWN = { kind: "unknown" };

describe("a refusal is certain", () => {
  it.each([
    [400, "malformed_json"],
    [400, "validation_failed"],
    [403, "project_inactive"],
    [403, "method_not_enabled"],
    [413, "body_too_large"],
    [422, "insufficient_balance"],
    [422, "amount_out_of_limits"],
    [422, "bank_unknown"],
    [422, "bank_not_sbp"],
    [422, "card_invalid"],
    [422, "test_card_on_live_project"],
    [422, "no_provider"],
  ])("%i %s", async (status, code) => {
    expect(await opened(refusal(status, code)).create("/path", "r", {})).toEqual({ kind: "refused", code });
  });

  it("is a conflict where the gateway has another request", async () => {
    expect(await opened(refusal(409, "payment_id_conflict")).kind()).toBe("conflict");
  });

  it.each([
    [{ amount: 1, currency: "RUB" }, "payment"],
    [{ amount: 7, requested_amount: 1, currency: "RUB" }, "payment"],
    [{ amount: 1, currency: "KZT" }, "conflict"],
    [{ amount: 1, requested_amount: 2, currency: "RUB" }, "conflict"],
  ])("of a request for 1 RUB, %j is a %s", async (payment, kind) => {
    const { create } = opened(taken({ payment }));
    expect((await create("/path", "r", { payment: { amount: 1, currency: "RUB" } })).kind).toBe(kind);
  });
});

describe("it stays unknown", () => {
  it.each([
    [401, "signature_invalid"],
    [401, "timestamp_out_of_window"],
    [403, "project_forbidden"],
    [403, "ip_not_allowed"],
    [403, "scheme_not_allowed"],
    [404, "not_found"],
    [404, "payment_not_found"],
    [408, "request_timeout"],
    [429, "rate_limited"],
    [500, "internal_error"],
    [503, "unavailable"],
    // Another word, or a word with another status, may come from anything on the way.
    [400, "bad_request"],
    [422, "validation_failed"],
    [200, "validation_failed"],
    [422, "constructor"],
  ])("%i %s", async (status, code) => {
    expect(await opened(refusal(status, code)).create("/path", "r", {})).toEqual(UNKNOWN);
  });

  it.each([
    ["lost", LOST],
    ["not sent", NOT_SENT],
    ["another payment", taken({ payment_id: "other" })],
    ["another project's", taken({ project_id: "other" })],
    ["a page", { kind: "answered", status: 200, body: Buffer.from("<h1>") }],
    ["a redirect", { kind: "answered", status: 302, body: Buffer.of() }],
  ] as const)("%s", async (_what, answer) => {
    expect(await opened(answer).create("/path", "r", {})).toEqual(UNKNOWN);
  });

  it.each([
    ["lost", LOST],
    ["an error", refusal(500, "internal_error")],
    ["taken", taken()],
  ])("where an earlier call under the reference was %s, for ten minutes", async (_what, first) => {
    const { create, kind, clock } = opened(first, ...Array.from({ length: 3 }, () => refusal(422, "card_invalid")));
    await kind();
    expect(await kind()).toBe("unknown");
    expect(await create("/path", "r", { notMade: "bank_unknown" })).toEqual(UNKNOWN);
    clock.atMs = TEN_MINUTES_MS - 1;
    expect(await kind()).toBe("unknown");
    clock.atMs = TEN_MINUTES_MS;
    expect(await kind()).toBe("refused");
  });

  it("where another process may have sent it less than ten minutes ago", async () => {
    const since = new Date(0);
    const refused = refusal(422, "insufficient_balance");
    const { create, clock } = opened(refused, refused);
    clock.atMs = TEN_MINUTES_MS - 1;
    expect(await create("/path", "r", {}, since)).toEqual(UNKNOWN);
    expect(await create("/path", "r", { notMade: "bank_unknown" }, since)).toEqual(UNKNOWN);
    clock.atMs = TEN_MINUTES_MS;
    expect(await create("/path", "r", {}, since)).toMatchObject({ kind: "refused" });
  });

  it("after a lost answer, also where the clock was put back", async () => {
    const { kind, clock } = opened(LOST, refusal(422, "insufficient_balance"));
    clock.atMs = 5_000;
    await kind();
    clock.atMs = 0;
    expect(await kind()).toBe("unknown");
  });

  it("while another call under the reference is not answered yet", async () => {
    const answers: ((answer: WireAnswer) => void)[] = [];
    const ask = () => new Promise<WireAnswer>((resolve) => answers.push(resolve));
    const create = openCreate({ ask }, PROJECT, { nowMs: () => 0 });
    const [first, second, other] = [create("/path", "r", {}), create("/path", "r", {}), create("/path", "s", {})];
    answers[1]?.(refusal(422, "insufficient_balance"));
    answers[2]?.(refusal(422, "insufficient_balance"));
    expect(await second).toEqual(UNKNOWN);
    expect(await other).toMatchObject({ kind: "refused" });
    answers[0]?.(taken());
    expect(await first).toMatchObject({ kind: "payment" });
  });
});

it("is certain again where the earlier call was not sent, or only refused for our key or our haste", async () => {
  for (const first of [NOT_SENT, refusal(429, "rate_limited"), refusal(401, "signature_invalid")]) {
    const { kind } = opened(first, refusal(422, "card_invalid"));
    expect([await kind(), await kind()]).toEqual(["unknown", "refused"]);
  }
});
