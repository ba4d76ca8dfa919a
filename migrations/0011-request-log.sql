-- What merchants' servers called, for their developers. It is no record of money: rows are removed when newer calls take their
-- place, and errors after 30 days.

-- One row for all calls of a project that a process wrote together. Its id is that of its newest call. No foreign key: each would
-- lock the project's row, which creates of payments lock too, and projects are never removed.
create table request_log (
  project_id uuid not null,
  id         uuid not null,
  oldest_id  uuid not null check (oldest_id <= id),
  kind       text not null check (kind in ('calls', 'errors', 'unsigned')),
  call_count integer not null check (call_count >= 0),
  -- Calls without a valid signature that were counted only.
  missed     integer not null default 0 check (missed >= 0),
  written_at timestamptz not null default now(),
  -- What lists show, and the masked bodies; both compressed by the service.
  heads      bytea not null,
  bodies     bytea not null,
  primary key (project_id, id) include (kind, call_count, oldest_id)
);
alter table request_log alter column heads set storage external, alter column bodies set storage external;
create index request_log_by_age on request_log (written_at) where kind <> 'calls';
