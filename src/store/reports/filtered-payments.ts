import type { Id } from "../../core/ids.ts";
import type { PaymentFilter } from "../../core/reports/payment-filter.ts";
import { idBounds } from "../../core/reports/period.ts";
import { findAnyId } from "../../core/reports/query-values.ts";

/**
 * Which payments a filter means, as SQL. The list, the totals and the file are made of these same words, so that they cannot
 * mean different ones. No statement is made without the projects that the reader may see.
 *
 * All columns that a filter or a total names are in the primary key's index, so that 100,000 payments are counted without
 * reading their rows: see decision 0060.
 */

/** Of the table or alias `p`, with the values of `filterValues`. A value that is null is left out when the plan is made. */
const CONDITIONS = `($2::text is null or p.direction = $2)
  and ($3::text[] is null or p.state = any($3))
  and ($4::text is null or p.method = $4)
  and ($5::text is null or p.currency = $5)
  and ($6::bigint is null or p.amount >= $6)
  and ($7::bigint is null or p.amount <= $7)
  and ($8::timestamptz is null or p.created_at >= $8)
  and ($9::timestamptz is null or p.created_at < $9)
  and ($10::uuid is null or p.request_id >= $10)
  and ($11::uuid is null or p.request_id <= $11)
  and ($12::text is null or p.customer_id = $12)`;

/** Each of these is one look at an index of each project. */
const NAMED = `
  select p.project_id, p.request_id from payments p where p.project_id = any($1::uuid[]) and p.request_id = $14::uuid
  union
  select p.project_id, p.request_id from payments p
   where p.project_id = any($1::uuid[]) and p.direction in ('payin', 'payout') and p.payment_id = $13::text
  union
  select a.project_id, a.request_id from attempts a where a.project_id = any($1::uuid[]) and a.reference = $13::text
  union
  select c.project_id, c.request_id from callbacks c where c.project_id = any($1::uuid[]) and c.id = $14::uuid`;

/** Those that a search names, found by their ids first, and then held against the rest of the filter. */
const SEARCHED = `(
  select p.* from (${NAMED}) named
   cross join lateral (
     select * from payments p where p.project_id = named.project_id and p.request_id = named.request_id offset 0) p)`;

/** How many values `filterValues` has: what a statement adds begins after them. */
export const FILTER_VALUES = 14;

/** Said in the words of the small index of disputes, so that the planner sees that it will do. */
function ofDisputes({ states }: PaymentFilter): string {
  return states?.every((state) => state.startsWith("dispute:")) === true ? " and p.state like 'dispute:%'" : "";
}

/** A `from` and its `where`. The projects are the first value, or the alias `j` of a lateral join. */
export function filteredPayments(filter: PaymentFilter, project: "any" | "each" = "any"): string {
  const ofProject = project === "any" ? "p.project_id = any($1::uuid[])" : "p.project_id = j.id";
  // Values 13 and 14 must be named in every statement, or PostgreSQL cannot tell their types.
  return filter.search === undefined
    ? `payments p where ${ofProject} and ${CONDITIONS}${ofDisputes(filter)} and $13::text is null and $14::uuid is null`
    : `${SEARCHED} p where ${ofProject} and ${CONDITIONS}`;
}

export function filterValues(projectIds: readonly Id[], filter: PaymentFilter): unknown[] {
  const { lowest, highest } = idBounds(filter);
  const { search } = filter;
  return [
    projectIds,
    filter.direction ?? null,
    filter.states ?? null,
    filter.method ?? null,
    filter.currency ?? null,
    filter.min ?? null,
    filter.max ?? null,
    filter.from ?? null,
    filter.to ?? null,
    lowest,
    highest,
    filter.customerId ?? null,
    search ?? null,
    search === undefined ? null : (findAnyId(search) ?? null),
  ];
}
