import { expect, it } from "vitest";
import { PAYMENT_PILES } from "../../core/payments/piles.ts";
import type { Database, Row, Statement, Transaction } from "../../store/db.ts";
import { listPayments } from "../../store/payments/read-payments.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { readAttention } from "../../testing/rigs/with-pool.ts";
import { readAttentionFigures } from "./read-attention.ts";

/** Night after night, and every few seconds for the metrics: whatever the statements read, it must not grow with the past. */
const { db } = useTestDatabase();

/** Where rows stay for ever. */
const GROWING = [
  "payments",
  "callbacks",
  "transfers",
  "attempts",
  "bank_lines",
  "hand_payouts",
  "payment_history",
  "payout_batches",
  "payout_batch_rows",
];
/** Indexes that hold only what is open, or in trouble. */
const SMALL = [
  "payments_due",
  "payments_in_dispute",
  "payments_unknown",
  "payments_short",
  "payments_contradicted",
  "callbacks_due",
  "callbacks_dead",
  "transfers_in_suspense",
  "hand_payouts_waiting",
  "bank_lines_unexplained",
  "payout_batches_making",
  "payout_batches_waiting",
  "payout_batch_rows_waiting",
];

type Plan = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly Plans?: readonly Plan[];
};

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** Reads of growing tables that neither look a key up nor stay within a small index. */
function wideReads(plan: Plan): string[] {
  return nodesOf(plan).flatMap((node) => {
    const { "Relation Name": table, "Index Name": index, "Index Cond": condition } = node;
    if (node["Node Type"] === "Seq Scan") return GROWING.includes(table ?? "") ? [`Seq Scan on ${table}`] : [];
    const isWide = index !== undefined && condition === undefined && !SMALL.includes(index);
    return isWide && GROWING.some((name) => index.startsWith(name)) ? [`all of ${index}`] : [];
  });
}

/** Runs every statement, and notes what it would read where tables are large: an index wherever one will do. */
async function plansOf(work: (watched: Database) => Promise<unknown>): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  const watch = ({ run }: Transaction): Transaction => ({
    run: async <R extends Row>(statement: Statement) => {
      if (statement.text.startsWith("set ")) return run<R>(statement);
      const [row] = await run<{ "QUERY PLAN": readonly { readonly Plan: Plan }[] }>({
        ...statement,
        text: `explain (format json) ${statement.text}`,
      });
      const plan = row?.["QUERY PLAN"][0]?.Plan;
      if (plan === undefined) throw new Error("a statement without a plan");
      found[statement.text.replaceAll(/\s+/g, " ")] = wideReads(plan);
      return run<R>(statement);
    },
  });
  await db.transaction(async (tx) => {
    await tx.run({ text: "set local enable_seqscan = off" });
    const watched = watch(tx);
    await work({ ...db, run: watched.run, transaction: (inside) => inside(watched) });
  });
  return found;
}

it("attention, its figures and the lists that it names read small indexes", async () => {
  const plans = await plansOf(async (watched) => {
    await readAttention(watched);
    await readAttentionFigures(watched);
    for (const pile of PAYMENT_PILES) await listPayments(watched, { pile, order: "newest", limit: 50 });
  });
  expect(Object.keys(plans).length).toBeGreaterThan(20);
  expect(Object.entries(plans).filter(([, reads]) => reads.length > 0)).toEqual([]);
});

it("knows a wide read when it sees one", async () => {
  const plans = await plansOf(({ run }) => run({ text: "select count(*) from payments where state = 'success'" }));
  expect(Object.values(plans).flat()).not.toEqual([]);
});
