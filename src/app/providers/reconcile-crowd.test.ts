import { expect, it } from "vitest";
import type { RegisterItem } from "../../core/provider-books/register-file.ts";
import { ok, type Result } from "../../core/result.ts";
import { aProject, minor, RUB } from "../../testing/builders/projects.ts";
import { aConfiguredProvider } from "../../testing/builders/provider-books.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { sizeOf } from "../../testing/run/run-form.ts";
import { reconcileProvider } from "./reconcile-provider.ts";

/** A long day: every attempt is compared once, portion by portion, however many were made in the same microsecond. */
const { db } = useTestDatabase();
const COUNT = sizeOf({ short: 1_700, long: 100_000 });
const PROVIDER = "crowd";

async function aCrowd(): Promise<void> {
  const { projectId } = await aProject(db, "live");
  await aConfiguredProvider(db, PROVIDER);
  await db.transaction(async (tx) => {
    await tx.run({
      text: `insert into payments (project_id, request_id, direction, product, payment_id, body_hash, state, decline_code,
                                   method, currency, requested_amount, amount, fee_bp, fee_fixed, fee, customer_id, request,
                                   provider, reference, attempt_count, expires_at, deadline_at, finished_at, released_at)
             select $1, gen_random_uuid(), 'payin', 'p2p', 'p-' || n, '\\x00', 'decline', 'cancelled', 'card-p2p', 'RUB', 1000, 1000,
                    250, 0, 25, 'c1', '{}', $2, md5(n::text), 1, now(), now(), now(), now()
               from generate_series(1, $3::integer) n`,
      values: [projectId, PROVIDER, COUNT],
      timeoutMs: 0,
    });
    await tx.run({
      text: `insert into attempts (project_id, request_id, number, provider, reference, outcome, ended_at)
             select project_id, request_id, 1, provider, reference, 'taken', now() from payments where project_id = $1`,
      values: [projectId],
      timeoutMs: 0,
    });
  });
  await db.run({ text: "analyze attempts, payments", timeoutMs: 0 });
}

async function* register(references: readonly string[]): AsyncGenerator<Result<RegisterItem[], string>> {
  for (const [index, reference] of references.entries()) {
    const said = { status: "decline", word: "no", amount: minor(1000), currency: RUB, fee: undefined } as const;
    yield ok([{ kind: "line", value: { ...said, line: index + 2, reference, direction: undefined } }]);
  }
}

it("every attempt of a long day is compared once, and what is listed is bounded", async () => {
  await aCrowd();
  const rows = await db.run<{ reference: string }>({ text: "select reference from attempts" });
  const references = rows.map(({ reference }) => reference);
  const period = { since: new Date(0), until: new Date(Date.now() + 60_000) };
  const compare = (lines: readonly string[]) =>
    reconcileProvider(db, { provider: PROVIDER, period, source: { kind: "register", portions: register(lines) } });
  const whole = await compare(references);
  expect(whole).toMatchObject({ attempts: COUNT, lines: COUNT, otherTime: 0, differences: [] });

  const none = await compare([]);
  expect(none.counts.get("missing_there")).toBe(COUNT);
  expect(none.differences).toHaveLength(1_000);

  let asked = 0;
  const readEntry = async () => {
    asked += 1;
    return { kind: "never_seen" } as const;
  };
  const source = { kind: "answers", known: new Map(), onAnswer: () => undefined, readEntry } as const;
  const answers = await reconcileProvider(db, { provider: PROVIDER, period, source });
  expect([asked, answers.attempts, answers.counts.get("missing_there")]).toEqual([COUNT, COUNT, COUNT]);
});
