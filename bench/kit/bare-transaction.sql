-- The least that a payment can cost in PostgreSQL: a payment, three entries, two balances and a row of an outbox, in one
-- transaction and one call. It shares nothing with the service's own tables and functions.
create table payments (
  id         uuid primary key,
  account    integer not null,
  reference  text not null,
  amount     bigint not null,
  state      text not null,
  request    jsonb not null,
  created_at timestamptz not null default now(),
  unique (account, reference)
);
create table entries (
  payment_id uuid not null,
  number     smallint not null,
  account    integer not null,
  amount     bigint not null,
  primary key (payment_id, number)
);
create table balances (account integer primary key, amount bigint not null) with (fillfactor = 50);
create table outbox (id bigint generated always as identity primary key, payment_id uuid not null, body jsonb not null);

-- Accounts in plenty, so that hardly ever two transactions want the same row.
insert into balances (account, amount) select n, 0 from generate_series(1, 20000) n;

create function pay(payer integer, shop integer, sum bigint) returns uuid language plpgsql as $$
declare
  new_id constant uuid := uuidv7();
begin
  insert into payments (id, account, reference, amount, state, request)
  values (new_id, shop, new_id::text, sum, 'new', '{"customer": {"id": "customer-7", "ip_address": "203.0.113.7"}}');
  insert into entries (payment_id, number, account, amount)
  values (new_id, 1, payer, -sum), (new_id, 2, shop, sum - sum / 40), (new_id, 3, 0, sum / 40);
  -- In the order of their keys, so that no two wait for each other in a circle.
  update balances b set amount = b.amount + case when b.account = payer then -sum else sum - sum / 40 end
    from (select account from balances where account in (payer, shop) order by account for no key update) locked
   where b.account = locked.account;
  insert into outbox (payment_id, body) values (new_id, '{"status": "new", "event": {"sequence": 1}}');
  return new_id;
end $$;
