-- Payments. request_id is our name for one, payment_id the merchant's. state is the wire's status and sub_status.

create table payments (
  project_id         uuid not null references projects (id),
  request_id         uuid not null,
  direction          text not null check (direction in ('payin', 'payout')),
  product            text not null check (product in ('p2p', 'ecom', 'widget')),
  payment_id         text not null check (char_length(payment_id) between 1 and 255),
  -- A keyed hash of the body it was created with: the same id with the same body is a repeat, with another a conflict.
  body_hash          bytea not null,
  state              text not null check (state in (
                       'processing:new', 'processing:requisites', 'processing:awaiting_confirm',
                       'processing:awaiting_3ds_result', 'processing:awaiting_redirect_result', 'processing:paid',
                       'processing:payout_process', 'dispute:no_payment', 'dispute:different_amount',
                       'dispute:confirm_timeout', 'dispute:incorrect_requisites', 'dispute:payout_failed',
                       'dispute:payout_timeout', 'success', 'decline')),
  -- How many states it has had, the first included; callbacks carry it.
  sequence           integer not null default 1 check (sequence >= 1),
  decline_code       text check ((decline_code is not null) = (state = 'decline')),
  status_description text,
  -- Null on the widget until the payer has chosen; the rates are those of the moment of creation.
  method             text check (char_length(method) between 1 and 32),
  currency           text not null check (currency ~ '^[A-Z]{3}$'),
  requested_amount   bigint not null check (requested_amount between 1 and 10000000000000),
  amount             bigint not null check (amount between 1 and 10000000000000),
  received_amount    bigint not null default 0 check (received_amount >= 0),
  fee_bp             integer check (fee_bp between 0 and 10000),
  fee_fixed          bigint check (fee_fixed >= 0),
  fee                bigint check (fee >= 0),
  customer_id        text not null check (char_length(customer_id) between 1 and 64),
  -- The rest of what the merchant said: addresses, customer, sender, description.
  request            jsonb not null,
  -- Sealed.
  receiver           bytea,
  requisites         bytea,
  -- The provider it goes through now, and the reference it was fixed under before the first call.
  provider           text,
  reference          text,
  -- How many providers were asked.
  attempt_count      integer not null default 0 check (attempt_count >= 0),
  -- How often the payer of a hosted page has chosen; null: not yet, or there is no such page. See page_choices.
  choice_count       integer check (choice_count >= 1),
  -- The provider knows that the payer confirmed.
  confirm_told       boolean not null default false,
  -- The provider knows that the payment is over.
  released_at        timestamptz,
  -- Since when the provider has not said how the payment stands.
  unknown_since      timestamptz,
  -- A payout that was declined and left after all: posted once.
  shortfall_at       timestamptz,
  -- An operator ended it without the provider's word: how. The provider is asked until it says for certain what it did.
  unproven_end       text check (unproven_end in ('elsewhere', 'through_provider', 'declined')),
  -- The provider contradicted a payment's end: alerted once.
  contradicted_at    timestamptz,
  -- The day whose usage it was counted in; null where no limit was in force.
  counted_on         date,
  confirmed_at       timestamptz,
  expires_at         timestamptz,
  -- When the time of the present state is up: the lifetime, the grace period, the wait for a payout.
  deadline_at        timestamptz,
  -- The queue: when a worker must look at it next, and until when a worker holds it.
  due_at             timestamptz,
  lease_until        timestamptz,
  tries              integer not null default 0,
  -- Another process has news of it: the worker that holds it must look once more.
  hinted             boolean not null default false,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  finished_at        timestamptz check ((finished_at is not null) = (state in ('success', 'decline'))),
  -- The other columns let lists and totals be answered from this index alone: decision 0060.
  primary key (project_id, request_id) include (direction, state, method, currency, amount, customer_id, created_at, finished_at),
  unique (project_id, direction, payment_id)
);
-- Each index makes every change of a payment slower, so only what is asked for often has one.
create index payments_due on payments (due_at) where due_at is not null;
create index payments_in_dispute on payments (state, updated_at) where state like 'dispute:%';
create index payments_unknown on payments (unknown_since) where unknown_since is not null;
create index payments_short on payments (shortfall_at) where shortfall_at is not null;
create index payments_contradicted on payments (contradicted_at) where contradicted_at is not null;
-- Few payments are in these states at a time. No create enters this index.
create index payments_unpaid_confirms on payments (project_id, customer_id)
  where provider = 'pool' and state in ('processing:paid', 'dispute:confirm_timeout') and received_amount = 0;

-- Final is final, and what a payment is does not change. The condition is the trigger's own, so that an update that keeps
-- to it, as all do, does not call a function.
create function keep_payment() returns trigger language plpgsql as $$
begin
  raise exception 'a payment keeps its identity, and a final one its state' using errcode = 'restrict_violation';
end $$;
create trigger payments_identity before update on payments for each row
  when ((new.project_id, new.request_id, new.direction, new.product, new.payment_id, new.body_hash, new.currency, new.requested_amount)
          is distinct from
        (old.project_id, old.request_id, old.direction, old.product, old.payment_id, old.body_hash, old.currency, old.requested_amount)
        or (old.state in ('success', 'decline') and new.state <> old.state)
        or new.sequence < old.sequence)
  execute function keep_payment();
create trigger payments_kept before delete or truncate on payments for each statement execute function forbid_change();

-- Everything that happened to a payment, refused events too. No foreign key: a line is written by the transaction that has just
-- inserted the payment or holds its lock, and payments are never deleted. To look each payment up again would take 60 µs of a
-- whole pay-in.
create table payment_history (
  project_id uuid not null,
  request_id uuid not null,
  number     integer not null check (number >= 1),
  from_state text,
  to_state   text not null,
  event      text not null check (char_length(event) between 1 and 64),
  actor      text not null check (char_length(actor) between 1 and 128),
  detail     text,
  created_at timestamptz not null default now(),
  primary key (project_id, request_id, number)
);
create trigger payment_history_immutable before update or delete on payment_history for each row execute function forbid_change();
create trigger payment_history_kept before truncate on payment_history for each statement execute function forbid_change();

-- Every provider that was asked, under the reference that was committed before it was.
create table attempts (
  project_id uuid not null,
  request_id uuid not null,
  number     integer not null check (number >= 1),
  provider   text not null check (provider ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  reference  text not null check (char_length(reference) between 1 and 64),
  -- Why this provider: the ones that came before it on the route and itself, each with a reason. Null: it was the first one.
  reasons    jsonb,
  -- taken: the provider has the request; refused: it certainly does not; conflict: the provider has another request under this
  -- reference, as after a restore of an older backup.
  outcome    text not null default 'open' check (outcome in ('open', 'taken', 'refused', 'conflict')),
  detail     text,
  -- What the provider keeps for itself of the money that it moved; null: it has not said. Written by note_provider_fees.
  fee        bigint check (fee between 0 and 10000000000000),
  created_at timestamptz not null default now(),
  ended_at   timestamptz check ((ended_at is null) = (outcome = 'open')),
  primary key (project_id, request_id, number),
  foreign key (project_id, request_id) references payments (project_id, request_id)
);
-- A provider's notification names the order by its reference alone.
create index attempts_by_reference on attempts (reference);
-- One request has one reference: it is made of the project, the direction, the merchant's payment_id and the attempt.
create unique index attempts_reference_once on attempts (project_id, reference);
-- Their books are compared day by day. What goes through the sandbox and the pool pays nothing for it.
create index attempts_of_configured on attempts (provider, created_at, reference) where provider <> 'sandbox' and provider <> 'pool';
create trigger attempts_kept before delete or truncate on attempts for each statement execute function forbid_change();

-- Notes what providers keep for themselves, once for each attempt, and posts it: our fees pay it, to the provider's clearing
-- account, so that this account stays what the provider holds for us. The payments must be locked. It touches no balance.
create function note_provider_fees(
  project_ids uuid[], request_ids uuid[], attempt_references text[], provider_fees bigint[], transfer_ids uuid[]
) returns void language plpgsql as $$
declare
  noted_projects uuid[]; noted_requests uuid[]; noted_transfers uuid[]; currencies text[]; accounts text[]; amounts bigint[];
begin
  with noted as (
    update attempts a set fee = g.fee
      from unnest(project_ids, request_ids, attempt_references, provider_fees, transfer_ids)
             as g (project_id, request_id, reference, fee, transfer_id)
     where a.project_id = g.project_id and a.request_id = g.request_id and a.reference = g.reference and a.fee is null
    returning a.project_id, a.request_id, a.provider, g.fee, g.transfer_id)
  select array_agg(n.project_id), array_agg(n.request_id), array_agg(n.transfer_id), array_agg(p.currency),
         array_agg('clearing:' || n.provider), array_agg(n.fee)
    into noted_projects, noted_requests, noted_transfers, currencies, accounts, amounts
    from noted n join payments p on p.project_id = n.project_id and p.request_id = n.request_id
   where n.fee > 0;
  if noted_transfers is not null then
    perform post_transfers(noted_projects, noted_transfers, currencies, array_fill('fees'::text, array[cardinality(amounts)]),
                           accounts, amounts, array_fill('cost'::text, array[cardinality(amounts)]), noted_requests);
  end if;
end $$;

-- Money that a provider says arrived for a payment. The provider's name for it makes sure that it is counted once.
create table receipts (
  project_id         uuid not null,
  provider           text not null check (provider ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  receipt_reference  text not null check (char_length(receipt_reference) between 1 and 255),
  request_id         uuid not null,
  -- A payer can send more than a payment may be asked for, and all of it is counted.
  amount             bigint not null check (amount >= 1),
  received_at        timestamptz not null,
  created_at         timestamptz not null default now(),
  primary key (project_id, provider, receipt_reference),
  foreign key (project_id, request_id) references payments (project_id, request_id)
);
create index receipts_by_payment on receipts (project_id, request_id);
create trigger receipts_immutable before update or delete on receipts for each row execute function forbid_change();
create trigger receipts_kept before truncate on receipts for each statement execute function forbid_change();

-- What an operator did with money in suspense. The reference is what makes a repeat harmless. It is here and not with the
-- ledger because it names payments.
create table suspense_moves (
  project_id        uuid not null,
  id                uuid not null,
  request_id        uuid not null,
  kind              text not null check (kind in ('to_payment', 'to_balance', 'return')),
  currency          text not null check (currency ~ '^[A-Z]{3}$'),
  amount            bigint not null check (amount between 1 and 10000000000000),
  target_project_id uuid references projects (id),
  target_request_id uuid,
  through           text not null check (through ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  reference         text not null check (char_length(reference) between 1 and 255),
  reason            text not null check (char_length(reason) between 1 and 1000),
  actor             text not null check (char_length(actor) between 1 and 128),
  created_at        timestamptz not null default now(),
  -- It was recorded by mistake: see reversals.
  reversed_at       timestamptz,
  primary key (project_id, id),
  foreign key (project_id, request_id) references payments (project_id, request_id),
  foreign key (target_project_id, target_request_id) references payments (project_id, request_id),
  check ((kind = 'return') = (target_project_id is null)),
  check ((kind = 'to_payment') = (target_request_id is not null))
);
create index suspense_moves_by_payment on suspense_moves (project_id, request_id);
create unique index suspense_moves_by_reference on suspense_moves (project_id, reference) where reversed_at is null;

create function keep_suspense_move() returns trigger language plpgsql as $$
begin
  if old.reversed_at is not null or new.reversed_at is null
     or to_jsonb(new) - 'reversed_at' is distinct from to_jsonb(old) - 'reversed_at' then
    raise exception 'a movement out of suspense is reversed once, and changed in nothing else' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger suspense_moves_identity before update on suspense_moves for each row execute function keep_suspense_move();
create trigger suspense_moves_undeleted before delete on suspense_moves for each row execute function forbid_change();
create trigger suspense_moves_kept before truncate on suspense_moves for each statement execute function forbid_change();

-- What was started that day and not declined. Kept only where there is a limit. customer_id '' is the project itself.
create table daily_usage (
  project_id  uuid not null references projects (id),
  direction   text not null check (direction in ('payin', 'payout')),
  currency    text not null check (currency ~ '^[A-Z]{3}$'),
  day         date not null,
  customer_id text not null check (char_length(customer_id) <= 64),
  count       integer not null default 0 check (count >= 0),
  sum         numeric not null default 0 check (sum >= 0),
  primary key (project_id, direction, currency, day, customer_id)
);
create trigger daily_usage_kept before delete or truncate on daily_usage for each statement execute function forbid_change();

-- Counts payments that are about to be created against the limits of the day, in the order of their arrival. Answers
-- those that do not fit. Those that exist already are not counted: they are repeats.
-- Usage rows are locked in the order of their keys, and before balances, here and everywhere.
create function count_in_day(
  of_direction text, project_ids uuid[], request_ids uuid[], payment_ids text[], currencies text[], amounts bigint[],
  customer_ids text[], count_maxes integer[], sum_maxes bigint[], customer_count_maxes integer[], customer_sum_maxes bigint[]
) returns table (counted uuid[], over uuid[]) language plpgsql as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  item record;
  project_row daily_usage;
  customer_row daily_usage;
begin
  counted := '{}';
  over := '{}';
  insert into daily_usage (project_id, direction, currency, day, customer_id)
  select distinct i.project_id, of_direction, i.currency, today, c.customer_id
    from unnest(project_ids, currencies, customer_ids, count_maxes, sum_maxes, customer_count_maxes, customer_sum_maxes)
           as i (project_id, currency, customer_id, count_max, sum_max, customer_count_max, customer_sum_max)
   cross join lateral (values (''), (i.customer_id)) as c (customer_id)
   where num_nonnulls(i.count_max, i.sum_max, i.customer_count_max, i.customer_sum_max) > 0
   order by 1, 3, 5
  on conflict do nothing;

  perform from daily_usage u
   where u.direction = of_direction and u.day = today
     and (u.project_id, u.currency, u.customer_id) in (
       select i.project_id, i.currency, c.customer_id
         from unnest(project_ids, currencies, customer_ids) as i (project_id, currency, customer_id)
        cross join lateral (values (''), (i.customer_id)) as c (customer_id))
   order by u.project_id, u.currency, u.customer_id
     for no key update;

  for item in
    select i.*
      from unnest(project_ids, request_ids, payment_ids, currencies, amounts, customer_ids, count_maxes, sum_maxes,
                  customer_count_maxes, customer_sum_maxes)
             with ordinality as i (project_id, request_id, payment_id, currency, amount, customer_id, count_max, sum_max,
                                   customer_count_max, customer_sum_max, position)
     where num_nonnulls(i.count_max, i.sum_max, i.customer_count_max, i.customer_sum_max) > 0
       and not exists (select from payments p
                        where p.project_id = i.project_id and p.direction = of_direction and p.payment_id = i.payment_id)
       and i.position = (select min(j.position)
                           from unnest(project_ids, payment_ids) with ordinality as j (project_id, payment_id, position)
                          where j.project_id = i.project_id and j.payment_id = i.payment_id)
     order by i.position
  loop
    select * into project_row from daily_usage u
     where u.project_id = item.project_id and u.direction = of_direction and u.currency = item.currency and u.day = today
       and u.customer_id = '';
    select * into customer_row from daily_usage u
     where u.project_id = item.project_id and u.direction = of_direction and u.currency = item.currency and u.day = today
       and u.customer_id = item.customer_id;
    if project_row.count + 1 > item.count_max or project_row.sum + item.amount > item.sum_max
       or customer_row.count + 1 > item.customer_count_max or customer_row.sum + item.amount > item.customer_sum_max then
      over := over || item.request_id;
    else
      update daily_usage u set count = u.count + 1, sum = u.sum + item.amount
       where u.project_id = item.project_id and u.direction = of_direction and u.currency = item.currency and u.day = today
         and u.customer_id in ('', item.customer_id);
      counted := counted || item.request_id;
    end if;
  end loop;
  return next;
end $$;

-- Takes payments out of the usage of their day again: declined ones, and those that were not created after all.
create function uncount_in_day(
  project_ids uuid[], directions text[], currencies text[], days date[], customer_ids text[], amounts bigint[]
) returns void language plpgsql as $$
begin
  perform from daily_usage u
   where (u.project_id, u.direction, u.currency, u.day, u.customer_id) in (
     select i.project_id, i.direction, i.currency, i.day, c.customer_id
       from unnest(project_ids, directions, currencies, days, customer_ids) as i (project_id, direction, currency, day, customer_id)
      cross join lateral (values (''), (i.customer_id)) as c (customer_id))
   order by u.project_id, u.direction, u.currency, u.day, u.customer_id
     for no key update;

  update daily_usage u
     set count = u.count - d.count, sum = u.sum - d.sum
    from (
      select i.project_id, i.direction, i.currency, i.day, c.customer_id, count(*)::integer as count, sum(i.amount) as sum
        from unnest(project_ids, directions, currencies, days, customer_ids, amounts)
               as i (project_id, direction, currency, day, customer_id, amount)
       cross join lateral (values (''), (i.customer_id)) as c (customer_id)
       group by i.project_id, i.direction, i.currency, i.day, c.customer_id) d
   where u.project_id = d.project_id and u.direction = d.direction and u.currency = d.currency and u.day = d.day
     and u.customer_id = d.customer_id;
end $$;

-- Creates pay-ins that arrived together, and answers for each what there is now under its payment_id: 'found' (this one or
-- an earlier one), or why it was not created; where all are new, one row for all of them, 'created'. A payment_id that exists
-- already, or comes twice, creates nothing.
-- Rows go in in the order of their keys, so that two batches with the same ids never wait for each other in a circle.
-- A worker looks at each at once, or after due_afters_s. Those with a provider are sent by the process that creates them, and
-- their first attempt is in the same commit: by its worker, which has their lease, or where due_afters_s is given at once.
create function create_payins(
  project_ids uuid[], request_ids uuid[], products text[], payment_ids text[], body_hashes bytea[], methods text[],
  currencies text[], amounts bigint[], fee_bps integer[], fee_fixeds bigint[], fees bigint[], customer_ids text[],
  requests jsonb[], count_maxes integer[], sum_maxes bigint[], customer_count_maxes integer[], customer_sum_maxes bigint[],
  lifetimes_s integer[], leases_s integer[] default null, due_afters_s integer[] default null, providers text[] default null,
  attempt_references text[] default null, attempt_reasons jsonb[] default null
) returns table (place bigint, request_id uuid, body_hash bytea, created_at timestamptz, expires_at timestamptz, verdict text)
language plpgsql as $$
#variable_conflict use_column
declare
  in_usage uuid[] := '{}';
  too_much uuid[] := '{}';
  created_ids uuid[];
  must_wake boolean;
begin
  if num_nonnulls(variadic count_maxes) + num_nonnulls(variadic sum_maxes)
     + num_nonnulls(variadic customer_count_maxes) + num_nonnulls(variadic customer_sum_maxes) > 0 then
    select c.counted, c.over into in_usage, too_much
      from count_in_day('payin', project_ids, request_ids, payment_ids, currencies, amounts, customer_ids, count_maxes,
                        sum_maxes, customer_count_maxes, customer_sum_maxes) c;
  end if;

  -- Of several with one payment_id the first is meant: it is the one that the limits of the day were asked for.
  with firsts as (
    select distinct on (i.project_id, i.payment_id) i.*
      from unnest(project_ids, request_ids, products, payment_ids, body_hashes, methods, currencies, amounts, fee_bps,
                  fee_fixeds, fees, customer_ids, requests, lifetimes_s, leases_s, due_afters_s, providers, attempt_references)
             with ordinality
        as i (project_id, request_id, product, payment_id, body_hash, method, currency, amount, fee_bp, fee_fixed, fee,
              customer_id, request, lifetime_s, lease_s, due_after_s, provider, reference, position)
     order by i.project_id, i.payment_id, i.position),
  input as (
    select * from firsts f where f.request_id <> all(too_much) order by f.project_id, f.payment_id),
  created as (
    insert into payments (project_id, request_id, direction, product, payment_id, body_hash, state, method, currency,
                          requested_amount, amount, fee_bp, fee_fixed, fee, customer_id, request, expires_at, deadline_at,
                          due_at, lease_until, counted_on, provider, reference, attempt_count)
    select i.project_id, i.request_id, 'payin', i.product, i.payment_id, i.body_hash, 'processing:new', i.method, i.currency,
           i.amount, i.amount, i.fee_bp, i.fee_fixed, i.fee, i.customer_id, i.request,
           now() + make_interval(secs => i.lifetime_s), now() + make_interval(secs => i.lifetime_s),
           now() + make_interval(secs => coalesce(i.due_after_s, 0)),
           date_trunc('milliseconds', now()) + make_interval(secs => i.lease_s),
           case when i.request_id = any(in_usage) then (now() at time zone 'UTC')::date end,
           i.provider, i.reference, num_nonnulls(i.reference)
      from input i
    on conflict (project_id, direction, payment_id) do nothing
    returning project_id, request_id, lease_until),
  noted as (
    insert into payment_history (project_id, request_id, number, to_state, event, actor)
    select c.project_id, c.request_id, 1, 'processing:new', 'created', 'merchant' from created c)
  select array_agg(c.request_id), bool_or(c.lease_until is null) into created_ids, must_wake from created c;

  -- Those with a lease are in the hands of the worker of the process that creates them.
  if must_wake and due_afters_s is null then
    perform pg_notify('tillgate_due', '');
  end if;
  if attempt_references is not null then
    with sent as (
      select i.* from unnest(project_ids, request_ids, providers, attempt_references, attempt_reasons)
                        as i (project_id, request_id, provider, reference, reasons)
       where i.reference is not null and i.request_id = any(created_ids)),
    noted as (
      insert into payment_history (project_id, request_id, number, from_state, to_state, event, actor)
      select s.project_id, s.request_id, 2, 'processing:new', 'processing:new', 'sent', 'api' from sent s
       where due_afters_s is not null)
    insert into attempts (project_id, request_id, number, provider, reference, reasons)
    select s.project_id, s.request_id, 1, s.provider, s.reference, s.reasons from sent s;
  end if;
  -- Twins in another process were faster: what was counted for them here is taken back.
  if cardinality(in_usage) > 0 then
    perform uncount_in_day(array_agg(i.project_id), array_agg('payin'::text), array_agg(i.currency),
                           array_agg((now() at time zone 'UTC')::date), array_agg(i.customer_id), array_agg(i.amount))
       from unnest(project_ids, request_ids, currencies, customer_ids, amounts)
              as i (project_id, request_id, currency, customer_id, amount)
      where i.request_id = any(in_usage) and i.request_id <> all(coalesce(created_ids, '{}'))
     having count(*) > 0;
  end if;

  -- Where all are new, as most are, there is nothing to answer but the time.
  if cardinality(created_ids) = cardinality(request_ids) then
    return query select 0::bigint, null::uuid, null::bytea, now(), null::timestamptz, 'created';
    return;
  end if;

  -- A statement of its own, so that it also sees what others committed while the insert waited for them. One look at the
  -- index for each: a join would be planned for the few rows that a new table has, and kept when it has many.
  return query
    select i.place, p.request_id, p.body_hash, p.created_at, p.expires_at,
           case when p.request_id is not null then 'found' else 'over_limit' end
      from unnest(project_ids, payment_ids) with ordinality as i (project_id, payment_id, place)
      left join lateral (
        select * from payments p
         where p.project_id = i.project_id and p.direction = 'payin' and p.payment_id = i.payment_id limit 1) p on true;
end $$;

-- Creates payouts that arrived together, each with its hold: amount + fee go available → locked, or nothing is created.
-- Balance rows are locked in the order of their keys; what each payout may take is decided in the order of arrival, so
-- that one that is too large does not harm its neighbours. Planned once: to plan for each call would take longer than a
-- lone payout does.
create function create_payouts(
  project_ids uuid[], request_ids uuid[], transfer_ids uuid[], products text[], payment_ids text[], body_hashes bytea[],
  methods text[], currencies text[], amounts bigint[], fee_bps integer[], fee_fixeds bigint[], fees bigint[],
  customer_ids text[], requests jsonb[], count_maxes integer[], sum_maxes bigint[], customer_count_maxes integer[],
  customer_sum_maxes bigint[], receivers bytea[], leases_s integer[] default null
) returns table (place bigint, request_id uuid, body_hash bytea, created_at timestamptz, expires_at timestamptz, verdict text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  in_usage uuid[] := '{}';
  too_much uuid[] := '{}';
  accepted uuid[];
  created_ids uuid[];
  must_wake boolean;
begin
  if num_nonnulls(variadic count_maxes) + num_nonnulls(variadic sum_maxes)
     + num_nonnulls(variadic customer_count_maxes) + num_nonnulls(variadic customer_sum_maxes) > 0 then
    select c.counted, c.over into in_usage, too_much
      from count_in_day('payout', project_ids, request_ids, payment_ids, currencies, amounts, customer_ids, count_maxes,
                        sum_maxes, customer_count_maxes, customer_sum_maxes) c;
  end if;

  perform from balances b
   where (b.project_id, b.currency) in (select i.project_id, i.currency from unnest(project_ids, currencies) as i (project_id, currency))
   order by b.project_id, b.currency
     for no key update;

  -- What arrives first is served first, but one that does not fit is passed over.
  with recursive input as (
    select i.project_id, i.request_id, i.currency, i.amount + i.fee as cost,
           row_number() over (partition by i.project_id, i.currency order by i.position) as turn
      from unnest(project_ids, request_ids, payment_ids, currencies, amounts, fees)
             with ordinality as i (project_id, request_id, payment_id, currency, amount, fee, position)
     where i.request_id <> all(too_much)
       and not exists (select from payments p
                        where p.project_id = i.project_id and p.direction = 'payout' and p.payment_id = i.payment_id)
       and i.position = (select min(j.position)
                           from unnest(project_ids, payment_ids) with ordinality as j (project_id, payment_id, position)
                          where j.project_id = i.project_id and j.payment_id = i.payment_id)),
  served as (
    select b.project_id, b.currency, 0::bigint as turn, b.available as rest, null::uuid as request_id
      from balances b
     where (b.project_id, b.currency) in (select n.project_id, n.currency from input n)
    union all
    select s.project_id, s.currency, n.turn, case when n.cost <= s.rest then s.rest - n.cost else s.rest end,
           case when n.cost <= s.rest then n.request_id end
      from served s join input n on n.project_id = s.project_id and n.currency = s.currency and n.turn = s.turn + 1)
  select coalesce(array_agg(s.request_id), '{}') into accepted from served s where s.request_id is not null;

  -- Only what was really inserted gets a hold: a twin in another process may have been faster.
  with input as (
    select * from unnest(project_ids, request_ids, transfer_ids, products, payment_ids, body_hashes, methods, currencies, amounts,
                         fee_bps, fee_fixeds, fees, customer_ids, requests, receivers, leases_s)
      as i (project_id, request_id, transfer_id, product, payment_id, body_hash, method, currency, amount, fee_bp, fee_fixed,
            fee, customer_id, request, receiver, lease_s)
     where i.request_id = any(accepted)
     order by i.project_id, i.payment_id),
  created as (
    insert into payments (project_id, request_id, direction, product, payment_id, body_hash, state, method, currency,
                          requested_amount, amount, fee_bp, fee_fixed, fee, customer_id, request, receiver, due_at,
                          lease_until, counted_on)
    select i.project_id, i.request_id, 'payout', i.product, i.payment_id, i.body_hash, 'processing:new', i.method, i.currency,
           i.amount, i.amount, i.fee_bp, i.fee_fixed, i.fee, i.customer_id, i.request, i.receiver, now(),
           date_trunc('milliseconds', now()) + make_interval(secs => i.lease_s),
           case when i.request_id = any(in_usage) then (now() at time zone 'UTC')::date end
      from input i
    on conflict (project_id, direction, payment_id) do nothing
    returning project_id, request_id, currency, amount, fee, lease_until),
  noted as (
    insert into payment_history (project_id, request_id, number, to_state, event, actor)
    select c.project_id, c.request_id, 1, 'processing:new', 'created', 'merchant' from created c),
  held as (
    insert into holds (project_id, id, currency, kind, reference, amount)
    select c.project_id, c.request_id, c.currency, 'payout', replace(c.request_id::text, '-', ''), c.amount + c.fee from created c)
  select array_agg(c.request_id), bool_or(c.lease_until is null) into created_ids, must_wake from created c;

  -- Counted, and then not created: there was no money, or a twin in another process was faster.
  if in_usage && array(select unnest(in_usage) except select unnest(created_ids)) then
    perform uncount_in_day(array_agg(i.project_id), array_agg('payout'::text), array_agg(i.currency),
                           array_agg((now() at time zone 'UTC')::date), array_agg(i.customer_id), array_agg(i.amount))
       from unnest(project_ids, request_ids, currencies, customer_ids, amounts)
              as i (project_id, request_id, currency, customer_id, amount)
      where i.request_id = any(in_usage) and i.request_id <> all(coalesce(created_ids, '{}'));
  end if;

  if created_ids is not null then
    perform post_transfers(
      array_agg(i.project_id), array_agg(i.transfer_id), array_agg(i.currency), array_agg('available'::text),
      array_agg('locked'::text), array_agg(i.amount + i.fee), array_agg('hold'::text), array_agg(i.request_id))
      from unnest(project_ids, request_ids, transfer_ids, currencies, amounts, fees)
             as i (project_id, request_id, transfer_id, currency, amount, fee)
     where i.request_id = any(created_ids);
  end if;
  if must_wake then
    perform pg_notify('tillgate_due', '');
  end if;

  return query
    select i.place, p.request_id, p.body_hash, p.created_at, p.expires_at,
           case when p.request_id is not null then 'found'
                when exists (select from unnest(project_ids, payment_ids, request_ids) as j (project_id, payment_id, request_id)
                              where j.project_id = i.project_id and j.payment_id = i.payment_id and j.request_id = any(too_much))
                then 'over_limit' else 'no_money' end
      from unnest(project_ids, payment_ids) with ordinality as i (project_id, payment_id, place)
      left join payments p on p.project_id = i.project_id and p.direction = 'payout' and p.payment_id = i.payment_id;
end $$;
