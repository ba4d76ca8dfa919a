-- The ledger. A transfer moves one sum of one currency from one account to another, so it is balanced by its very form.
--
-- An account is named, not numbered: available and locked belong to the transfer's project; fees, suspense, shortfall
-- and clearing:<provider> are the house's, one for each book and currency. The project's book (test or live) is the
-- transfer's, so no transfer can cross. House accounts are sums over transfers and have no row: a row that every
-- merchant's payments update would make them all wait for each other.

create function is_account(name text) returns boolean immutable language sql as $$
  select name in ('available', 'locked', 'fees', 'suspense', 'shortfall') or name ~ '^clearing:[a-z0-9][a-z0-9-]{0,63}$'
$$;

create table transfers (
  project_id   uuid not null references projects (id),
  id           uuid not null,
  currency     text not null check (currency ~ '^[A-Z]{3}$'),
  from_account text not null check (is_account(from_account)),
  to_account   text not null check (is_account(to_account)),
  amount       bigint not null check (amount between 1 and 10000000000000),
  -- What happened, and to what: a credit of an adjustment, a capture of a hold, …
  kind         text not null check (kind ~ '^[a-z_]{1,32}$'),
  subject_id   uuid not null,
  created_at   timestamptz not null default now(),
  -- The other columns let a balance of the past be summed from this index alone: decision 0060.
  primary key (project_id, id) include (currency, from_account, to_account, amount, kind, created_at),
  constraint transfers_between_two_accounts check (from_account <> to_account)
);
create index transfers_by_subject on transfers (project_id, subject_id);
-- Few transfers touch suspense, and what stands there is asked for often.
create index transfers_in_suspense on transfers (project_id, subject_id) where from_account = 'suspense' or to_account = 'suspense';
-- What each receiving account's clearing account holds is asked for every day; other transfers are not in these.
create index transfers_from_pool on transfers (from_account) include (amount) where from_account like 'clearing:pool-%';
create index transfers_to_pool on transfers (to_account) include (amount) where to_account like 'clearing:pool-%';

-- Both sides of every transfer: what accountants read, and what the balances are checked against.
create view entries as
  select project_id, id as transfer_id, currency, from_account as account, -amount as amount, kind, subject_id, created_at
    from transfers
  union all
  select project_id, id as transfer_id, currency, to_account as account, amount, kind, subject_id, created_at
    from transfers;

-- What a project's two accounts hold: the sums of their entries, kept current by post_transfers.
create table balances (
  project_id uuid not null references projects (id),
  currency   text not null check (currency ~ '^[A-Z]{3}$'),
  available  bigint not null default 0,
  locked     bigint not null default 0,
  primary key (project_id, currency),
  constraint balances_available_not_negative check (available >= 0),
  constraint balances_locked_not_negative check (locked >= 0),
  -- Locking and releasing leave this sum as it is, so only a credit can ever meet the limit.
  constraint balances_within_limit check (available + locked <= 10000000000000)
);

-- A promise that part of a balance is spoken for: available → locked until it is released or captured.
create table holds (
  project_id uuid not null references projects (id),
  id         uuid not null,
  currency   text not null check (currency ~ '^[A-Z]{3}$'),
  kind       text not null check (kind in ('payout', 'reserve')),
  reference  text not null check (char_length(reference) between 1 and 255),
  amount     bigint not null check (amount between 1 and 10000000000000),
  state      text not null default 'open' check (state in ('open', 'released', 'captured')),
  created_at timestamptz not null default now(),
  closed_at  timestamptz,
  primary key (project_id, id),
  unique (project_id, kind, reference),
  check ((state = 'open') = (closed_at is null))
);
create index holds_open on holds (project_id, currency) where state = 'open';

create function keep_hold() returns trigger language plpgsql as $$
begin
  if old.state <> 'open'
     or (new.project_id, new.id, new.currency, new.kind, new.reference, new.amount)
       is distinct from (old.project_id, old.id, old.currency, old.kind, old.reference, old.amount) then
    raise exception 'a hold is closed once, and otherwise stays as it was made' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger holds_closed_once before update on holds for each row execute function keep_hold();

-- Money put in or taken out by hand. The reference is what makes a repeat harmless.
create table adjustments (
  project_id uuid not null references projects (id),
  id         uuid not null,
  currency   text not null check (currency ~ '^[A-Z]{3}$'),
  reference  text not null check (char_length(reference) between 1 and 255),
  direction  text not null check (direction in ('credit', 'debit')),
  amount     bigint not null check (amount between 1 and 10000000000000),
  reason     text not null check (char_length(reason) between 1 and 1000),
  actor      text not null check (char_length(actor) between 1 and 128),
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  unique (project_id, currency, reference)
);

-- Each run of `ledger check` that came to its end, so that one that was forgotten is noticed.
create table ledger_checks (
  id              uuid primary key,
  finished_at     timestamptz not null default now(),
  violation_count integer not null check (violation_count >= 0),
  actor           text not null check (char_length(actor) between 1 and 128)
);
create index ledger_checks_by_end on ledger_checks (finished_at);
create trigger ledger_checks_immutable before update or delete on ledger_checks for each row execute function forbid_change();
create trigger ledger_checks_kept before truncate on ledger_checks for each statement execute function forbid_change();

-- What operators proved by a bank's reference, by any command. One reference names one movement of money of a
-- book: the bank made it once, whichever project, command or way it is booked by. The row is the book's, not a project's.
create table operator_references (
  id         uuid primary key default gen_random_uuid(),
  book       text not null check (book in ('test', 'live')),
  reference  text not null check (char_length(reference) between 1 and 255),
  command    text not null check (char_length(command) between 1 and 32),
  -- Null: it names a line of a receiving account, and that line says whose the money is.
  project_id uuid references projects (id),
  -- The payment, the adjustment or the receiving account that money moved for.
  subject_id uuid not null,
  created_at timestamptz not null default now(),
  -- The entry was reversed: the reference may name the right one.
  freed_at   timestamptz
);
create unique index operator_references_in_force on operator_references (book, reference) where freed_at is null;

create function keep_operator_reference() returns trigger language plpgsql as $$
begin
  if old.freed_at is not null or to_jsonb(new) - 'freed_at' <> to_jsonb(old) - 'freed_at' then
    raise exception 'a reference is freed once, and otherwise stays as it was given' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger operator_references_identity before update on operator_references for each row execute function keep_operator_reference();

-- What an operator recorded by mistake, and took back. The entry stays as it was, marked as reversed, and opposite transfers
-- move its money back. Its reference is then free for the right entry.
create table reversals (
  project_id uuid not null references projects (id),
  id         uuid not null,
  entry      text not null check (entry in ('suspense_move', 'bank_line', 'provider_funds')),
  entry_id   uuid not null,
  currency   text not null check (currency ~ '^[A-Z]{3}$'),
  amount     bigint not null check (amount between 1 and 10000000000000),
  reason     text not null check (char_length(reason) between 1 and 1000),
  actor      text not null check (char_length(actor) between 1 and 128),
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  unique (project_id, entry_id)
);

create trigger transfers_immutable before update or delete on transfers for each row execute function forbid_change();
create trigger transfers_kept before truncate on transfers for each statement execute function forbid_change();
create trigger adjustments_immutable before update or delete on adjustments for each row execute function forbid_change();
create trigger adjustments_kept before truncate on adjustments for each statement execute function forbid_change();
create trigger reversals_immutable before update or delete on reversals for each row execute function forbid_change();
create trigger reversals_kept before truncate on reversals for each statement execute function forbid_change();
create trigger holds_kept before delete or truncate on holds for each statement execute function forbid_change();
create trigger balances_kept before delete or truncate on balances for each statement execute function forbid_change();
create trigger operator_references_kept before delete or truncate on operator_references for each statement execute function forbid_change();

-- The only way money moves: writes the transfers and brings the balances they touch up to date, one update for each
-- balance however many transfers there are. Balance rows are taken last and in the order of their keys, so that two
-- callers never wait for each other in a circle. A balance that would break its bounds fails the whole call. Planned once: to
-- plan for each small batch would take as long as the work.
create function post_transfers(
  project_ids uuid[], ids uuid[], currencies text[], from_accounts text[], to_accounts text[],
  amounts bigint[], kinds text[], subject_ids uuid[]
) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  insert into transfers (project_id, id, currency, from_account, to_account, amount, kind, subject_id)
  select * from unnest(project_ids, ids, currencies, from_accounts, to_accounts, amounts, kinds, subject_ids);

  insert into balances (project_id, currency)
  select distinct t.project_id, t.currency
    from unnest(project_ids, currencies, to_accounts) as t (project_id, currency, to_account)
   where t.to_account in ('available', 'locked')
     and not exists (select from balances b where b.project_id = t.project_id and b.currency = t.currency)
   order by 1, 2
  on conflict do nothing;

  perform from balances b
   where (b.project_id, b.currency) in (
     select t.project_id, t.currency
       from unnest(project_ids, currencies, from_accounts, to_accounts) as t (project_id, currency, from_account, to_account)
      where t.from_account in ('available', 'locked') or t.to_account in ('available', 'locked'))
   order by b.project_id, b.currency
     for no key update;

  update balances b
     set available = b.available + d.available,
         locked = b.locked + d.locked
    from (
      select t.project_id, t.currency,
             (sum(case when to_account = 'available' then amount else 0 end)
              - sum(case when from_account = 'available' then amount else 0 end))::bigint as available,
             (sum(case when to_account = 'locked' then amount else 0 end)
              - sum(case when from_account = 'locked' then amount else 0 end))::bigint as locked
        from unnest(project_ids, currencies, from_accounts, to_accounts, amounts)
             as t (project_id, currency, from_account, to_account, amount)
       group by t.project_id, t.currency) d
   where b.project_id = d.project_id and b.currency = d.currency
     and (d.available <> 0 or d.locked <> 0);

  -- A debit of a balance that has no row found nothing to update; it must fail like any other that is too large.
  if exists (
    select from unnest(project_ids, currencies, from_accounts) as t (project_id, currency, from_account)
     where t.from_account in ('available', 'locked')
       and not exists (select from balances b where b.project_id = t.project_id and b.currency = t.currency)
  ) then
    raise exception 'there is no balance to take this from'
      using errcode = 'check_violation', constraint = 'balances_available_not_negative';
  end if;
end $$;
