import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Direction, Method } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import type { PagePlace, PaymentFilter, PaymentSort } from "../../core/reports/payment-filter.ts";
import type { Database, Statement } from "../db.ts";
import { FILTER_VALUES, filteredPayments, filterValues } from "./filtered-payments.ts";

type Reader = Pick<Database, "run">;

/** A payment as a list and its CSV file show it. */
export type ListedPayment = {
  readonly projectId: Id;
  readonly requestId: Id;
  readonly paymentId: string;
  readonly direction: Direction;
  readonly state: PaymentState;
  readonly declineCode: string | null;
  readonly statusDescription: string | null;
  readonly method: Method | null;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly requestedAmount: Minor;
  readonly receivedAmount: Minor;
  readonly fee: Minor | null;
  readonly customerId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
};

const COLUMNS = `p.project_id as "projectId", p.request_id as "requestId", p.payment_id as "paymentId", p.direction, p.state,
  p.decline_code as "declineCode", p.status_description as "statusDescription", p.method, p.currency, p.amount,
  p.requested_amount as "requestedAmount", p.received_amount as "receivedAmount", p.fee, p.customer_id as "customerId",
  p.created_at as "createdAt", p.updated_at as "updatedAt", p.finished_at as "finishedAt"`;

const AFTER_ID = `$${FILTER_VALUES + 1}`;
const AFTER_AMOUNT = `$${FILTER_VALUES + 2}`;
const LIMIT = `$${FILTER_VALUES + 3}`;

type PageQuestion = {
  readonly filter: PaymentFilter;
  readonly sort: PaymentSort;
  readonly after: PagePlace | undefined;
  readonly limit: number;
};

/** Our ids grow with time, so their order is that of creation. */
function orderOf({ by, order }: PaymentSort, alias: string): string {
  const id = `${alias}.request_id ${order}`;
  return by === "created" ? id : `${alias}.amount ${order}, ${id}`;
}

/** Named whichever way it is sorted, so that every value has its type. */
function isBehind({ by, order }: PaymentSort): string {
  const sign = order === "desc" ? "<" : ">";
  const place =
    by === "created"
      ? `p.request_id ${sign} ${AFTER_ID}::uuid and ${AFTER_AMOUNT}::bigint is not null`
      : `(p.amount, p.request_id) ${sign} (${AFTER_AMOUNT}::bigint, ${AFTER_ID}::uuid)`;
  return `(${AFTER_ID}::uuid is null or ${place})`;
}

/**
 * A page by key: the keys come from the index of each project, which gives at most a page, and only the page's own rows
 * are read.
 */
export function listFilteredPayments(
  db: Reader,
  projectIds: readonly Id[],
  { filter, sort, after, limit }: PageQuestion,
): Promise<ListedPayment[]> {
  return db.run<ListedPayment>({
    text: `with page as (
             select k.* from unnest($1::uuid[]) as j (id)
              cross join lateral (
                select p.project_id, p.request_id, p.amount from ${filteredPayments(filter, "each")} and ${isBehind(sort)}
                 order by ${orderOf(sort, "p")} limit ${LIMIT}) k
              order by ${orderOf(sort, "k")} limit ${LIMIT})
           select ${COLUMNS} from page
            cross join lateral (
              select * from payments p
               where p.project_id = page.project_id and p.request_id = page.request_id offset 0) p
            order by ${orderOf(sort, "page")}`,
    values: [...filterValues(projectIds, filter), after?.requestId ?? null, after?.amount ?? null, limit],
  });
}

/** All of them, for a cursor: sorted by their keys alone, so that no wide rows are sorted. */
export function selectFilteredPayments(
  projectIds: readonly Id[],
  filter: PaymentFilter,
  sort: PaymentSort,
): Pick<Statement, "text" | "values"> {
  return {
    text: `select ${COLUMNS}
             from (select p.project_id, p.request_id, p.amount from ${filteredPayments(filter)} order by ${orderOf(sort, "p")}) k
            cross join lateral (
              select * from payments p where p.project_id = k.project_id and p.request_id = k.request_id offset 0) p
            order by ${orderOf(sort, "k")}`,
    values: filterValues(projectIds, filter),
  };
}

/** What the payments of a project in one currency add up to. A sum can exceed what 64 bits hold, so it comes as text. */
export type PaymentTotal = {
  readonly projectId: Id;
  readonly currency: Currency;
  readonly count: number;
  readonly amount: string;
};

export function sumFilteredPayments(
  db: Reader,
  projectIds: readonly Id[],
  filter: PaymentFilter,
): Promise<PaymentTotal[]> {
  return db.run<PaymentTotal>({
    text: `select p.project_id as "projectId", p.currency, count(*)::int as count, sum(p.amount)::text as amount
             from ${filteredPayments(filter)}
            group by p.project_id, p.currency order by p.currency, p.project_id`,
    values: filterValues(projectIds, filter),
  });
}
