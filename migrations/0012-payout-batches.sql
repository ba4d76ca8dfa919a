-- Payouts that a merchant's people make by hand: one by a form, or many by a file. A batch is checked and confirmed as a whole,
-- approved by a second person where its sum asks for it, and then each of its rows becomes a payment. Receivers are sealed.

create table payout_batches (
  project_id      uuid not null references projects (id),
  id              uuid not null,
  merchant_id     uuid not null references merchants (id),
  book            text not null check (book in ('test', 'live')),
  source          text not null check (source in ('form', 'file', 'retry')),
  file_name       text check (char_length(file_name) between 1 and 255),
  -- Of a file: a keyed hash of what it says, whichever program saved it. A plain hash of one row could be guessed.
  content_hash    bytea check (octet_length(content_hash) = 32),
  -- Of a retry: the batch whose refused rows it repeats.
  retry_of        uuid,
  state           text not null check (state in ('checked', 'awaiting_approval', 'making', 'done', 'refused', 'withdrawn')),
  row_count       integer not null check (row_count between 1 and 10000),
  -- Rows with the receiver and the amount of an earlier row: the person is asked whether that is meant.
  repeated_count  integer not null check (repeated_count >= 0),
  author          uuid not null references people (id),
  author_address  text not null check (char_length(author_address) <= 64),
  created_at      timestamptz not null default now(),
  confirmed_at    timestamptz,
  approval_needed boolean not null default false,
  approved_by     uuid references people (id),
  approved_at     timestamptz,
  refused_by      uuid references people (id),
  refused_at      timestamptz,
  refusal         text check (char_length(refusal) between 1 and 500),
  withdrawn_at    timestamptz,
  ended_at        timestamptz,
  -- Until when a process works on it.
  lease_until     timestamptz,
  primary key (project_id, id),
  foreign key (project_id, retry_of) references payout_batches (project_id, id),
  check ((source = 'file') = (content_hash is not null and file_name is not null)),
  check ((source = 'retry') = (retry_of is not null)),
  check (approved_by <> author and refused_by <> author),
  check ((approved_by is null) = (approved_at is null)),
  check ((state = 'refused') = (refused_at is not null) and (refused_by is null) = (refused_at is null)
         and (refusal is null) = (refused_at is null)),
  check ((state = 'withdrawn') = (withdrawn_at is not null)),
  check ((state = 'done') = (ended_at is not null)),
  check (state in ('checked', 'withdrawn') or confirmed_at is not null),
  -- Where a second person is needed, nothing is paid without one.
  check (state not in ('making', 'done') or not approval_needed or approved_by is not null)
);
-- The same file twice pays once.
create unique index payout_batches_content_once on payout_batches (project_id, content_hash)
  where content_hash is not null and state in ('awaiting_approval', 'making', 'done');
create index payout_batches_making on payout_batches (lease_until) where state = 'making';
create index payout_batches_waiting on payout_batches (project_id) where state = 'awaiting_approval';
create index payout_batches_by_author on payout_batches (author, confirmed_at) where confirmed_at is not null;

create table payout_batch_rows (
  project_id   uuid not null,
  batch_id     uuid not null,
  -- Of the file; 1 for a form.
  line         integer not null check (line >= 1),
  payment_id   text not null check (char_length(payment_id) between 1 and 255),
  method       text not null check (char_length(method) between 1 and 32),
  currency     text not null check (currency ~ '^[A-Z]{3}$'),
  amount       bigint not null check (amount between 1 and 10000000000000),
  -- By the rates of the moment of the check.
  expected_fee bigint not null check (expected_fee >= 0),
  description  text check (char_length(description) <= 255),
  customer_id  text not null check (char_length(customer_id) between 1 and 64),
  -- Sealed.
  receiver     bytea not null,
  mask         text not null check (char_length(mask) <= 64),
  bank         text check (char_length(bank) <= 64),
  state        text not null default 'waiting' check (state in ('waiting', 'made', 'refused', 'failed')),
  request_id   uuid,
  error_code   text check (char_length(error_code) <= 64),
  error        text check (char_length(error) <= 1000),
  primary key (project_id, batch_id, line),
  foreign key (project_id, batch_id) references payout_batches (project_id, id),
  foreign key (project_id, request_id) references payments (project_id, request_id),
  unique (project_id, batch_id, payment_id),
  check ((state = 'made') = (request_id is not null)),
  check ((state in ('refused', 'failed')) = (error_code is not null))
);
create index payout_batch_rows_waiting on payout_batch_rows (project_id, batch_id, line) where state = 'waiting';
create index payout_batch_rows_to_pay on payout_batch_rows (project_id, payment_id) where state = 'waiting';
-- A payment is made by one row.
create unique index payout_batch_rows_by_payment on payout_batch_rows (project_id, request_id) where request_id is not null;

-- What was confirmed and approved is what was checked.
create function keep_payout_batch() returns trigger language plpgsql as $$
begin
  if (new.project_id, new.id, new.merchant_id, new.book, new.source, new.file_name, new.content_hash, new.retry_of, new.row_count,
      new.repeated_count, new.author, new.author_address, new.created_at)
       is distinct from
     (old.project_id, old.id, old.merchant_id, old.book, old.source, old.file_name, old.content_hash, old.retry_of, old.row_count,
      old.repeated_count, old.author, old.author_address, old.created_at)
     or (old.confirmed_at is not null and (new.confirmed_at, new.approval_needed) is distinct from (old.confirmed_at, old.approval_needed))
     or (new.state <> old.state and (old.state, new.state) not in (
           ('checked', 'awaiting_approval'), ('checked', 'making'), ('checked', 'withdrawn'), ('awaiting_approval', 'making'),
           ('awaiting_approval', 'refused'), ('awaiting_approval', 'withdrawn'), ('making', 'done'))) then
    raise exception 'a batch keeps what was checked, and goes one way' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payout_batches_identity before update on payout_batches for each row execute function keep_payout_batch();
create trigger payout_batches_kept before delete or truncate on payout_batches for each statement execute function forbid_change();

create function keep_payout_batch_row() returns trigger language plpgsql as $$
begin
  if (new.project_id, new.batch_id, new.line, new.payment_id, new.method, new.currency, new.amount, new.expected_fee,
      new.description, new.customer_id, new.receiver, new.mask, new.bank)
       is distinct from
     (old.project_id, old.batch_id, old.line, old.payment_id, old.method, old.currency, old.amount, old.expected_fee,
      old.description, old.customer_id, old.receiver, old.mask, old.bank)
     -- That a payment was made is a fact, also where another process had given the row up.
     or old.state = 'made' or (old.state <> 'waiting' and new.state <> 'made') then
    raise exception 'a row of a batch keeps what was checked, and is made once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payout_batch_rows_identity before update on payout_batch_rows for each row execute function keep_payout_batch_row();
create trigger payout_batch_rows_kept before delete or truncate on payout_batch_rows for each statement execute function forbid_change();

create function add_payout_batch_rows() returns trigger language plpgsql as $$
begin
  if exists (select from added a join payout_batches b on b.project_id = a.project_id and b.id = a.batch_id
              where b.state <> 'checked') then
    raise exception 'rows are added to a batch only while it is checked' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger payout_batch_rows_added after insert on payout_batch_rows referencing new table as added
  for each statement execute function add_payout_batch_rows();

-- Above which sum a second person approves what one makes by hand, for each currency. Null, as no row: at no sum.
create table payout_approval_limits (
  merchant_id uuid not null references merchants (id),
  currency    text not null check (currency ~ '^[A-Z]{3}$'),
  amount      bigint check (amount between 0 and 10000000000000),
  primary key (merchant_id, currency)
);
create trigger payout_approval_limits_kept before delete or truncate on payout_approval_limits for each statement execute function forbid_change();
