-- Money that a provider says arrived for a payment. Its own name for the transfer makes sure that it is counted once.
create table receipts (
  project_id         uuid not null,
  provider           text not null check (provider ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  transfer_reference text not null check (char_length(transfer_reference) between 1 and 255),
  request_id         uuid not null,
  amount             bigint not null check (amount between 1 and 10000000000000),
  received_at        timestamptz not null,
  created_at         timestamptz not null default now(),
  primary key (project_id, provider, transfer_reference),
  foreign key (project_id, request_id) references payments (project_id, request_id)
);
create index receipts_by_payment on receipts (project_id, request_id);
create trigger receipts_immutable before update or delete on receipts for each row execute function forbid_change();
create trigger receipts_kept before truncate on receipts for each statement execute function forbid_change();

-- What the merchant is to hear, written in the commit of the change itself. Requisites are put in when it is sent.
create table callbacks (
  project_id   uuid not null,
  id           uuid not null,
  request_id   uuid not null,
  -- The payment's, so that a receiver can put them in order; creation is 1 and sends none.
  sequence     integer not null check (sequence >= 2),
  url          text not null check (char_length(url) <= 2048),
  body         jsonb not null,
  state        text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
  due_at       timestamptz,
  lease_until  timestamptz,
  tries        integer not null default 0,
  created_at   timestamptz not null default now(),
  delivered_at timestamptz,
  primary key (project_id, id),
  unique (project_id, request_id, sequence),
  foreign key (project_id, request_id) references payments (project_id, request_id),
  check ((state = 'pending') = (due_at is not null))
);
create index callbacks_due on callbacks (due_at) where due_at is not null;
create trigger callbacks_kept before delete or truncate on callbacks for each statement execute function forbid_change();
