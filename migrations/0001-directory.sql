-- Who may call, and what for: merchants, their projects, the methods, limits and routes of each, their keys, the banks, and what
-- an operator paused. All of it is small and read by every request, so each process keeps a copy in memory; directory_version
-- says when that copy is old.

create table directory_version (
  only_row boolean primary key default true check (only_row),
  version  bigint not null
);
insert into directory_version (version) values (1);

-- In which version each project, or something of it, changed last: a process reads only those again. The id of zeros
-- stands for what is of no project, such as a merchant's keys. The version's row is locked first, so that versions are
-- committed in their order.
create table directory_changes (
  project_id uuid primary key,
  version    bigint not null
);
create index directory_changes_by_version on directory_changes (version);

create function directory_changed() returns trigger language plpgsql as $$
begin
  update directory_version set version = version + 1;
  perform pg_notify('tillgate_directory', '');
  return null;
end $$;

-- Of a table with rows of projects. Its argument is the column that names the project.
create function directory_project_changed() returns trigger language plpgsql as $$
declare
  new_version bigint;
begin
  update directory_version set version = version + 1 returning version into new_version;
  execute format(
    $insert$
      insert into directory_changes (project_id, version)
      select distinct coalesce(c.%I, '00000000-0000-0000-0000-000000000000'), $1 from changed c
      on conflict (project_id) do update set version = excluded.version
    $insert$, tg_argv[0]) using new_version;
  perform pg_notify('tillgate_directory', '');
  return null;
end $$;

-- History is kept: rows of these tables are closed, disabled or revoked, never removed.
create function forbid_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is forbidden: nothing here is changed or removed', lower(tg_op), tg_table_name
    using errcode = 'restrict_violation';
end $$;

create table merchants (
  id         uuid primary key,
  name       text not null check (char_length(name) between 1 and 128),
  created_at timestamptz not null default now()
);

create table projects (
  id                   uuid primary key,
  merchant_id          uuid not null references merchants (id),
  name                 text not null check (char_length(name) between 1 and 128),
  book                 text not null check (book in ('test', 'live')),
  status               text not null default 'active' check (status in ('active', 'paused')),
  scheme2_only         boolean not null default false,
  allowed_ips          text[] not null default '{}',
  rate_per_second      integer not null default 100 check (rate_per_second between 1 and 1000000),
  rate_burst           integer not null default 200 check (rate_burst between 1 and 1000000),
  callback_url         text check (char_length(callback_url) <= 2048),
  success_callback_url text check (char_length(success_callback_url) <= 2048),
  decline_callback_url text check (char_length(decline_callback_url) <= 2048),
  redirect_url         text check (char_length(redirect_url) <= 2048),
  -- Which of the two signs its callbacks by the protocol's own scheme.
  callback_signing     text not null default 'rsa' check (callback_signing in ('rsa', 'hmac')),
  -- Whose pages may show ours in a frame, and what ours look like.
  widget_origins       text[] not null default '{}',
  accent               text check (accent ~ '^#[0-9a-f]{6}$'),
  logo                 bytea check (octet_length(logo) <= 262144),
  logo_type            text check (logo_type in ('image/png', 'image/jpeg')),
  -- How payers reach the shop.
  support_email        text check (char_length(support_email) between 1 and 254),
  support_phone        text check (char_length(support_phone) between 1 and 32),
  support_url          text check (char_length(support_url) between 1 and 2048),
  -- How many pay-ins of one customer may be confirmed and unpaid before the pool lends that customer nothing more; null: any
  -- number. Such a pay-in holds an account's place and a sum, and costs its payer nothing.
  unpaid_confirms_max  integer default 3 check (unpaid_confirms_max between 1 and 1000000),
  -- How often the payer of a hosted page may choose how to pay: 1 means that a declined card ends the payment.
  payer_attempts       integer not null default 5 check (payer_attempts between 1 and 10),
  created_at           timestamptz not null default now(),
  constraint projects_logo_has_type check ((logo is null) = (logo_type is null))
);
create index projects_by_merchant on projects (merchant_id);

-- A project is test or live for ever, and never changes hands: its transfers take their book from it.
create function keep_project_identity() returns trigger language plpgsql as $$
begin
  if new.id <> old.id or new.book <> old.book or new.merchant_id <> old.merchant_id then
    raise exception 'a project keeps its id, its merchant and its book' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger projects_identity before update on projects for each row execute function keep_project_identity();

create table project_methods (
  project_id uuid not null references projects (id),
  direction  text not null check (direction in ('payin', 'payout')),
  method     text not null check (char_length(method) between 1 and 32),
  currency   text not null check (currency ~ '^[A-Z]{3}$'),
  enabled    boolean not null,
  min_amount bigint not null check (min_amount >= 1),
  max_amount bigint not null check (max_amount between min_amount and 10000000000000),
  fee_bp     integer not null check (fee_bp between 0 and 10000),
  fee_fixed  bigint not null check (fee_fixed between 0 and 10000000000000),
  primary key (project_id, direction, method, currency)
);

-- How much a project, and each of its customers, may start in a day (UTC). A limit that is null does not exist.
create table project_limits (
  project_id         uuid not null references projects (id),
  direction          text not null check (direction in ('payin', 'payout')),
  currency           text not null check (currency ~ '^[A-Z]{3}$'),
  count_max          integer check (count_max >= 0),
  sum_max            bigint check (sum_max >= 0),
  customer_count_max integer check (customer_count_max >= 0),
  customer_sum_max   bigint check (customer_sum_max >= 0),
  primary key (project_id, direction, currency)
);

-- The providers that a method of a project goes through, in the order in which they are asked. None: the default.
create table project_routes (
  project_id uuid not null references projects (id),
  direction  text not null check (direction in ('payin', 'payout')),
  method     text not null check (char_length(method) between 1 and 32),
  providers  text[] not null check (cardinality(providers) <= 20),
  -- Weights and conditions of these providers: 'acme*70[amount<=100000]+zenit*30,backup'. Null: all payments ask them in order.
  rules      text check (char_length(rules) between 1 and 4000),
  primary key (project_id, direction, method)
);

-- What an operator stopped for a while. name: a project's id, or '' for all of them; a method; a provider. A whole project
-- is stopped by its status; its row here says who did it and why.
create table pauses (
  id         uuid primary key,
  kind       text not null check (kind in ('payouts', 'project', 'method', 'provider')),
  name       text not null check (char_length(name) <= 64),
  reason     text not null check (char_length(reason) <= 1000),
  actor      text not null check (char_length(actor) between 1 and 128),
  created_at timestamptz not null default now(),
  ended_at   timestamptz,
  ended_by   text,
  check ((ended_at is null) = (ended_by is null))
);
create unique index pauses_in_force on pauses (kind, name) where ended_at is null;

-- token is what a request names its key by: an RSA public key itself, or the public id of an HMAC key. One key pair is
-- registered once, so a revoked key can never come back under another name.
create table api_keys (
  id          uuid primary key,
  merchant_id uuid not null references merchants (id),
  project_id  uuid references projects (id),
  book        text not null check (book in ('test', 'live')),
  kind        text not null check (kind in ('rsa', 'hmac')),
  token       text not null unique check (char_length(token) between 1 and 2000),
  secret      bytea,
  label       text not null default '' check (char_length(label) <= 128),
  not_before  timestamptz not null default now(),
  not_after   timestamptz,
  revoked_at  timestamptz,
  created_at  timestamptz not null default now(),
  check (not_after is null or not_after > not_before),
  check ((kind = 'hmac') = (secret is not null))
);
create index api_keys_by_merchant on api_keys (merchant_id);

-- Revoking is for ever, and what a key is does not change.
create function keep_key_identity() returns trigger language plpgsql as $$
begin
  if (new.id, new.merchant_id, new.project_id, new.book, new.kind, new.token)
       is distinct from (old.id, old.merchant_id, old.project_id, old.book, old.kind, old.token)
     or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) then
    raise exception 'a key keeps its identity, and a revoked one stays revoked' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger api_keys_identity before update on api_keys for each row execute function keep_key_identity();

create table banks (
  id           uuid primary key,
  name         text not null check (char_length(name) between 1 and 64),
  symbol       text not null unique check (symbol ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(symbol) <= 64),
  sbp_code     text not null check (sbp_code ~ '^[0-9]{12}$'),
  is_sbp_bank  boolean not null,
  country_code text not null check (country_code ~ '^[A-Z]{2}$'),
  disabled_at  timestamptz,
  created_at   timestamptz not null default now(),
  -- What the payment page shows of it, and finds it by: names by language, other names, a place among the popular ones, the
  -- colour of its mark, and an operator's picture in the mark's place. image_version tells browsers of another picture.
  names         jsonb not null default '{}' check (jsonb_typeof(names) = 'object' and octet_length(names::text) <= 4096),
  aliases       text[] not null default '{}' check (cardinality(aliases) <= 12),
  popularity    integer check (popularity between 1 and 1000),
  colour        text check (colour ~ '^#[0-9a-f]{6}$'),
  image         bytea check (octet_length(image) between 1 and 32768),
  image_type    text check (image_type in ('image/png', 'image/jpeg')),
  image_version text generated always as (left(encode(sha256(image), 'hex'), 12)) stored,
  check (is_sbp_bank = (sbp_code <> '000000000000')),
  constraint banks_image_has_type check ((image is null) = (image_type is null))
);
create unique index banks_by_sbp_code on banks (sbp_code) where is_sbp_bank;
create unique index banks_by_country_and_name on banks (country_code, lower(name)) where not is_sbp_bank;

create function keep_bank_symbol() returns trigger language plpgsql as $$
begin
  if new.symbol <> old.symbol or new.id <> old.id then
    raise exception 'a bank keeps its symbol' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger banks_symbol before update on banks for each row execute function keep_bank_symbol();

create trigger merchants_changed after insert or update on merchants for each statement execute function directory_changed();
create trigger projects_inserted after insert on projects referencing new table as changed for each statement execute function directory_project_changed('id');
create trigger projects_updated after update on projects referencing new table as changed for each statement execute function directory_project_changed('id');
create trigger project_methods_inserted after insert on project_methods referencing new table as changed for each statement execute function directory_project_changed('project_id');
create trigger project_methods_updated after update on project_methods referencing new table as changed for each statement execute function directory_project_changed('project_id');
create trigger project_limits_inserted after insert on project_limits referencing new table as changed for each statement execute function directory_project_changed('project_id');
create trigger project_limits_updated after update on project_limits referencing new table as changed for each statement execute function directory_project_changed('project_id');
create trigger project_routes_inserted after insert on project_routes referencing new table as changed for each statement execute function directory_project_changed('project_id');
create trigger project_routes_updated after update on project_routes referencing new table as changed for each statement execute function directory_project_changed('project_id');
create trigger pauses_changed after insert or update on pauses for each statement execute function directory_changed();
create trigger api_keys_inserted after insert on api_keys referencing new table as changed for each statement execute function directory_project_changed('project_id');
create trigger api_keys_updated after update on api_keys referencing new table as changed for each statement execute function directory_project_changed('project_id');
create trigger banks_changed after insert or update on banks for each statement execute function directory_changed();

create trigger merchants_kept before delete or truncate on merchants for each statement execute function forbid_change();
create trigger projects_kept before delete or truncate on projects for each statement execute function forbid_change();
create trigger project_methods_kept before delete or truncate on project_methods for each statement execute function forbid_change();
create trigger project_limits_kept before delete or truncate on project_limits for each statement execute function forbid_change();
create trigger project_routes_kept before delete or truncate on project_routes for each statement execute function forbid_change();
create trigger pauses_kept before delete or truncate on pauses for each statement execute function forbid_change();
create trigger api_keys_kept before delete or truncate on api_keys for each statement execute function forbid_change();
create trigger banks_kept before delete or truncate on banks for each statement execute function forbid_change();
