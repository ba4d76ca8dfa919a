import { adjustBalance } from "../../app/ledger/adjust-balance.ts";
import type { ReportScope } from "../../app/reports/report-scope.ts";
import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import { aPayin, aPayout, ISSUED, receive } from "./payments.ts";
import { aProject, minor } from "./projects.ts";

/**
 * Two merchants with payments of every kind, over two months. The first has a live and a test project; the second's rows are
 * like the first's in everything but their project, so that a query that forgets the project is found out.
 */
export type ReportWorld = {
  readonly merchantId: Id;
  readonly live: Id;
  readonly test: Id;
  readonly scope: ReportScope;
  readonly foreign: { readonly merchantId: Id; readonly projectId: Id; readonly scope: ReportScope };
};

const DAY_MS = 86_400_000;

export async function aReportWorld(db: Database, payinCount: number): Promise<ReportWorld> {
  const { merchantId, projectId: live } = await aProject(db, "live");
  const { projectId: test } = await aProject(db, "test", merchantId);
  const other = await aProject(db, "live");
  for (const projectId of [live, test, other.projectId]) {
    await insertOldPayins(db, projectId, payinCount);
    await newPayments(db, projectId);
  }
  const name = "Web";
  return {
    ...{ merchantId, live, test },
    scope: {
      projects: [
        { id: live, name, book: "live" },
        { id: test, name, book: "test" },
      ],
    },
    foreign: {
      merchantId: other.merchantId,
      projectId: other.projectId,
      scope: { projects: [{ id: other.projectId, name, book: "live" }] },
    },
  };
}

const STATES = [
  "success",
  "decline",
  "success",
  "processing:awaiting_confirm",
  "dispute:no_payment",
  "success",
] as const;
const CURRENCIES = ["RUB", "KZT", "RUB"] as const;
const METHODS = ["card-p2p", "sbp-p2p", "card-ecom", "card-p2p"] as const;

/** Pay-ins as they are after weeks; those that succeeded with their lines in the ledger, at the time of their end. */
async function insertOldPayins(db: Database, projectId: Id, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => {
    const createdMs = Date.now() - (count - n) * ((60 * DAY_MS) / count);
    const state = STATES[(n * 7) % STATES.length] ?? "decline";
    return {
      id: newId(createdMs),
      ...{
        createdAt: new Date(createdMs),
        state,
        settleId: newId(createdMs + 180_000),
        feeId: newId(createdMs + 180_000),
      },
      ...{ currency: CURRENCIES[n % CURRENCIES.length], method: METHODS[(n * 5) % METHODS.length] },
      ...{ amount: 1000 + ((n * 7919) % 50) * 100, customerId: `customer-${n % 7}`, paymentId: `old-${n}` },
    };
  });
  await db.transaction(async (tx) => {
    await tx.run({
      text: `with made as (
               select * from unnest($2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[],
                                    $9::text[])
                 as m (request_id, created_at, state, currency, method, amount, customer_id, payment_id))
             insert into payments (project_id, request_id, direction, product, payment_id, body_hash, state, decline_code, method,
                                   currency, requested_amount, amount, received_amount, fee_bp, fee_fixed, fee, customer_id,
                                   request, created_at, updated_at, expires_at, deadline_at, released_at, finished_at)
             select $1, m.request_id, 'payin', 'p2p', m.payment_id, '\\x00', m.state,
                    case when m.state = 'decline' then 'cancelled' end, m.method, m.currency, m.amount, m.amount,
                    case when m.state = 'success' then m.amount else 0 end, 250, 0, m.amount / 40, m.customer_id, '{}',
                    m.created_at, m.created_at + interval '3 minutes', m.created_at + interval '15 minutes',
                    m.created_at + interval '15 minutes', m.created_at,
                    case when m.state in ('success', 'decline') then m.created_at + interval '3 minutes' end
               from made m`,
      values: [
        projectId,
        rows.map((row) => row.id),
        rows.map((row) => row.createdAt),
        rows.map((row) => row.state),
        rows.map((row) => row.currency),
        rows.map((row) => row.method),
        rows.map((row) => row.amount),
        rows.map((row) => row.customerId),
        rows.map((row) => row.paymentId),
      ],
    });
    const settled = rows.filter((row) => row.state === "success");
    await tx.run({
      text: `insert into transfers (project_id, id, currency, from_account, to_account, amount, kind, subject_id, created_at)
             select $1, l.id, m.currency, 'clearing:sandbox', l.account, l.amount, l.kind, m.request_id,
                    m.created_at + interval '3 minutes'
               from unnest($2::uuid[], $3::text[], $4::bigint[], $5::timestamptz[], $6::uuid[], $7::uuid[])
                 as m (request_id, currency, amount, created_at, settle_id, fee_id)
              cross join lateral (values (m.settle_id, 'available', m.amount - m.amount / 40, 'settle'),
                                         (m.fee_id, 'fees', m.amount / 40, 'fee')) as l (id, account, amount, kind)`,
      values: [
        projectId,
        settled.map((row) => row.id),
        settled.map((row) => row.currency),
        settled.map((row) => row.amount),
        settled.map((row) => row.createdAt),
        settled.map((row) => row.settleId),
        settled.map((row) => row.feeId),
      ],
    });
    await tx.run({
      text: `insert into balances (project_id, currency, available)
             select project_id, currency, sum(amount)::bigint from transfers
              where project_id = $1 and to_account = 'available' group by project_id, currency`,
      values: [projectId],
    });
  });
}

/** What moves a balance up and down, made as the service makes it. */
async function newPayments(db: Database, projectId: Id): Promise<void> {
  await receive(db, await aPayin(db, ISSUED, { projectId, paymentId: "new-success" }), 1000);
  await aPayin(db, ISSUED, { projectId, paymentId: "new-open" });
  await aPayout(db, ["claimed"], { projectId, paymentId: "sent" });
  await aPayout(db, ["claimed", "approved"], { projectId, paymentId: "paid" });
  await aPayout(db, ["claimed", "declined"], { projectId, paymentId: "returned", currency: "KZT" as Currency });
  const words = { reason: "test", actor: "test", reference: newId(), currency: "RUB" as Currency };
  const debited = await adjustBalance(db, { ...words, projectId, amount: minor(300), direction: "debit" });
  if (!debited.ok) throw new Error(debited.error);
}
