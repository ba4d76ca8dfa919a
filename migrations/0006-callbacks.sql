-- Callbacks: what merchants are to hear, every time it was sent, URLs that said they are gone, and the keys that sign.

-- A row is written in the commit of the change that it tells of. Requisites are put in when it is sent.
create table callbacks (
  project_id    uuid not null,
  id            uuid not null,
  request_id    uuid not null,
  -- The payment's, so that a receiver can put them in order; creation is 1 and sends none.
  sequence      integer not null check (sequence >= 2),
  url           text not null check (char_length(url) <= 2048),
  -- Scheme, host and port: an endpoint that hangs, hangs for all its URLs. Each has a queue of its own, so that none waits for
  -- another.
  origin        text not null,
  -- Kept as it was written, member by member: people compare it with the documents.
  body          json not null,
  state         text not null default 'pending' check (state in ('pending', 'delivered', 'dead', 'dismissed')),
  due_at        timestamptz,
  lease_until   timestamptz,
  attempt_count integer not null default 0 check (attempt_count >= 0),
  -- Of a final status: when it no longer waits for earlier ones.
  goes_ahead_at timestamptz,
  -- How many attempts had been made when it was last replayed: the schedule of retries starts again after them.
  schedule_from integer not null default 0 check (schedule_from >= 0),
  replayed_at   timestamptz,
  replayed_by   text check (char_length(replayed_by) between 1 and 254),
  -- Of a dead letter: who said that it need not be delivered any more.
  dismissed_at  timestamptz,
  dismissed_by  text check (char_length(dismissed_by) between 1 and 254),
  created_at    timestamptz not null default now(),
  delivered_at  timestamptz,
  -- The first attempt, where it delivered: most callbacks need no other, and so no row of callback_attempts.
  first_started_at timestamptz,
  first_latency_ms integer check (first_latency_ms >= 0),
  first_status     integer check (first_status between 200 and 299),
  first_answer     bytea,
  primary key (project_id, id),
  unique (project_id, request_id, sequence),
  foreign key (project_id, request_id) references payments (project_id, request_id),
  check ((state = 'pending') = (due_at is not null)),
  check (schedule_from <= attempt_count),
  check ((replayed_at is null) = (replayed_by is null)),
  check ((state = 'dismissed') = (dismissed_at is not null) and (dismissed_at is null) = (dismissed_by is null)),
  check (num_nulls(first_started_at, first_latency_ms, first_status) in (0, 3)),
  check (first_answer is null or first_status is not null)
);
create index callbacks_due on callbacks (project_id, origin, due_at) where due_at is not null;
-- What an operator looks for first, among millions that were delivered.
create index callbacks_dead on callbacks (project_id, id) where state = 'dead';
-- So that what was dismissed is found, and does not slow down the count of what is dead.
create index callbacks_dismissed on callbacks (project_id, id) where state = 'dismissed';
create trigger callbacks_kept before delete or truncate on callbacks for each statement execute function forbid_change();

-- Every other time it was sent: what came back, and how long that took.
create table callback_attempts (
  project_id  uuid not null,
  callback_id uuid not null,
  number      integer not null check (number >= 1),
  started_at  timestamptz not null,
  latency_ms  integer not null check (latency_ms >= 0),
  -- The HTTP status, or why there was none.
  status      integer check (status between 100 and 999),
  failure     text check (char_length(failure) between 1 and 64),
  -- The first 2 kB of the answer.
  answer      bytea,
  primary key (project_id, callback_id, number),
  foreign key (project_id, callback_id) references callbacks (project_id, id),
  check ((status is null) <> (failure is null))
);
create trigger callback_attempts_immutable before update or delete on callback_attempts for each row execute function forbid_change();
create trigger callback_attempts_kept before truncate on callback_attempts for each statement execute function forbid_change();

-- Takes callbacks that are due, the longest due first, at most so many of each endpoint. While the lease lasts no other process takes
-- them: their due time is its end. The rows are few however many wait, which no statistics of a queue can tell, so all of them
-- are found by index.
create function claim_callbacks(project_ids uuid[], origins text[], counts_max integer[], lease_s float8)
returns table (project_id uuid, id uuid) language plpgsql rows 100
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  with taken as (
    select t.project_id, t.id
      from unnest(project_ids, origins, counts_max) as e (project_id, origin, count_max)
     cross join lateral (
       select c.project_id, c.id from callbacks c
        where c.project_id = e.project_id and c.origin = e.origin and c.due_at <= now()
        order by c.due_at
        limit e.count_max
          for no key update skip locked) t)
  update callbacks c
     set due_at = now() + make_interval(secs => lease_s), lease_until = now() + make_interval(secs => lease_s)
    from taken t
   where c.project_id = t.project_id and c.id = t.id
  returning c.project_id, c.id;
end $$;

-- Writes that callbacks were delivered by their first attempt, and lets those through that waited for them. A lease proves that
-- no other process has taken the callback since. The shared lock keeps those apart who change many rows at once; a row that is
-- locked is waited for no longer than `lock_wait`. Answers the callbacks that were still ours, and the followers that are due.
create function deliver_callbacks(
  writers_lock bigint, lock_wait text, project_ids uuid[], ids uuid[], leases timestamptz[], started_at timestamptz[],
  latencies_ms integer[], statuses integer[], answers bytea[]
) returns table (callback_id uuid, is_follower boolean) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  perform pg_advisory_xact_lock_shared(writers_lock), set_config('lock_timeout', lock_wait, true);
  return query
  with ended as (
    update callbacks c
       set state = 'delivered', attempt_count = 1, lease_until = null, due_at = null, delivered_at = now(),
           first_started_at = e.started_at, first_latency_ms = e.latency_ms, first_status = e.status,
           first_answer = e.answer
      from unnest(project_ids, ids, leases, started_at, latencies_ms, statuses, answers)
        as e (project_id, id, lease_until, started_at, latency_ms, status, answer)
     where c.project_id = e.project_id and c.id = e.id and c.lease_until = e.lease_until and c.attempt_count = 0
    returning c.project_id, c.id, c.request_id, c.sequence, c.url),
  woken as (
    update callbacks c set due_at = now()
      from ended e
     where c.project_id = e.project_id and c.request_id = e.request_id and c.url = e.url and c.sequence > e.sequence
       and c.state = 'pending' and c.due_at > now() and c.attempt_count = c.schedule_from
       and (c.lease_until is null or c.lease_until <= now())
       -- One whose lease is over may be among those that are ended here.
       and c.id <> all (ids)
    returning c.id)
  select ended.id, false from ended union all select woken.id, true from woken;
end $$;

-- URLs that answered 410: nothing is sent there until an operator enables them again.
create table disabled_callback_urls (
  project_id  uuid not null references projects (id),
  url_hash    bytea not null,
  url         text not null check (char_length(url) <= 2048),
  disabled_at timestamptz not null default now(),
  enabled_at  timestamptz,
  enabled_by  text check (char_length(enabled_by) between 1 and 254),
  check ((enabled_at is null) = (enabled_by is null))
);
create unique index disabled_callback_urls_in_force on disabled_callback_urls (project_id, url_hash) where enabled_at is null;
create trigger disabled_callback_urls_kept before delete or truncate on disabled_callback_urls for each statement execute function forbid_change();

-- What signs callbacks. project_id null: the service's own RSA pair; else a secret of that project. While a key is replaced,
-- the old one and the new one both sign, until the old one retires.
create table callback_keys (
  id          uuid primary key,
  project_id  uuid references projects (id),
  kind        text not null check (kind in ('rsa', 'hmac', 'webhook')),
  -- The RSA public key, SPKI in base64url.
  public_key  text,
  -- Sealed: the RSA private key, or the secret.
  secret      bytea not null,
  created_at  timestamptz not null default now(),
  -- From then on it no longer signs.
  retires_at  timestamptz,
  -- When the operator gave it the x-access-signature header. Null: not yet, or there was no other key to take it over from.
  -- The newest promoted key in force signs that header, and where none is, the oldest key in force.
  promoted_at timestamptz,
  check ((kind = 'rsa') = (project_id is null)),
  check ((kind = 'rsa') = (public_key is not null)),
  check (promoted_at >= created_at)
);
-- One that is not about to retire, for each purpose: two processes that make the first one at once agree on it.
create unique index callback_keys_current on callback_keys (kind, coalesce(project_id, '00000000-0000-0000-0000-000000000000'::uuid))
  where retires_at is null;
create trigger callback_keys_inserted after insert on callback_keys referencing new table as changed for each statement execute function directory_project_changed('project_id');
create trigger callback_keys_updated after update on callback_keys referencing new table as changed for each statement execute function directory_project_changed('project_id');
create trigger callback_keys_kept before delete or truncate on callback_keys for each statement execute function forbid_change();

-- The callback URL that every test project has for its testers: how many callbacks arrived there, and what it answers next.
create table echo_endpoints (
  project_id    uuid primary key references projects (id),
  arrived_count bigint not null check (arrived_count >= 0),
  -- What it answers in place of 204, so many times more; null times: every time.
  answer_status integer check (answer_status between 200 and 599),
  answers_left  integer check (answers_left >= 0),
  -- What it answered last.
  answered      integer not null default 204 check (answered between 200 and 599),
  check (answers_left is null or answer_status is not null)
);

-- The last ones that arrived there. A newer one takes the row of the oldest, so that none is ever deleted.
create table echoed_callbacks (
  project_id  uuid not null references projects (id),
  slot        integer not null check (slot >= 0),
  id          uuid not null,
  received_at timestamptz not null,
  headers     jsonb not null,
  -- Sealed: it holds requisites.
  body        bytea not null,
  event       text check (char_length(event) between 1 and 128),
  payment_id  text check (char_length(payment_id) between 1 and 255),
  checks      jsonb not null,
  answered    integer not null check (answered between 200 and 599),
  primary key (project_id, slot)
);
