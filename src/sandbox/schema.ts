import { createHash } from "node:crypto";
import { CARD_SCHEMA } from "./cards/schema.ts";
import type { SandboxDatabase } from "./database.ts";

/**
 * The sandbox's books, in a schema of its own. Whatever happens later is a row with a due time, so that killing the
 * process loses nothing: a foreign system does not forget either. Triggers write the notifications, so that no change
 * can be made without one; where there are many at once, the statement that makes the changes does.
 */
const SCHEMA = `
create schema if not exists sandbox;

create table if not exists sandbox.settings (name text primary key, value text not null);

create table if not exists sandbox.payins (
  reference text primary key,
  project_id text not null,
  request_hash text not null,
  method text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  status text not null check (status in ('active', 'no_requisites', 'cancelled', 'closed')),
  requisite_type text check (requisite_type in ('card', 'phone', 'account', 'link')),
  requisite_value text,
  holder text,
  bank text,
  bank_name text,
  arrives_on text not null check (arrives_on in ('requisites', 'confirm', 'expiry', 'release', 'never')),
  arrives_after_s integer not null check (arrives_after_s >= 0),
  arrives_amount bigint not null check (arrives_amount > 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  closed_at timestamptz,
  check ((requisite_value is null) = (status = 'no_requisites')),
  check ((requisite_type is null) = (requisite_value is null))
);
-- Two payers who send the same sum to the same place could not be told apart.
create unique index if not exists payins_requisite_once
  on sandbox.payins (requisite_value, currency, amount) where status = 'active';

-- Of a link: what opens its page at the sandbox's bank.
alter table sandbox.payins add column if not exists link_token text;
create unique index if not exists payins_link on sandbox.payins (link_token) where link_token is not null;

create table if not exists sandbox.expected_money (
  id bigint generated always as identity primary key,
  reference text not null,
  project_id text not null,
  cause text not null,
  amount bigint not null check (amount > 0),
  due_at timestamptz not null,
  unique (reference, cause)
);
create index if not exists expected_money_due on sandbox.expected_money (due_at);

create table if not exists sandbox.payouts (
  reference text primary key,
  project_id text not null,
  request_hash text not null,
  method text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  status text not null check (status in ('accepted', 'paid', 'rejected', 'failed', 'wrong_details')),
  reason text,
  due_at timestamptz,
  due_status text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((due_at is null) = (due_status is null)),
  check (due_at is null or status = 'accepted')
);
-- It was paid, and came back.
alter table sandbox.payouts add column if not exists returned_at timestamptz;
create index if not exists payouts_due on sandbox.payouts (due_at) where due_at is not null;
create index if not exists payouts_open on sandbox.payouts (project_id) where due_at is not null;

create table if not exists sandbox.book_entries (
  id bigint generated always as identity primary key,
  direction text not null check (direction in ('arrived', 'left')),
  reference text not null,
  project_id text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  cause text not null,
  booked_at timestamptz not null default now()
);
-- A tester may send money as often as he likes; everything else happens once.
create unique index if not exists book_entries_once
  on sandbox.book_entries (direction, reference, cause) where cause <> 'tester';
create index if not exists book_entries_reference on sandbox.book_entries (reference);

create table if not exists sandbox.notifications (
  id bigint generated always as identity primary key,
  project_id text not null,
  direction text not null check (direction in ('payin', 'payout')),
  reference text not null,
  event text not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  held_back boolean not null default false,
  -- null: given up.
  due_at timestamptz default now()
);
create index if not exists notifications_due on sandbox.notifications (due_at) where due_at is not null;
create index if not exists notifications_project on sandbox.notifications (project_id) where due_at is not null;

create table if not exists sandbox.faults (
  id bigint generated always as identity primary key,
  project_id text,
  reference text,
  kind text not null,
  call text not null,
  ms integer not null,
  -- null: every time.
  remaining integer check (remaining >= 0),
  check ((project_id is null) <> (reference is null))
);

create or replace function sandbox.iso(at timestamptz) returns text language sql stable
  as $$ select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

create or replace function sandbox.write_notification() returns trigger language plpgsql as $$
begin
  if exists (select from sandbox.settings where name = 'notify_url') then
    insert into sandbox.notifications (project_id, direction, reference, event)
    values (new.project_id, tg_argv[0], new.reference, tg_argv[1]);
  end if;
  return null;
end $$;

-- A request and its closing are what the other side asked for, and was answered: it needs no news of that.
create or replace trigger payin_cancelled after update of status on sandbox.payins
  for each row when (new.status = 'cancelled' and old.status <> 'cancelled')
  execute function sandbox.write_notification('payin', 'status');
-- The statement that books the transfers that were expected writes their notifications itself, for many at once.
create or replace trigger money_arrived after insert on sandbox.book_entries
  for each row when (new.direction = 'arrived' and new.cause = 'tester')
  execute function sandbox.write_notification('payin', 'transfer');
create or replace trigger money_taken_back after insert on sandbox.book_entries
  for each row when (new.cause like 'taken back %') execute function sandbox.write_notification('payin', 'transfer');
create or replace trigger payout_made after insert on sandbox.payouts
  for each row execute function sandbox.write_notification('payout', 'status');
create or replace trigger payout_changed after update of status on sandbox.payouts
  for each row when (new.status <> old.status) execute function sandbox.write_notification('payout', 'status');
create or replace trigger payout_returned after update of returned_at on sandbox.payouts
  for each row when (old.returned_at is null and new.returned_at is not null)
  execute function sandbox.write_notification('payout', 'status');

create or replace view sandbox.payout_answers as
select p.reference, p.request_hash, json_strip_nulls(json_build_object(
  'reference', p.reference, 'status', case when p.returned_at is null then p.status else 'returned' end,
  'reason', p.reason, 'amount', p.amount, 'currency', p.currency
))::text as answer
from sandbox.payouts p;

-- What earlier versions made and this one does without.
drop trigger if exists payin_made on sandbox.payins;
drop view if exists sandbox.payin_answers;
drop index if exists sandbox.payins_open, sandbox.expected_money_project;
alter table sandbox.expected_money drop constraint if exists expected_money_reference_fkey;
`;

/** Chosen once; two sandboxes that start together on one database make the tables one after the other. */
const START_LOCK = 7_263_190_441;

const VERSION = createHash("sha256").update(SCHEMA).update(CARD_SCHEMA).digest("hex");

/** Making tables and triggers locks them, and can meet another sandbox at work in a deadlock: what is made already is left alone. */
export async function makeSchema(db: SandboxDatabase): Promise<void> {
  if (await isMade(db)) return;
  await db.runScript(`begin; select pg_advisory_xact_lock(${START_LOCK}); ${SCHEMA} ${CARD_SCHEMA}
    insert into sandbox.settings (name, value) values ('schema', '${VERSION}') on conflict (name) do update set value = excluded.value;
    commit;`);
}

async function isMade(db: SandboxDatabase): Promise<boolean> {
  const [table] = await db.run<{ exists: boolean }>("select to_regclass('sandbox.settings') is not null as exists");
  if (table?.exists !== true) return false;
  const [made] = await db.run<{ value: string }>("select value from sandbox.settings where name = 'schema'");
  return made?.value === VERSION;
}
