/**
 * Charges and how their payers are authenticated. Triggers book the money and write the notifications, so that a charge
 * can be ended in many places and is counted once. Of a card only the masked number is kept; the CVV is nowhere.
 */
export const CARD_SCHEMA = `
create table if not exists sandbox.charges (
  reference text primary key,
  project_id text not null,
  request_hash text not null,
  merchant_name text,
  currency text not null,
  amount bigint not null check (amount > 0),
  -- What is approved if it is approved; a test can make that another sum.
  pays_amount bigint not null check (pays_amount > 0),
  masked_pan text not null check (masked_pan ~ '^[0-9]{6}[*]{2,}[0-9]{4}$'),
  status text not null check (status in ('approved', 'declined', 'challenge', 'redirect', 'pending', 'reversed')),
  reason text,
  return_url text not null,
  -- Not null: once authorised it is pending for so long.
  authorises_after_ms integer check (authorises_after_ms > 0),
  -- Not null: it is approved so long after it was declined.
  late_approval_ms integer check (late_approval_ms > 0),
  approves_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((reason is not null) = (status = 'declined')),
  check (approves_at is null or status in ('pending', 'declined'))
);
-- What the gateway said of the payer's browser, for testers to look at.
alter table sandbox.charges add column if not exists browser jsonb;
-- The answer was lost, and the acquirer does not notify us: the gateway has to ask again.
alter table sandbox.charges add column if not exists silent boolean not null default false;
-- The gateway cancelled it. Its pages say so, and no result of the issuer's moves it any more.
alter table sandbox.charges add column if not exists cancelled_at timestamptz;
create index if not exists charges_due on sandbox.charges (approves_at) where approves_at is not null;
create index if not exists charges_waiting on sandbox.charges (expires_at) where status in ('challenge', 'redirect');
create index if not exists charges_open on sandbox.charges (project_id)
  where status in ('challenge', 'redirect', 'pending') or approves_at is not null;

create table if not exists sandbox.authentications (
  reference text primary key references sandbox.charges,
  version text not null check (version in ('2.2.0', '1.0.2', 'redirect')),
  -- What the browser brings: the creq, the PaReq, or a part of the page's address.
  token text not null unique,
  session text not null,
  server_transaction_id text not null unique,
  acs_transaction_id text not null unique,
  method_step boolean not null,
  method_done_at timestamptz,
  wrong_codes integer not null default 0 check (wrong_codes between 0 and 3),
  outcome text check (outcome in ('passed', 'failed')),
  -- What the browser takes back: the cres or the PaRes.
  result text unique,
  check ((outcome is null) = (result is null))
);

alter table sandbox.notifications drop constraint if exists notifications_direction_check;
alter table sandbox.notifications
  add constraint notifications_direction_check check (direction in ('payin', 'payout', 'charge'));

create or replace function sandbox.time_approval() returns trigger language plpgsql as $$
begin
  if new.status in ('approved', 'reversed') then
    new.approves_at := null;
  elsif new.status = 'declined' and new.late_approval_ms is not null then
    new.approves_at := now() + new.late_approval_ms * interval '1 millisecond';
    new.late_approval_ms := null;
  end if;
  return new;
end $$;

create or replace function sandbox.book_charge() returns trigger language plpgsql as $$
begin
  insert into sandbox.book_entries (direction, reference, project_id, currency, amount, cause)
  values (case new.status when 'approved' then 'arrived' else 'left' end, new.reference, new.project_id, new.currency,
    new.pays_amount, case new.status when 'approved' then 'charge' else 'reversal' end);
  return null;
end $$;

create or replace trigger charge_timed before insert or update of status on sandbox.charges
  for each row execute function sandbox.time_approval();
create or replace trigger charge_made_booked after insert on sandbox.charges
  for each row when (new.status = 'approved') execute function sandbox.book_charge();
create or replace trigger charge_changed_booked after update of status on sandbox.charges
  for each row when (new.status <> old.status and new.status in ('approved', 'reversed'))
  execute function sandbox.book_charge();
create or replace trigger charge_made after insert on sandbox.charges
  for each row when (not new.silent) execute function sandbox.write_notification('charge', 'status');
create or replace trigger charge_changed after update of status on sandbox.charges
  for each row when (new.status <> old.status) execute function sandbox.write_notification('charge', 'status');
`;
