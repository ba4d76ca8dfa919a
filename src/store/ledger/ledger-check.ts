import type { Transaction } from "../db.ts";
import { PAYMENT_RULES } from "../payments/payment-rules.ts";

/** One thing that is wrong with the books: which rule, where, and the figures. */
export type Violation = { readonly rule: string; readonly where: string; readonly detail: string };

/** Each rule is one statement that returns the rows breaking it, so that it can be pasted into psql as it stands. */
export type LedgerRules = Readonly<Record<string, string>>;

/** The rules of all money; the pool has some for its own accounts beside them. */
export const LEDGER_RULES = {
  /** A transfer moves a positive sum between two different accounts that exist, for a project that exists. */
  transfer_unbalanced: `
    select 'transfer ' || t.id || ' of project ' || t.project_id as "where",
           coalesce(t.amount::text, 'no sum') || ' ' || coalesce(t.currency, '?') || ' from ' || coalesce(t.from_account, '?')
             || ' to ' || coalesce(t.to_account, '?') as detail
      from transfers t left join projects p on p.id = t.project_id
     where p.id is null or t.amount is null or t.amount <= 0 or t.from_account is not distinct from t.to_account
        or is_account(t.from_account) is not true or is_account(t.to_account) is not true
        or (t.currency ~ '^[A-Z]{3}$') is not true
     order by t.project_id, t.id`,

  /** In each book and currency, what the projects hold and what the house holds come to nothing. */
  accounts_not_zero: `
    select coalesce(p.book, 'unknown book') || ' ' || s.currency as "where",
           'all accounts together hold ' || sum(s.amount) as detail
      from (select project_id, currency, available + locked as amount from balances
            union all
            select project_id, currency, amount from entries where account not in ('available', 'locked')) s
      left join projects p on p.id = s.project_id
     group by p.book, s.currency
    having sum(s.amount) <> 0
     order by 1`,

  /** A balance is what its entries come to. */
  balance_differs: `
    with posted as (
      select project_id, currency,
             sum(amount) filter (where account = 'available') as available,
             sum(amount) filter (where account = 'locked') as locked
        from entries where account in ('available', 'locked') group by project_id, currency)
    select 'project ' || coalesce(b.project_id, e.project_id) || ' ' || coalesce(b.currency, e.currency) as "where",
           'the balance says ' || coalesce(b.available, 0) || ' available and ' || coalesce(b.locked, 0)
             || ' locked, the entries ' || coalesce(e.available, 0) || ' and ' || coalesce(e.locked, 0) as detail
      from balances b full join posted e on e.project_id = b.project_id and e.currency = b.currency
     where coalesce(b.available, 0) <> coalesce(e.available, 0) or coalesce(b.locked, 0) <> coalesce(e.locked, 0)
     order by 1`,

  /** No project's account and no suspense account is below zero. */
  account_negative: `
    select 'project ' || project_id || ' ' || currency || ' ' || account as "where", 'holds ' || sum(amount) as detail
      from entries where account in ('available', 'locked')
     group by project_id, currency, account having sum(amount) < 0
    union all
    select coalesce(p.book, 'unknown book') || ' ' || e.currency || ' suspense', 'holds ' || sum(e.amount)
      from entries e left join projects p on p.id = e.project_id
     where e.account = 'suspense'
     group by p.book, e.currency having sum(e.amount) < 0
     order by 1`,

  /** No project holds more of a currency than the wire can represent. */
  balance_over_limit: `
    select 'project ' || project_id || ' ' || currency as "where", 'holds ' || (available + locked) as detail
      from balances where available + locked > 10000000000000 order by 1`,

  /** What is locked is what open holds say. */
  locked_differs: `
    with open_holds as (
      select project_id, currency, sum(amount) as held from holds where state = 'open' group by project_id, currency)
    select 'project ' || coalesce(b.project_id, h.project_id) || ' ' || coalesce(b.currency, h.currency) as "where",
           coalesce(b.locked, 0) || ' locked, ' || coalesce(h.held, 0) || ' in open holds' as detail
      from balances b full join open_holds h on h.project_id = b.project_id and h.currency = b.currency
     where coalesce(b.locked, 0) <> coalesce(h.held, 0)
     order by 1`,

  /** An open hold has locked its sum; a closed one has let go of all of it. */
  hold_differs: `
    select 'hold ' || h.id || ' of project ' || h.project_id as "where",
           h.state || ', ' || h.amount || ' ' || h.currency || ', its transfers have locked '
             || coalesce(t.locked_in, 0) || ' and let go of ' || coalesce(t.let_go, 0) as detail
      from holds h
      left join lateral (
        select sum(amount) filter (where to_account = 'locked') as locked_in,
               sum(amount) filter (where from_account = 'locked') as let_go
          from transfers t where t.project_id = h.project_id and t.subject_id = h.id and t.currency = h.currency) t on true
     where coalesce(t.locked_in, 0) <> h.amount
        or coalesce(t.let_go, 0) <> case when h.state = 'open' then 0 else h.amount end
     order by 1`,

  /** Money moved by hand has moved, once, as its record says. */
  adjustment_differs: `
    select 'adjustment ' || a.id || ' of project ' || a.project_id as "where",
           a.direction || ' of ' || a.amount || ' ' || a.currency || ', its transfers move '
             || coalesce(t.moved, 0) as detail
      from adjustments a
      left join lateral (
        select sum(e.amount) as moved from entries e
         where e.project_id = a.project_id and e.subject_id = a.id and e.currency = a.currency and e.account = 'available') t on true
     where coalesce(t.moved, 0) <> case a.direction when 'credit' then a.amount else -a.amount end
     order by 1`,

  /** Funds that an operator moved to or from a provider have moved, once, as their record says; reversed ones have not. */
  funds_differ: `
    select 'funds ' || f.id || ' of provider ' || f.provider as "where",
           f.direction || ' ' || f.amount || ' ' || f.currency || case when f.reversed_at is null then '' else ', reversed' end
             || ', their transfers move ' || coalesce(t.moved, 0) || ', and ' || coalesce(t.balanced, 0) || ' on the other side' as detail
      from provider_funds f
      left join lateral (
        select sum(e.amount) filter (where e.account = 'clearing:' || f.provider) as moved,
               sum(e.amount) filter (where e.account = 'clearing:' || f.through) as balanced
          from entries e where e.project_id = f.project_id and e.subject_id = f.id and e.currency = f.currency) t on true
     cross join lateral (
        select case when f.reversed_at is not null then 0 when f.direction = 'in' then -f.amount else f.amount end as due) d
     where coalesce(t.moved, 0) <> d.due or coalesce(t.balanced, 0) <> -d.due
    union all
    select 'transfer ' || t.id || ' of project ' || t.project_id, 'moves ' || t.amount || ' ' || t.currency || ' of no recorded funds'
      from transfers t
     where t.kind = 'fund' and not exists (select from provider_funds f where f.project_id = t.project_id and f.id = t.subject_id)
     order by 1`,

  ...PAYMENT_RULES,
} as const satisfies LedgerRules;

export type LedgerRule = keyof typeof LEDGER_RULES;

/** Every violation of these rules in the snapshot that the transaction sees. */
export async function listViolations(tx: Transaction, rules: LedgerRules): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const [rule, text] of Object.entries(rules)) {
    const rows = await tx.run<{ where: string; detail: string }>({ text, timeoutMs: 0 });
    violations.push(...rows.map((row) => ({ rule, where: row.where, detail: row.detail })));
  }
  return violations;
}

export type LedgerTotals = { readonly transfers: bigint; readonly projects: bigint; readonly openHolds: bigint };

export async function countLedger(tx: Transaction): Promise<LedgerTotals> {
  const [row] = await tx.run<LedgerTotals>({
    timeoutMs: 0,
    text: `select (select count(*) from transfers) as transfers, (select count(*) from projects) as projects,
                  (select count(*) from holds where state = 'open') as "openHolds"`,
  });
  return row ?? { transfers: 0n, projects: 0n, openHolds: 0n };
}
