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
  confirmed_at       timestamptz,
  expires_at         timestamptz,
  -- When the time of the present state is up: the lifetime, the grace period, the wait for a payout.
  deadline_at        timestamptz,
  -- The queue: when somebody must look at it next, and until when somebody already does.
  due_at             timestamptz,
  lease_until        timestamptz,
  tries              integer not null default 0,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  finished_at        timestamptz check ((finished_at is not null) = (state in ('success', 'decline'))),
  primary key (project_id, request_id),
  unique (project_id, direction, payment_id)
);
create index payments_due on payments (due_at) where due_at is not null;
create index payments_by_customer on payments (project_id, customer_id, created_at);
create unique index payments_by_reference on payments (project_id, reference) where reference is not null;

-- Final is final, and what a payment is does not change.
create function keep_payment() returns trigger language plpgsql as $$
begin
  if (new.project_id, new.request_id, new.direction, new.product, new.payment_id, new.body_hash, new.currency, new.requested_amount)
       is distinct from
     (old.project_id, old.request_id, old.direction, old.product, old.payment_id, old.body_hash, old.currency, old.requested_amount)
     or (old.state in ('success', 'decline') and new.state <> old.state)
     or new.sequence < old.sequence then
    raise exception 'a payment keeps its identity, and a final one its state' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payments_identity before update on payments for each row execute function keep_payment();
create trigger payments_kept before delete or truncate on payments for each statement execute function forbid_change();

-- Everything that happened to a payment, refused events too.
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
  primary key (project_id, request_id, number),
  foreign key (project_id, request_id) references payments (project_id, request_id)
);
create trigger payment_history_immutable before update or delete on payment_history for each row execute function forbid_change();
create trigger payment_history_kept before truncate on payment_history for each statement execute function forbid_change();

-- Creates pay-ins that arrived together. A payment_id that exists already, or comes twice in the batch, creates nothing.
-- Rows go in in the order of their keys, so that two batches with the same ids never wait for each other in a circle.
create function create_payins(
  project_ids uuid[], request_ids uuid[], products text[], payment_ids text[], body_hashes bytea[], methods text[],
  currencies text[], amounts bigint[], fee_bps integer[], fee_fixeds bigint[], fees bigint[], customer_ids text[],
  requests jsonb[], lifetimes_s integer[]
) returns table (project_id uuid, payment_id text, request_id uuid, body_hash bytea) language plpgsql as $$
#variable_conflict use_column
begin
  with input as (
    select * from unnest(project_ids, request_ids, products, payment_ids, body_hashes, methods, currencies, amounts, fee_bps,
                         fee_fixeds, fees, customer_ids, requests, lifetimes_s)
      as i (project_id, request_id, product, payment_id, body_hash, method, currency, amount, fee_bp, fee_fixed, fee,
            customer_id, request, lifetime_s)
     order by i.project_id, i.payment_id, i.request_id),
  created as (
    insert into payments (project_id, request_id, direction, product, payment_id, body_hash, state, method, currency,
                          requested_amount, amount, fee_bp, fee_fixed, fee, customer_id, request, expires_at, deadline_at, due_at)
    select i.project_id, i.request_id, 'payin', i.product, i.payment_id, i.body_hash, 'processing:new', i.method, i.currency,
           i.amount, i.amount, i.fee_bp, i.fee_fixed, i.fee, i.customer_id, i.request,
           now() + make_interval(secs => i.lifetime_s), now() + make_interval(secs => i.lifetime_s), now()
      from input i
    on conflict (project_id, direction, payment_id) do nothing
    returning project_id, request_id)
  insert into payment_history (project_id, request_id, number, to_state, event, actor)
  select c.project_id, c.request_id, 1, 'processing:new', 'created', 'merchant' from created c;

  perform pg_notify('tillgate_due', '');

  -- A statement of its own, so that it also sees what others committed while the insert waited for them.
  return query
    select p.project_id, p.payment_id, p.request_id, p.body_hash
      from unnest(project_ids, payment_ids) as i (project_id, payment_id)
      join payments p on p.project_id = i.project_id and p.direction = 'payin' and p.payment_id = i.payment_id;
end $$;

-- Creates payouts that arrived together, each with its hold: amount + fee go available → locked, or nothing is created.
-- Balance rows are locked first, in the order of their keys; what each payout may take is decided in the order of
-- arrival, so that one that is too large does not harm its neighbours.
create function create_payouts(
  project_ids uuid[], request_ids uuid[], transfer_ids uuid[], products text[], payment_ids text[], body_hashes bytea[],
  methods text[], currencies text[], amounts bigint[], fee_bps integer[], fee_fixeds bigint[], fees bigint[],
  customer_ids text[], requests jsonb[], receivers bytea[]
) returns table (project_id uuid, payment_id text, request_id uuid, body_hash bytea) language plpgsql as $$
#variable_conflict use_column
declare
  accepted uuid[];
begin
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
     where not exists (select from payments p
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
                         fee_bps, fee_fixeds, fees, customer_ids, requests, receivers)
      as i (project_id, request_id, transfer_id, product, payment_id, body_hash, method, currency, amount, fee_bp, fee_fixed,
            fee, customer_id, request, receiver)
     where i.request_id = any(accepted)
     order by i.project_id, i.payment_id),
  created as (
    insert into payments (project_id, request_id, direction, product, payment_id, body_hash, state, method, currency,
                          requested_amount, amount, fee_bp, fee_fixed, fee, customer_id, request, receiver, due_at)
    select i.project_id, i.request_id, 'payout', i.product, i.payment_id, i.body_hash, 'processing:new', i.method, i.currency,
           i.amount, i.amount, i.fee_bp, i.fee_fixed, i.fee, i.customer_id, i.request, i.receiver, now()
      from input i
    on conflict (project_id, direction, payment_id) do nothing
    returning project_id, request_id, currency, amount, fee),
  noted as (
    insert into payment_history (project_id, request_id, number, to_state, event, actor)
    select c.project_id, c.request_id, 1, 'processing:new', 'created', 'merchant' from created c),
  held as (
    insert into holds (project_id, id, currency, kind, reference, amount)
    select c.project_id, c.request_id, c.currency, 'payout', replace(c.request_id::text, '-', ''), c.amount + c.fee from created c)
  select array_agg(c.request_id) into accepted from created c;

  if accepted is not null then
    perform post_transfers(
      array_agg(i.project_id), array_agg(i.transfer_id), array_agg(i.currency), array_agg('available'::text),
      array_agg('locked'::text), array_agg(i.amount + i.fee), array_agg('hold'::text), array_agg(i.request_id))
      from unnest(project_ids, request_ids, transfer_ids, currencies, amounts, fees)
             as i (project_id, request_id, transfer_id, currency, amount, fee)
     where i.request_id = any(accepted);
    perform pg_notify('tillgate_due', '');
  end if;

  return query
    select p.project_id, p.payment_id, p.request_id, p.body_hash
      from unnest(project_ids, payment_ids) as i (project_id, payment_id)
      join payments p on p.project_id = i.project_id and p.direction = 'payout' and p.payment_id = i.payment_id;
end $$;
