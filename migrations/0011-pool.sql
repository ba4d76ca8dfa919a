-- Payers who say that they have paid and have not no longer hold an account until a person acts; and what an operator
-- recorded by mistake can be reversed.

-- How many pay-ins of one customer may be confirmed and unpaid before the pool lends that customer nothing more; null: any
-- number. Such a pay-in holds an account's place and a sum, and costs its payer nothing.
alter table projects add column unpaid_confirms_max integer default 3 check (unpaid_confirms_max between 1 and 1000000);

-- Few payments are in these states at a time. No create enters this index.
create index payments_unpaid_confirms on payments (project_id, customer_id)
  where provider = 'pool' and state in ('processing:paid', 'dispute:confirm_timeout') and received_amount = 0;

-- As before, and a customer whose unpaid confirms reach the project's cap is lent nothing: the verdict is 'none', and the next
-- provider of the route is asked. The pool keeps no order of its own, so the customer is the payment's.
create or replace function lend_requisite(
  for_reference text, for_project_id uuid, of_type text, of_method text, of_currency text, of_amount bigint, of_bank text,
  bank_required boolean, waiting_for uuid
) returns table (verdict text, account_id uuid, requisite_id uuid) language plpgsql as $$
#variable_conflict use_column
declare
  earlier lendings;
  chosen receiving_accounts;
  chosen_requisite uuid;
  of_book text;
  claims_max integer;
  of_customer text;
  moment timestamptz;
  local_day date;
begin
  if waiting_for is not null then
    perform from receiving_accounts a where a.id = waiting_for for no key update;
  end if;

  select * into earlier from lendings l where l.reference = for_reference;
  if found then
    return query select case when earlier.ended_at is not null then 'over'
                             when (earlier.project_id, earlier.method, earlier.currency, earlier.amount)
                                  = (for_project_id, of_method, of_currency, of_amount) then 'lent'
                             else 'other' end, earlier.account_id, earlier.requisite_id;
    return;
  end if;

  select p.book, p.unpaid_confirms_max into of_book, claims_max from projects p where p.id = for_project_id;
  select p.customer_id into of_customer
    from attempts a join payments p on p.project_id = a.project_id and p.request_id = a.request_id
   where a.reference = for_reference and a.project_id = for_project_id;
  if claims_max <= (select count(*)
                      from (select from payments p
                             where p.project_id = for_project_id and p.customer_id = of_customer and p.provider = 'pool'
                               and p.state in ('processing:paid', 'dispute:confirm_timeout') and p.received_amount = 0
                             limit claims_max) claimed) then
    insert into lendings (reference, ended_at, held_until, freed) values (for_reference, now(), now(), true)
    on conflict (reference) do nothing;
    return query select case when found then 'none' else 'busy' end, null::uuid, null::uuid;
    return;
  end if;
  select a.* into chosen
    from list_lenders(of_book, of_type, of_method, of_currency, of_amount, of_bank, bank_required) c
    join receiving_accounts a on a.id = c.account_id
   order by c.turn limit 1
     for no key update of a skip locked;
  if not found then
    select c.account_id into chosen.id
      from list_lenders(of_book, of_type, of_method, of_currency, of_amount, of_bank, bank_required) c order by c.turn limit 1;
    if chosen.id is null then
      insert into lendings (reference, ended_at, held_until, freed) values (for_reference, now(), now(), true)
      on conflict (reference) do nothing;
      -- Not found: a twin was faster, and what it was answered is the answer.
      return query select case when found then 'none' else 'busy' end, null::uuid, null::uuid;
      return;
    end if;
    return query select 'busy', chosen.id, null::uuid;
    return;
  end if;
  -- It was chosen before it was locked: now that no other session can lend from it, can it still take this sum?
  if not exists (select from list_lenders(of_book, of_type, of_method, of_currency, of_amount, of_bank, bank_required, chosen.id)) then
    return query select 'busy', chosen.id, null::uuid;
    return;
  end if;

  select r.id into chosen_requisite from requisites r
   where r.account_id = chosen.id and r.enabled and r.type = of_type and of_method = any(r.methods)
   order by r.last_lent_at nulls first, r.id limit 1
     for no key update;
  if not found then
    -- An operator switched it off just now; a withdrawal must find every pay-in that was lent it.
    return query select 'busy', chosen.id, null::uuid;
    return;
  end if;
  update lendings l set freed = true
   where l.account_id = chosen.id and l.currency = of_currency and l.amount = of_amount and not l.freed
     and l.held_until <= clock_timestamp();
  moment := clock_timestamp();
  local_day := (moment at time zone chosen.time_zone)::date;
  insert into lendings (reference, project_id, account_id, requisite_id, method, currency, amount, lent_at, counted_on)
  values (for_reference, for_project_id, chosen.id, chosen_requisite, of_method, of_currency, of_amount, moment, local_day)
  on conflict (reference) do nothing;
  if not found then
    -- A twin was faster, from another account.
    return query select 'busy', chosen.id, null::uuid;
    return;
  end if;
  insert into account_days as d (account_id, day, count, sum) values (chosen.id, local_day, 1, of_amount)
  on conflict (account_id, day) do update set count = d.count + 1, sum = d.sum + excluded.sum;
  update receiving_accounts a set last_lent_at = moment, live_count = a.live_count + 1 where a.id = chosen.id;
  update requisites r set last_lent_at = moment where r.id = chosen_requisite;
  return query select 'lent', chosen.id, chosen_requisite;
end $$;

-- As before, and it may be called while the payment still waits for a person: the account takes the next payer, and the sum
-- stays reserved for the quarantine. Where money comes by it after that, it is a part of the account's day again.
create or replace function end_lending(for_reference text, without_money boolean, since timestamptz) returns void language plpgsql as $$
declare
  lending lendings;
  ending timestamptz;
  local_day date;
begin
  select * into lending from lendings l where l.reference = for_reference;
  if not found then
    insert into lendings (reference, ended_at, held_until, freed) values (for_reference, now(), now(), true)
    on conflict (reference) do nothing;
    if found then
      return;
    end if;
    select * into lending from lendings l where l.reference = for_reference;
  end if;
  if lending.account_id is null then
    return;
  end if;
  -- The account is locked first, as lend_requisite does.
  perform from receiving_accounts a where a.id = lending.account_id for no key update;
  select * into lending from lendings l where l.reference = for_reference for no key update;
  if lending.ended_at is not null then
    -- It gave its place back while it waited for a person, and then its money came.
    if not without_money and lending.counted_on is null then
      select (clock_timestamp() at time zone a.time_zone)::date into local_day from receiving_accounts a where a.id = lending.account_id;
      update lendings l set counted_on = local_day where l.reference = for_reference;
      insert into account_days as d (account_id, day, count, sum) values (lending.account_id, local_day, 1, lending.amount)
      on conflict (account_id, day) do update set count = d.count + 1, sum = d.sum + excluded.sum;
    end if;
    return;
  end if;
  ending := greatest(coalesce(since, clock_timestamp()), lending.lent_at);
  update lendings l
     set ended_at = ending,
         held_until = ending + (select make_interval(secs => a.quarantine_s) from receiving_accounts a where a.id = lending.account_id),
         counted_on = case when without_money then null else l.counted_on end
   where l.reference = for_reference;
  if without_money then
    update account_days d set count = d.count - 1, sum = d.sum - lending.amount
     where d.account_id = lending.account_id and d.day = lending.counted_on;
  end if;
  update receiving_accounts a set live_count = a.live_count - 1 where a.id = lending.account_id;
end $$;

-- What an operator recorded by mistake, and took back. The entry stays as it was, marked as reversed, and opposite transfers
-- move its money back. Its reference is then free for the right entry.
create table reversals (
  project_id uuid not null references projects (id),
  id         uuid not null,
  entry      text not null check (entry in ('suspense_move', 'bank_transfer')),
  entry_id   uuid not null,
  currency   text not null check (currency ~ '^[A-Z]{3}$'),
  amount     bigint not null check (amount between 1 and 10000000000000),
  reason     text not null check (char_length(reason) between 1 and 1000),
  actor      text not null check (char_length(actor) between 1 and 128),
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  unique (project_id, entry_id)
);
create trigger reversals_immutable before update or delete on reversals for each row execute function forbid_change();
create trigger reversals_kept before truncate on reversals for each statement execute function forbid_change();

alter table suspense_moves
  add column reversed_at timestamptz,
  drop constraint suspense_moves_project_id_reference_key;
create unique index suspense_moves_by_reference on suspense_moves (project_id, reference) where reversed_at is null;

create function keep_suspense_move() returns trigger language plpgsql as $$
begin
  if old.reversed_at is not null or new.reversed_at is null
     or to_jsonb(new) - 'reversed_at' is distinct from to_jsonb(old) - 'reversed_at' then
    raise exception 'a movement out of suspense is reversed once, and changed in nothing else' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
drop trigger suspense_moves_immutable on suspense_moves;
create trigger suspense_moves_identity before update on suspense_moves for each row execute function keep_suspense_move();
create trigger suspense_moves_undeleted before delete on suspense_moves for each row execute function forbid_change();

alter table bank_transfers
  add column reversed_at timestamptz,
  -- What its receipt is called where the reference is not free: an earlier entry of the same reference was reversed.
  add column counted_as text check (char_length(counted_as) between 1 and 255),
  drop constraint bank_transfers_pkey,
  drop constraint bank_transfers_id_key,
  add primary key (id);
create unique index bank_transfers_by_reference on bank_transfers (account_id, reference) where reversed_at is null;
create index bank_transfers_reversed on bank_transfers (account_id, reference) where reversed_at is not null;
drop index bank_transfers_unexplained;
create index bank_transfers_unexplained on bank_transfers (account_id) where outcome = 'unexplained' and reversed_at is null;
drop index bank_transfers_payout_once;
create unique index bank_transfers_payout_once on bank_transfers (project_id, request_id) where outcome = 'payout' and reversed_at is null;

-- What no one could explain is explained later, and what was wrong is reversed; nothing else changes.
create or replace function keep_bank_transfer() returns trigger language plpgsql as $$
begin
  if old.reversed_at is null and new.reversed_at is not null
     and to_jsonb(new) - 'reversed_at' = to_jsonb(old) - 'reversed_at' then
    return new;
  end if;
  if old.reversed_at is not null or old.outcome <> 'unexplained'
     or (new.account_id, new.id, new.reference, new.direction, new.currency, new.amount, new.booked_from, new.booked_to, new.booked_day, new.payer,
         new.counted_as, new.reversed_at)
          is distinct from
        (old.account_id, old.id, old.reference, old.direction, old.currency, old.amount, old.booked_from, old.booked_to, old.booked_day, old.payer,
         old.counted_as, old.reversed_at) then
    raise exception 'a bank transfer stays as the bank reported it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
