import pg from "pg";
import { expect, vi } from "vitest";
import type { Id } from "../../src/core/ids.ts";
import type { Database } from "../../src/store/db.ts";
import { listPageChoices, type PageChoice } from "../../src/store/page/page-choices.ts";
import { listAttempts, type StoredAttempt } from "../../src/store/payments/attempts.ts";
import type { Made } from "../browser/pay-shop.ts";

/** A payer of the hosted page without a browser: reads its state, and does its deeds. */
export type Seen = {
  readonly step: string;
  readonly actions: readonly string[];
  readonly decline_code: string | null;
  readonly chance?: {
    readonly left: number;
    readonly last?: { readonly method: string; readonly decline_code: string };
  };
  readonly challenge_url?: string;
  readonly expires_at: string;
};

export const CARDS = {
  approved: "4242424242424242",
  challenged: "4000000000003220",
  declined: "4000000000000002",
  poor: "4000000000009995",
  silent: "4100401111100062",
} as const;

export async function deed({ url }: Made, name: string, body: unknown = {}): Promise<{ status: number; json: Seen }> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/${name}`, { method: "POST", headers, body: JSON.stringify(body) });
  // Not carried out: what the test expects next would never come.
  expect(answer.status, "the page was asked too often").not.toBe(429);
  return { status: answer.status, json: (await answer.json()) as Seen };
}

export const payByCard = (made: Made, pan: string) =>
  deed(made, "card", { pan, cvv: "987", card_holder: "OLGA", expiry_month: 12, expiry_year: 2041 });

export const payByTransfer = (made: Made) => deed(made, "choose", { method: "payin-p2p-card" });

export async function see({ url }: Made): Promise<Seen> {
  return (await (await fetch(`${url}/state`)).json()) as Seen;
}

/** A page answers ten times a second: one that is asked more often refuses what the payer does next. */
export const ASK_EVERY_MS = 120;

export function untilStep(made: Made, ...steps: string[]): Promise<Seen> {
  return vi.waitFor(
    async () => {
      const seen = await see(made);
      expect(steps, JSON.stringify(seen)).toContain(seen.step);
      return seen;
    },
    { timeout: 60_000, interval: ASK_EVERY_MS },
  );
}

/** What the database has of a payment of the hosted page. */
export type Trail = {
  readonly requestId: Id;
  readonly state: string;
  readonly received: string;
  readonly choices: readonly PageChoice[];
  readonly attempts: readonly StoredAttempt[];
  readonly suspense: bigint;
  /** The statuses that the merchant was sent, in their order. */
  readonly told: readonly string[];
  /** Of the choices that were left: given back at the provider, or not yet. */
  readonly released: readonly boolean[];
};

export async function trailOf(db: Database, projectId: Id, { paymentId }: Made): Promise<Trail> {
  const [row] = await db.run<{ requestId: Id; state: string; received: string; suspense: string }>({
    text: `select p.request_id as "requestId", p.state, p.received_amount::text as received,
                  (select coalesce(sum(e.amount), 0) from entries e where e.project_id = p.project_id
                      and e.subject_id = p.request_id and e.account = 'suspense')::text as suspense
             from payments p where p.project_id = $1 and p.payment_id = $2`,
    values: [projectId, paymentId],
  });
  if (row === undefined) throw new Error("there is no such payment");
  const { requestId } = row;
  const told = await db.run<{ body: { status: { status: string; sub_status: string | null } } }>({
    text: "select body from callbacks where project_id = $1 and request_id = $2 order by sequence",
    values: [projectId, requestId],
  });
  const left = await db.run<{ released: boolean }>({
    text: `select released_at is not null as released from page_choices
            where project_id = $1 and request_id = $2 and ended_at is not null order by number`,
    values: [projectId, requestId],
  });
  return {
    ...row,
    suspense: BigInt(row.suspense),
    choices: await listPageChoices(db, { projectId, requestId }),
    attempts: await listAttempts(db, projectId, requestId),
    told: told.map(({ body: { status } }) => [status.status, status.sub_status].filter(Boolean).join(":")),
    released: left.map(({ released }) => released),
  };
}

/** By the sandbox's own table: how the charge of each reference stands; `none` where it never saw one. */
export async function chargesOf(sandboxUrl: string, references: readonly string[]): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: sandboxUrl });
  await client.connect();
  try {
    const text = "select reference, status from sandbox.charges where reference = any($1)";
    const { rows } = await client.query<{ reference: string; status: string }>(text, [references]);
    const byReference = new Map(rows.map(({ reference, status }) => [reference, status]));
    return references.map((reference) => byReference.get(reference) ?? "none");
  } finally {
    await client.end();
  }
}
