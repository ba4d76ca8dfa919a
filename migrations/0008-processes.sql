-- What the processes of an installation share: data keys, settings, and a row for each process.

-- Data keys encrypt secrets; the master key, which is not in the database, wraps the data keys. A new master key wraps them
-- again and leaves every secret as it is.
create table data_keys (
  id          uuid primary key,
  purpose     text not null check (purpose in ('encrypt', 'lookup')),
  wrapped_key bytea not null,
  wrapped_by  text not null check (wrapped_by ~ '^[0-9a-f]{16}$'),
  created_at  timestamptz not null default now()
);
create index data_keys_by_purpose on data_keys (purpose, created_at);
create trigger data_keys_kept before delete or truncate on data_keys for each statement execute function forbid_change();

-- Named facts of this installation, such as which project is the sandbox's.
create table settings (
  name  text primary key check (char_length(name) between 1 and 64),
  value text not null
);

-- One row for each running process, renewed every few seconds. Each enforces its share of a rate limit by counting them.
create table processes (
  id           uuid primary key,
  role         text not null check (role in ('api', 'worker', 'all')),
  started_at   timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
);
create index processes_by_heartbeat on processes (heartbeat_at);
