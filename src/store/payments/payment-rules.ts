/** What ties payments to the ledger. Each statement returns the rows that break it, in one pass over the payments. */
export const PAYMENT_RULES = {
  /** What stands in suspense stands there under a payment, and under none is it less than nothing. */
  suspense_negative: `
    select 'payment ' || s.subject_id || ' of project ' || s.project_id as "where",
           case when p.request_id is null then 'no such payment, ' else '' end || s.amount || ' ' || s.currency
             || ' in suspense' as detail
      from (select project_id, subject_id, currency, sum(amount) as amount from entries
             where account = 'suspense' group by project_id, subject_id, currency) s
      left join payments p on p.project_id = s.project_id and p.request_id = s.subject_id
     where s.amount < 0 or p.request_id is null
     order by 1`,

  /**
   * All that arrived for a pay-in was settled, went back to its card, was moved on by hand, was recorded by mistake, or stands
   * in suspense.
   */
  suspense_differs: `
    with standing as (
      select project_id, subject_id as request_id, sum(amount) as amount,
             coalesce(-sum(amount) filter (where kind in ('reverse', 'reversal')), 0) as reversed
        from entries where account = 'suspense' group by project_id, subject_id),
    moved as (
      select project_id, request_id, sum(amount) as amount from suspense_moves group by project_id, request_id),
    -- What came for choices of the payer that were over.
    ended as (
      select project_id, request_id, sum(received_amount) as amount from page_choices
       where received_amount > 0 group by project_id, request_id)
    select 'payment ' || p.request_id || ' of project ' || p.project_id as "where",
           p.state || ', ' || p.received_amount + coalesce(e.amount, 0) || ' ' || p.currency || ' received, '
             || case when p.state = 'success' then p.amount else 0 end || ' settled, '
             || coalesce(s.reversed, 0) || ' given back, ' || coalesce(m.amount, 0) || ' moved on, '
             || coalesce(s.amount, 0) || ' in suspense' as detail
      from payments p
      left join standing s on s.project_id = p.project_id and s.request_id = p.request_id
      left join moved m on m.project_id = p.project_id and m.request_id = p.request_id
      left join ended e on e.project_id = p.project_id and e.request_id = p.request_id
     where p.direction = 'payin'
       and coalesce(s.amount, 0) + coalesce(s.reversed, 0) + coalesce(m.amount, 0)
           <> p.received_amount + coalesce(e.amount, 0) - case when p.state = 'success' then p.amount else 0 end
     order by 1`,

  /** What an operator moved out of suspense to another project's balance has arrived there. */
  move_differs: `
    select 'move ' || m.id || ' of project ' || m.project_id as "where",
           m.amount || ' ' || m.currency || ' for project ' || m.target_project_id || ', its transfers move '
             || coalesce(t.moved, 0) as detail
      from suspense_moves m
      left join lateral (
        select sum(e.amount) as moved from entries e
         where e.project_id = m.target_project_id and e.subject_id = m.id and e.currency = m.currency
           and e.account = 'available') t on true
     where m.kind = 'to_balance' and m.target_project_id <> m.project_id and coalesce(t.moved, 0) <> case when m.reversed_at is null then m.amount else 0 end
     order by 1`,

  /** A success is what the merchant and we got of it; any other pay-in has moved nothing to either. */
  payin_differs: `
    with settled as (
      select project_id, subject_id, sum(amount) as gross, sum(amount) filter (where kind = 'fee') as fee
        from transfers where kind in ('settle', 'fee') group by project_id, subject_id)
    select 'payment ' || p.request_id || ' of project ' || p.project_id as "where",
           p.state || ', ' || p.amount || ' ' || p.currency || ' with a fee of ' || coalesce(p.fee, 0)
             || ', its transfers settle ' || coalesce(s.gross, 0) || ' with a fee of ' || coalesce(s.fee, 0) as detail
      from payments p
      left join settled s on s.project_id = p.project_id and s.subject_id = p.request_id
     where p.direction = 'payin'
       and case when p.state = 'success'
                then coalesce(s.gross, 0) <> p.amount or coalesce(s.fee, 0) <> coalesce(p.fee, 0)
                else s.gross is not null end
     order by 1`,

  /** What a provider keeps for itself was paid to it out of our fees, once. */
  cost_differs: `
    with noted as (
      select project_id, request_id, 'clearing:' || provider as account, sum(fee) as fee
        from attempts where fee > 0 group by project_id, request_id, provider),
    posted as (
      select project_id, subject_id as request_id, to_account as account, sum(amount) as fee
        from transfers where kind = 'cost' and from_account = 'fees' and to_account like 'clearing:%'
       group by project_id, subject_id, to_account)
    select 'payment ' || coalesce(n.request_id, p.request_id) || ' of project ' || coalesce(n.project_id, p.project_id) as "where",
           coalesce(n.account, p.account) || ', its attempts say that the provider keeps ' || coalesce(n.fee, 0)
             || ', its transfers pay ' || coalesce(p.fee, 0) as detail
      from noted n
      full join posted p on p.project_id = n.project_id and p.request_id = n.request_id and p.account = n.account
     where coalesce(n.fee, 0) <> coalesce(p.fee, 0)
     order by 1, 2`,

  /** What a provider paid beside the books is a shortfall, once, for the payout's whole sum; and no other payment has one. */
  shortfall_differs: `
    with short as (
      select project_id, subject_id, sum(amount) as amount from transfers
       where kind = 'shortfall' group by project_id, subject_id)
    select 'payment ' || coalesce(p.request_id, s.subject_id) || ' of project ' || coalesce(p.project_id, s.project_id) as "where",
           coalesce(p.state, 'no such payment') || ', ' || coalesce(p.amount, 0) || ' ' || coalesce(p.currency, '') || ' paid '
             || case when p.shortfall_at is null then 'by the books only' else 'beside the books' end
             || ', its transfers are short of ' || coalesce(s.amount, 0) as detail
      from (select * from payments where shortfall_at is not null) p
      full join short s on s.project_id = p.project_id and s.subject_id = p.request_id
     where p.request_id is null or coalesce(s.amount, 0) <> p.amount or p.direction <> 'payout'
        or not (p.state = 'decline' or (p.state = 'success' and p.unproven_end = 'elsewhere'))
     order by 1`,

  /** Until it ends, a payout has its sum and its fee locked; a success has taken them, a decline has given them back. */
  payout_differs: `
    select 'payment ' || p.request_id || ' of project ' || p.project_id as "where",
           p.state || ', ' || p.amount || ' ' || p.currency || ' with a fee of ' || coalesce(p.fee, 0) || ', its hold is '
             || coalesce(h.state || ' and ' || h.amount || ' ' || h.currency, 'missing') as detail
      from payments p
      left join holds h on h.project_id = p.project_id and h.id = p.request_id and h.kind = 'payout'
     where p.direction = 'payout'
       and (h.id is null or h.currency <> p.currency or h.amount <> p.amount + coalesce(p.fee, 0)
            or h.state <> case p.state when 'success' then 'captured' when 'decline' then 'released' else 'open' end)
     order by 1`,
} as const;
