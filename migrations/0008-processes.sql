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

-- Which server this database is on, as far as it can be asked: null where this user may not ask, or the server does not know it.
create function database_identifier() returns text language plpgsql stable as $$
begin
  return (select system_identifier::text from pg_control_system());
exception when insufficient_privilege or undefined_function or feature_not_supported then
  return null;
end $$;

-- The history that the server writes now. It grows with each failover, and with each restore that replays an archive.
create function database_timeline() returns integer language plpgsql stable as $$
begin
  return ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer;
exception when insufficient_privilege or undefined_function or feature_not_supported then
  return null;
end $$;

-- The point that the server was told to recover to; empty where it was told none. The setting stays after the recovery.
create function recovery_target() returns text language sql stable as $$
  select concat_ws(' ', nullif(current_setting('recovery_target', true), ''),
                        nullif(current_setting('recovery_target_time', true), ''),
                        nullif(current_setting('recovery_target_xid', true), ''),
                        nullif(current_setting('recovery_target_lsn', true), ''),
                        nullif(current_setting('recovery_target_name', true), ''))
$$;

-- When a process of this installation last wrote, and on which server: one row, renewed every few seconds. A database that was
-- restored from a backup is known by it (decision 0091).
create table database_pulse (
  one               boolean primary key default true check (one),
  beat_at           timestamptz not null,
  system_identifier text,
  timeline          integer,
  -- The last one that was not empty: the servers of a cluster need not all have it.
  recovery_target   text not null,
  -- The last time that no process wrote for a while, as the process found it that wrote first after it. One that wrote in between,
  -- and comes only now, knows by it that the database was restored.
  silent_from       timestamptz,
  silent_until      timestamptz,
  check ((silent_from is null) = (silent_until is null) and silent_from < silent_until)
);
insert into database_pulse (beat_at, system_identifier, timeline, recovery_target)
values (now(), database_identifier(), database_timeline(), recovery_target());
create trigger database_pulse_kept before delete or truncate on database_pulse for each statement execute function forbid_change();

-- A restore of an older backup, as a process noticed it or an operator declared it. Until an operator resumes, payouts, exports,
-- card charges and callbacks are paused.
create table restores (
  id          uuid primary key,
  noticed_at  timestamptz not null default now(),
  noticed_by  text not null check (char_length(noticed_by) between 1 and 128),
  why         text not null check (why in ('other_server', 'older_than_written', 'recovery_target', 'timeline_back', 'other_timeline', 'declared')),
  -- What was written after this moment may be lost.
  known_until timestamptz not null,
  -- What the row of the pulse said, and what the server says; of one that was declared, the operator's words.
  facts       jsonb not null,
  checked_at  timestamptz,
  checked_by  text check (char_length(checked_by) between 1 and 128),
  passed      boolean,
  report      jsonb,
  resumed_at  timestamptz,
  resumed_by  text check (char_length(resumed_by) between 1 and 128),
  -- Why an operator resumed without a check that passed.
  despite     text check (char_length(despite) between 1 and 1000),
  check ((checked_at is null) = (passed is null) and (checked_at is null) = (report is null) and (checked_at is null) = (checked_by is null)),
  check ((resumed_at is null) = (resumed_by is null)),
  check (resumed_at is null or passed is true or despite is not null)
);
create unique index restores_open on restores ((true)) where resumed_at is null;
create trigger restores_changed after insert or update on restores for each statement execute function directory_changed();
create trigger restores_kept before delete or truncate on restores for each statement execute function forbid_change();

-- Whether money may leave. Not while a restore is open; and not in the seconds after the server began another timeline, or another
-- server answers, until a process has judged whether that was a failover or a restore. In PL/pgSQL, which keeps its plans: before
-- PostgreSQL 18 a function in SQL is planned at each call (15: 223 µs of each statement that locks payments, and 38 µs so).
create function may_money_leave() returns boolean language plpgsql stable as $$
begin
  return not exists (select from restores where resumed_at is null)
     and not exists (select from database_pulse where timeline is distinct from database_timeline()
                                                   or system_identifier is distinct from database_identifier());
end $$;
