import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type PaymentQuestion, readPaymentQuestion } from "../../core/reports/payment-filter.ts";
import type { ReportQuery } from "../../core/reports/query-values.ts";
import { newId } from "../../platform/new-id.ts";
import type { ListedPayment } from "../../store/reports/list-payments.ts";
import { aCallback } from "../../testing/builders/callbacks.ts";
import { referenceOf } from "../../testing/builders/payments.ts";
import { readExport } from "../../testing/builders/read-export.ts";
import { aReportWorld, type ReportWorld } from "../../testing/builders/report-world.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { shortIt, sizeOf } from "../../testing/run/run-form.ts";
import { exportPayments } from "./export-payments.ts";
import { listPaymentsInScope } from "./list-payments.ts";
import { openExportPlaces } from "./open-export.ts";

const { db } = useTestDatabase();
const DAY_MS = 86_400_000;

type PlainRow = ListedPayment & { readonly book: string };

let world: ReportWorld;
let all: readonly PlainRow[];

beforeAll(async () => {
  world = await aReportWorld(db, 120);
  all = await db.run<PlainRow>({
    text: `select p.project_id as "projectId", p.request_id as "requestId", p.payment_id as "paymentId", p.direction, p.state,
                  p.method, p.currency, p.amount, p.customer_id as "customerId", p.created_at as "createdAt", j.book
             from payments p join projects j on j.id = p.project_id`,
  });
});

/** What a filter means, said a second time and without SQL. */
function isMeant(row: PlainRow, { filter }: PaymentQuestion): boolean {
  const is = <T>(wanted: T | undefined, value: T | null) => wanted === undefined || wanted === value;
  return (
    [world.live, world.test].includes(row.projectId) &&
    is(filter.projectId, row.projectId) &&
    is(filter.direction, row.direction) &&
    is(filter.method, row.method) &&
    is(filter.currency, row.currency) &&
    is(filter.customerId, row.customerId) &&
    (filter.search === undefined || [row.requestId, row.paymentId].includes(filter.search)) &&
    (filter.states?.includes(row.state) ?? true) &&
    (filter.min === undefined || row.amount >= filter.min) &&
    (filter.max === undefined || row.amount <= filter.max) &&
    (filter.from === undefined || row.createdAt >= filter.from) &&
    (filter.to === undefined || row.createdAt < filter.to)
  );
}

function questionOf(query: ReportQuery): PaymentQuestion {
  const question = readPaymentQuestion(query);
  if (!question.ok) throw new Error(question.error.description);
  return question.value;
}

async function pageOf(query: ReportQuery, scope = world.scope) {
  const page = await listPaymentsInScope(db, scope, questionOf(query));
  if (!page.ok) throw new Error(page.error);
  return page.value;
}

async function allPagesOf(query: ReportQuery) {
  const rows: ListedPayment[] = [];
  let page = await pageOf(query);
  for (;;) {
    rows.push(...page.rows);
    if (page.next === undefined) return { rows, totals: page.totals };
    page = await pageOf({ ...query, cursor: page.next });
  }
}

async function fileOf(query: ReportQuery) {
  const opened = await exportPayments({ db, places: openExportPlaces() }, world.scope, questionOf(query));
  if (!opened.ok) throw new Error(opened.error);
  return { lineCount: opened.value.lineCount, lines: await readExport(opened.value) };
}

const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

const anyFilter = () =>
  fc
    .record(
      {
        direction: fc.constantFrom("payin", "payout"),
        q: fc.constantFrom("old-5", "new-open", "paid", "nothing"),
        status: fc.constantFrom("success", "decline", "processing", "dispute", "success,dispute:no_payment"),
        method: fc.constantFrom("card-p2p", "sbp-p2p", "card-ecom"),
        currency: fc.constantFrom("RUB", "KZT"),
        min: fc.constantFrom("1", "1500", "3000"),
        max: fc.constantFrom("3000", "4500"),
        from: fc.integer({ min: 20, max: 70 }).map(dayAgo),
        to: fc.integer({ min: 0, max: 20 }).map(dayAgo),
        customer: fc.constantFrom("c1", "customer-1", "customer-5"),
        project: fc.constantFrom("live" as const, "test" as const),
        sort: fc.constantFrom("created", "amount"),
        order: fc.constantFrom("asc", "desc"),
      },
      { requiredKeys: [] },
    )
    .map(({ project, ...rest }) => ({ ...rest, ...(project === undefined ? {} : { project: world[project] }) }));

describe("for any filter", () => {
  it("the screen, the file and the table agree on which payments there are, and on their sum", async () => {
    await fc.assert(
      fc.asyncProperty(anyFilter(), async (given) => {
        const query = given as ReportQuery;
        const meant = all.filter((row) => isMeant(row, questionOf(query)));
        const { rows, totals } = await allPagesOf(query);
        const { lines, lineCount } = await fileOf(query);
        const ids = meant.map((row) => row.requestId).sort();
        expect(rows.map((row) => row.requestId).sort()).toEqual(ids);
        expect(lines.map((line) => line.request_id).sort()).toEqual(ids);
        expect(lines.map((line) => line.request_id)).toEqual(rows.map((row) => row.requestId));
        expect([totals.count, lineCount]).toEqual([meant.length, meant.length]);
        const sums = (items: readonly { book: string; currency: string; minor: bigint }[]) => {
          const found: Record<string, bigint> = {};
          for (const { book, currency, minor } of items) {
            found[`${book} ${currency}`] = (found[`${book} ${currency}`] ?? 0n) + minor;
          }
          return found;
        };
        const inTable = sums(meant.map((row) => ({ ...row, minor: row.amount })));
        const inFile = lines.map(({ book = "", currency = "", amount = "" }) => ({
          ...{ book, currency, minor: BigInt(amount.replace(".", "")) },
        }));
        expect(sums(totals.sums.map((sum) => ({ ...sum, minor: sum.amount })))).toEqual(inTable);
        expect(sums(inFile)).toEqual(inTable);
      }),
      { numRuns: sizeOf({ short: 15, long: 1000 }) },
    );
  });

  shortIt("pages come in the order that was asked for, and none repeats or leaves out a row", async () => {
    for (const [sort, order] of [
      ["created", "desc"],
      ["created", "asc"],
      ["amount", "desc"],
      ["amount", "asc"],
    ] as const) {
      const { rows } = await allPagesOf({ sort, order });
      const keys = rows.map((row) => (sort === "created" ? "" : String(row.amount).padStart(14, "0")) + row.requestId);
      const sorted = [...keys].sort();
      expect(keys).toEqual(order === "asc" ? sorted : sorted.reverse());
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys.length).toBeGreaterThan(200);
    }
  });
});

describe("a search", () => {
  const found = async (q: string, scope = world.scope) => (await pageOf({ q }, scope)).rows.map((row) => row.paymentId);

  shortIt("finds a payment by our id, the merchant's, the provider's reference and a callback's id", async () => {
    const paid = all.find((row) => row.projectId === world.live && row.paymentId === "paid");
    if (paid === undefined) throw new Error("the world has no such payout");
    const { requestId, projectId } = paid;
    const callback = await aCallback(db, projectId, { requestId, sequence: 90, state: "delivered" });
    expect(await found(requestId)).toEqual(["paid"]);
    expect(await found(requestId.toUpperCase())).toEqual(["paid"]);
    expect(await found(await referenceOf(db, paid))).toEqual(["paid"]);
    expect(await found(callback.id)).toEqual(["paid"]);
    // The live project's and the test project's.
    expect(await found("paid")).toEqual(["paid", "paid"]);
    expect(await found(newId())).toEqual([]);
  });

  shortIt("does not find another merchant's payment, by any id", async () => {
    const mine = all.find((row) => row.projectId === world.live && row.paymentId === "paid");
    if (mine === undefined) throw new Error("the world has no such payout");
    const callback = await aCallback(db, mine.projectId, { requestId: mine.requestId, sequence: 91, state: "dead" });
    for (const id of [mine.requestId, await referenceOf(db, mine), callback.id]) {
      expect(await found(id, world.foreign.scope)).toEqual([]);
    }
  });
});

describe("a scope", () => {
  shortIt("answers another merchant's project as one that does not exist", async () => {
    for (const project of [world.foreign.projectId, newId()]) {
      const question = questionOf({ project });
      expect(await listPaymentsInScope(db, world.scope, question)).toEqual({ ok: false, error: "not_found" });
      const opened = await exportPayments({ db, places: openExportPlaces() }, world.scope, question);
      expect(opened).toEqual({ ok: false, error: "not_found" });
    }
  });

  shortIt("of no projects has no payments", async () => {
    const page = await pageOf({}, { ...world.scope, projects: [] });
    expect(page).toEqual({ rows: [], next: undefined, totals: { count: 0, sums: [] } });
  });
});
