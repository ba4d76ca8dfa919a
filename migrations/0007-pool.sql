-- The operator's own receiving accounts: the requisites that payers are shown, which pay-in has which of them when, the bank lines
-- that the banks report, and payouts that people make by hand.

create table receiving_accounts (
  id            uuid primary key,
  -- What people and the ledger call it: its clearing account is clearing:pool-<code>.
  code          text not null unique check (code ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(code) <= 40),
  book          text not null check (book in ('test', 'live')),
  bank          text not null references banks (symbol),
  currency      text not null check (currency ~ '^[A-Z]{3}$'),
  country       text not null check (country ~ '^[A-Z]{2}$'),
  owner         text not null check (char_length(owner) <= 128),
  -- Sealed: whose name the payer sees.
  holder        bytea not null,
  -- Sealed, and how it is found: the number that statements name it by.
  number        bytea,
  number_hash   bytea,
  time_zone     text not null,
  enabled       boolean not null default true,
  -- The highest first; among equals the least recently used.
  priority      integer not null default 0 check (priority between -1000 and 1000),
  min_amount    bigint not null check (min_amount >= 1),
  max_amount    bigint not null check (max_amount between min_amount and 10000000000000),
  day_count_max integer check (day_count_max >= 0),
  day_sum_max   bigint check (day_sum_max >= 0),
  parallel_max  integer check (parallel_max >= 0),
  cool_down_s   integer not null default 0 check (cool_down_s between 0 and 86400),
  -- In its own time zone; an end before the beginning is on the next day. Null: around the clock.
  opens_at      time,
  closes_at     time,
  -- How long a sum stays reserved after its pay-in has ended: bank lines that come late belong to that one.
  quarantine_s  integer not null default 3600 check (quarantine_s between 900 and 2592000),
  -- What stood on it before the first line that was recorded here.
  opening_balance bigint not null default 0 check (opening_balance between -10000000000000 and 10000000000000),
  -- How its bank writes statements.
  statement_mapping jsonb,
  -- Kept by lending.
  last_lent_at  timestamptz,
  live_count    integer not null default 0 check (live_count >= 0),
  created_at    timestamptz not null default now(),
  check ((number is null) = (number_hash is null)),
  check ((opens_at is null) = (closes_at is null)),
  check (opens_at is null or opens_at <> closes_at)
);
create unique index receiving_accounts_by_number on receiving_accounts (book, number_hash) where number_hash is not null;
create trigger receiving_accounts_kept before delete or truncate on receiving_accounts for each statement execute function forbid_change();

-- Its books are in its currency, and its bank lines under its code.
create function keep_receiving_account() returns trigger language plpgsql as $$
begin
  if (new.id, new.code, new.book, new.currency) is distinct from (old.id, old.code, old.book, old.currency) then
    raise exception 'a receiving account keeps its code, its book and its currency' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger receiving_accounts_identity before update on receiving_accounts for each row execute function keep_receiving_account();

create table requisites (
  id           uuid primary key,
  account_id   uuid not null references receiving_accounts (id),
  type         text not null check (type in ('card', 'phone', 'account', 'link')),
  -- Sealed; the hash finds equal ones without opening them, and the mask is all that is shown.
  value        bytea not null,
  value_hash   bytea not null,
  mask         text not null check (char_length(mask) between 1 and 64),
  -- The methods that it serves.
  methods      text[] not null check (cardinality(methods) between 1 and 20),
  enabled      boolean not null default true,
  -- Why the service switched it off; null where an operator did.
  fault        text check (char_length(fault) between 1 and 255),
  last_lent_at timestamptz,
  created_at   timestamptz not null default now()
);
create index requisites_by_account on requisites (account_id);
create unique index requisites_by_value on requisites (type, value_hash, account_id);
create trigger requisites_kept before delete or truncate on requisites for each statement execute function forbid_change();

-- What was lent on an account on a day of its time zone, and did not end without money.
create table account_days (
  account_id uuid not null references receiving_accounts (id),
  day        date not null,
  count      integer not null check (count >= 0),
  sum        numeric not null check (sum >= 0),
  primary key (account_id, day)
);

-- Which pay-in has which requisite. The reference is the request's: see attempts.
create table lendings (
  reference    text primary key check (char_length(reference) between 1 and 64),
  project_id   uuid references projects (id),
  -- Null: the request was over before anything was lent, or nothing was free for it: and nothing ever will be lent to it.
  account_id   uuid references receiving_accounts (id),
  requisite_id uuid references requisites (id),
  method       text,
  currency     text,
  amount       bigint,
  lent_at      timestamptz not null default now(),
  -- The day it was counted in, while it is.
  counted_on   date,
  confirmed_at timestamptz,
  ended_at     timestamptz,
  -- The operator took it back: payers are told not to pay there any more.
  withdrawn_at timestamptz,
  -- Until then the sum belongs to this pay-in, from whichever payer it comes.
  held_until   timestamptz,
  -- The sum may be lent again.
  freed        boolean not null default false,
  check ((ended_at is null) = (held_until is null)),
  check (not freed or ended_at is not null),
  check (num_nonnulls(account_id, requisite_id, project_id, method, currency, amount) in (0, 6)),
  check (account_id is not null or freed)
);
-- The promise: what a bank line is matched by names one pay-in.
create unique index lendings_held on lendings (account_id, currency, amount) where not freed;
-- Who had a sum, or an account, at a time: those that still run, and of the others those whose time was not over. An
-- account can have been lent a million times, and always for the same few sums.
create index lendings_live on lendings (account_id) where ended_at is null;
create index lendings_by_end on lendings (account_id, held_until) where account_id is not null and held_until is not null;
create index lendings_of_sum_by_end on lendings (account_id, currency, amount, held_until)
  where account_id is not null and held_until is not null;
create trigger lendings_kept before delete or truncate on lendings for each statement execute function forbid_change();

-- Every line of a bank's statement, once. The bank's reference is what makes a repeat harmless.
create table bank_lines (
  -- What the ledger calls it, where no payment is to be named.
  id          uuid primary key,
  account_id  uuid not null references receiving_accounts (id),
  reference   text not null check (char_length(reference) between 1 and 255),
  direction   text not null check (direction in ('credit', 'debit')),
  currency    text not null check (currency ~ '^[A-Z]{3}$'),
  amount      bigint not null check (amount between 1 and 10000000000000),
  -- As exactly as the bank said it: a date without a time is the whole day.
  booked_from timestamptz not null,
  booked_to   timestamptz not null check (booked_to >= booked_from),
  -- In the account's time zone.
  booked_day  date not null,
  -- Sealed: what the bank says of the other side.
  payer       bytea,
  -- Where the money went: a pay-in of just this sum, one of another sum, one that had ended, or none that is known;
  -- where it came from: a payout, a return out of suspense, what the bank charges, or a debit not matched to a payout. Funds
  -- are a top-up of our balance at a provider, or a withdrawal from it: see provider_funds.
  outcome     text not null check (outcome in ('exact', 'other_amount', 'ended', 'unclaimed', 'payout', 'return', 'cost', 'funds', 'unexplained')),
  project_id  uuid,
  request_id  uuid,
  -- Of a cost: what an operator says it was.
  reason      text check (char_length(reason) between 1 and 1000),
  actor       text not null check (char_length(actor) between 1 and 128),
  recorded_at timestamptz not null default now(),
  -- It was recorded by mistake: see reversals.
  reversed_at timestamptz,
  -- What its receipt is called where the reference is not free: an earlier entry of the same reference was reversed.
  counted_as  text check (char_length(counted_as) between 1 and 255),
  foreign key (project_id, request_id) references payments (project_id, request_id),
  check (outcome = 'funds' or (direction = 'credit') = (outcome in ('exact', 'other_amount', 'ended', 'unclaimed'))),
  check ((project_id is null) = (request_id is null)),
  check ((request_id is null) = (outcome in ('cost', 'funds', 'unexplained'))),
  check ((reason is not null) = (outcome = 'cost'))
);
create unique index bank_lines_by_reference on bank_lines (account_id, reference) where reversed_at is null;
create index bank_lines_reversed on bank_lines (account_id, reference) where reversed_at is not null;
create index bank_lines_by_payment on bank_lines (project_id, request_id) where request_id is not null;
create index bank_lines_by_day on bank_lines (account_id, booked_day);
create index bank_lines_unexplained on bank_lines (account_id) where outcome = 'unexplained' and reversed_at is null;
-- A payout leaves once.
create unique index bank_lines_payout_once on bank_lines (project_id, request_id) where outcome = 'payout' and reversed_at is null;
create trigger bank_lines_kept before delete or truncate on bank_lines for each statement execute function forbid_change();

-- What no one could explain is explained later, and what was wrong is reversed; nothing else changes.
create function keep_bank_line() returns trigger language plpgsql as $$
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
    raise exception 'a bank line stays as the bank reported it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger bank_lines_identity before update on bank_lines for each row execute function keep_bank_line();

-- Who was shown what a bank says of the other side of a bank line, and why. The name itself stays sealed with the line.
create table payer_reveals (
  id          uuid primary key,
  line_id     uuid not null references bank_lines (id),
  reason      text not null check (char_length(reason) between 1 and 1000),
  actor       text not null check (char_length(actor) between 1 and 128),
  created_at  timestamptz not null default now()
);
create index payer_reveals_by_line on payer_reveals (line_id);
create trigger payer_reveals_immutable before update or delete on payer_reveals for each row execute function forbid_change();
create trigger payer_reveals_kept before truncate on payer_reveals for each statement execute function forbid_change();

-- Payouts that wait for a person, under the request's reference.
create table hand_payouts (
  reference   text primary key check (char_length(reference) between 1 and 64),
  -- What the bank is told as the purpose, so that its statement names the payout: made of the end of the payment's id.
  code        text not null generated always as ('TG-' || upper(right(split_part(reference, '-', 1), 12))) stored,
  project_id  uuid not null references projects (id),
  method      text not null,
  currency    text not null check (currency ~ '^[A-Z]{3}$'),
  amount      bigint not null check (amount between 1 and 10000000000000),
  -- Sealed; and a keyed hash, so that the same request is known again.
  receiver      bytea not null,
  receiver_hash bytea not null,
  -- Which operator was to pay it from where, once it was handed out: no other operator gets it then.
  account_id  uuid references receiving_accounts (id),
  exported_at timestamptz,
  exported_by text check (char_length(exported_by) between 1 and 128),
  -- Those that were handed out together.
  export_id   uuid,
  outcome     text check (outcome in ('approved', 'declined', 'may_have_left', 'receiver_wrong')),
  reason      text check (char_length(reason) <= 1000),
  ended_by    text check (char_length(ended_by) between 1 and 128),
  ended_at    timestamptz,
  created_at  timestamptz not null default now(),
  check ((outcome is null) = (ended_at is null)),
  check (num_nonnulls(exported_at, exported_by, export_id) in (0, 3)),
  check (exported_at is null or account_id is not null),
  check (outcome is distinct from 'approved' or account_id is not null)
);
create index hand_payouts_waiting on hand_payouts (created_at) where outcome is null;
create index hand_payouts_by_code on hand_payouts (code);
-- Those that a debit may be; those that left are many, and often of the same sums.
create index hand_payouts_by_sum on hand_payouts (account_id, currency, amount)
  where outcome is null or outcome in ('may_have_left', 'receiver_wrong');
create index hand_payouts_by_export on hand_payouts (export_id) where export_id is not null;
create trigger hand_payouts_kept before delete or truncate on hand_payouts for each statement execute function forbid_change();

-- What has left has left, what was handed out was, and a request stays as it was given.
create function keep_hand_payout() returns trigger language plpgsql as $$
begin
  if old.outcome = 'approved'
     or (new.reference, new.project_id, new.method, new.currency, new.amount)
          is distinct from (old.reference, old.project_id, old.method, old.currency, old.amount)
     or (old.exported_at is not null and (new.exported_at, new.exported_by, new.export_id)
          is distinct from (old.exported_at, old.exported_by, old.export_id)) then
    raise exception 'a payout by hand keeps its request, to whom it was handed out, and that it left' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger hand_payouts_identity before update on hand_payouts for each row execute function keep_hand_payout();

-- Whether an account takes payers at this moment. One expression, so that it is made part of the question that asks it.
create function is_open_at(opens_at time, closes_at time, time_zone text, moment timestamptz) returns boolean
stable language sql as $$
  select case when opens_at is null then true
              when opens_at < closes_at then (moment at time zone time_zone)::time >= opens_at and (moment at time zone time_zone)::time < closes_at
              else (moment at time zone time_zone)::time >= opens_at or (moment at time zone time_zone)::time < closes_at end
$$;

-- The accounts that could take this sum now, the best first, or the one that is named. It locks nothing: lend_requisite looks
-- again.
create function list_lenders(
  of_book text, of_type text, of_method text, of_currency text, of_amount bigint, of_bank text, bank_required boolean,
  only_id uuid default null
) returns table (account_id uuid, turn bigint) stable language sql as $$
  select a.id, row_number() over (order by (a.bank is not distinct from of_bank) desc, a.priority desc, a.last_lent_at nulls first, a.id)
    from receiving_accounts a
    left join account_days d on d.account_id = a.id and d.day = (clock_timestamp() at time zone a.time_zone)::date
   where (only_id is null or a.id = only_id)
     and a.enabled and a.book = of_book and a.currency = of_currency
     and of_amount between a.min_amount and a.max_amount
     and (not bank_required or a.bank = of_bank)
     and (a.parallel_max is null or a.live_count < a.parallel_max)
     and (a.day_count_max is null or coalesce(d.count, 0) < a.day_count_max)
     and (a.day_sum_max is null or coalesce(d.sum, 0) + of_amount <= a.day_sum_max)
     and (a.cool_down_s = 0 or a.last_lent_at is null
          or a.last_lent_at + make_interval(secs => a.cool_down_s) <= clock_timestamp())
     and is_open_at(a.opens_at, a.closes_at, a.time_zone, statement_timestamp())
     and exists (select from requisites r
                  where r.account_id = a.id and r.enabled and r.type = of_type and of_method = any(r.methods))
     and not exists (select from lendings l
                      where l.account_id = a.id and l.currency = of_currency and l.amount = of_amount and not l.freed
                        and (l.held_until is null or l.held_until > clock_timestamp()))
$$;

-- Lends a requisite under a reference. 'lent', now or before; 'other': the reference names another request; 'over': it has
-- ended, or was answered with none; 'none': no account can take this sum now, and so none ever will under this reference,
-- since another provider may be asked next; 'busy': other sessions are lending from every account that could, of which one is
-- named, to be waited for.
-- A customer whose unpaid confirms reach the project's cap is lent nothing: the verdict is 'none'. The pool keeps no request of
-- its own, so the customer is the payment's.
-- Only the account that it lends from is locked, and no session waits for a lock while holding one: a caller that is to wait
-- names the account and takes it first.
create function lend_requisite(
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

-- The pay-in is over: its sum stays reserved for the quarantine, and its account may take the next payer. What ended
-- without money gives back its part of the day. A request that was never lent anything never will be.
-- It may be called while the payment still waits for a person. Where money comes after that, it is a part of the account's day
-- again.
create function end_lending(for_reference text, without_money boolean, since timestamptz) returns void language plpgsql as $$
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
