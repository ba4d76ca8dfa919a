/**
 * What the payer of a hosted page chose, as JSON, for the payment in the table or alias `p`: read together with it, since merchants
 * see them with it. Null before the first choice, and nothing is looked up then, nor for payments without a page.
 */
export const CHOICES_JSON = `case when p.choice_count is not null then (
  select json_agg(json_build_object('number', h.number, 'method', h.method, 'bank', h.bank, 'mask', h.mask, 'brand', h.brand,
           'chosenAt', ${iso("h.chosen_at")}, 'endedAt', ${iso("coalesce(h.ended_at, p.finished_at)")},
           'declineCode', coalesce(h.decline_code, p.decline_code)) order by h.number)
    from page_choices h where h.project_id = p.project_id and h.request_id = p.request_id) end`;

/** As `Date.toISOString` writes it, to the millisecond. */
function iso(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
