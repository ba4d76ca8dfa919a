-- Reminders by e-mail that an API key ends soon. A row says that the reminder of so many days before the end needs no sending any
-- more: it was sent, or the person who set the end knew it. The process that writes the row sends it.
create table key_notices (
  key_id      uuid not null references api_keys (id),
  days_before integer not null check (days_before in (2, 14)),
  created_at  timestamptz not null default now(),
  primary key (key_id, days_before)
);
create trigger key_notices_kept before delete or truncate on key_notices for each statement execute function forbid_change();
