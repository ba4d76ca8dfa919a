/** What ties the operator's own accounts to the ledger. */
export const POOL_RULES = {
  /** What banks reported of an account is what its clearing account holds: neither has moved without the other. */
  pool_clearing_differs: `
    with reported as (
      select a.code, coalesce(sum(case t.direction when 'debit' then t.amount else -t.amount end), 0) as amount
        from receiving_accounts a left join bank_lines t on t.account_id = a.id and t.reversed_at is null
       group by a.code),
    posted as (
      select substring(account from 15) as code, sum(amount) as amount from entries
       where account like 'clearing:pool-%' group by account)
    select 'receiving account ' || coalesce(r.code, p.code) as "where",
           'its bank reported ' || coalesce(r.amount, 0) || ', its clearing account holds ' || coalesce(p.amount, 0) as detail
      from reported r full join posted p on p.code = r.code
     where coalesce(r.amount, 0) <> coalesce(p.amount, 0)
     order by 1`,

  /** A receiving account counts what is lent from it now. */
  lendings_differ: `
    select 'receiving account ' || a.code as "where", a.live_count || ' lent, by its lendings ' || count(l.reference) as detail
      from receiving_accounts a left join lendings l on l.account_id = a.id and l.ended_at is null
     group by a.id having a.live_count <> count(l.reference)
     order by 1`,
} as const;
