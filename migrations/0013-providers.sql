-- Providers that an operator configured: other gateways that speak the protocol that we serve (kind upstream). The sandbox and
-- the pool are part of the program and have no row here. Every process keeps a copy in memory, as of the rest of the directory.

create table providers (
  -- Its clearing account and its receipts bear this name, so it never changes and is never used again.
  code       text primary key check (code ~ '^[a-z][a-z0-9-]{1,31}$' and code !~ '^(pool|sandbox|manual)(-|$)'),
  kind       text not null check (kind in ('upstream')),
  -- Whose money may go through it.
  book       text not null check (book in ('test', 'live')),
  base_url   text not null check (char_length(base_url) between 8 and 2048),
  -- What its kind needs besides: for upstream the ids of our merchant and project there, methods, limits and time-outs.
  settings   jsonb not null default '{}',
  created_at timestamptz not null default now(),
  -- From then on no new payment goes through it; those that it has are followed to their end.
  retired_at timestamptz
);
create trigger providers_kept before delete or truncate on providers for each statement execute function forbid_change();

create function keep_provider() returns trigger language plpgsql as $$
begin
  if new.code <> old.code or new.kind <> old.kind or new.book <> old.book then
    raise exception 'a provider keeps its code, kind and book' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger providers_identity before update on providers for each row execute function keep_provider();

-- What our calls to a provider are signed with (call), and what its callbacks are verified with (callback). Several may be
-- in force, so that a key is exchanged without a gap: the newest one signs, and any of them verifies.
create table provider_keys (
  id         uuid primary key,
  provider   text not null references providers (code),
  purpose    text not null check (purpose in ('call', 'callback')),
  kind       text not null check (kind in ('rsa', 'hmac')),
  -- What x-access-token carries: a public key (SPKI, base64url) or the id of an HMAC key.
  token      text not null check (char_length(token) between 1 and 1024),
  -- Sealed: the RSA private key, or the secret. Null: a public key that verifies.
  secret     bytea,
  created_at timestamptz not null default now(),
  -- From then on it is no longer used.
  retires_at timestamptz,
  check ((secret is null) = (purpose = 'callback' and kind = 'rsa'))
);
create index provider_keys_of_provider on provider_keys (provider);
create trigger provider_keys_kept before delete or truncate on provider_keys for each statement execute function forbid_change();

-- What a provider calls a bank of ours. A pair that is over keeps its row: their_symbol is then null.
create table provider_banks (
  provider     text not null references providers (code),
  symbol       text not null check (char_length(symbol) between 1 and 64),
  their_symbol text check (char_length(their_symbol) between 1 and 64),
  -- How the two were found to be one bank: by the payment system's code, by its name, or by an operator's file.
  source       text not null check (source in ('code', 'name', 'file')),
  updated_at   timestamptz not null default now(),
  primary key (provider, symbol)
);
-- A bank of theirs is one bank of ours: requisites name it.
create unique index provider_banks_theirs on provider_banks (provider, their_symbol);

-- What we have at a provider, as it said when it was last asked.
create table provider_balances (
  provider      text not null references providers (code),
  currency      text not null check (currency ~ '^[A-Z]{3}$'),
  amount        bigint not null,
  locked_amount bigint not null,
  read_at       timestamptz not null,
  primary key (provider, currency)
);

-- Money that an operator moved between a bank account of ours and our balance at a provider: a top-up (in) or a withdrawal
-- (out). No payment reports it, so an operator does. It belongs to the house's project of the provider's book.
create table provider_funds (
  project_id  uuid not null references projects (id),
  id          uuid not null,
  provider    text not null references providers (code),
  direction   text not null check (direction in ('in', 'out')),
  currency    text not null check (currency ~ '^[A-Z]{3}$'),
  amount      bigint not null check (amount between 1 and 10000000000000),
  -- The other side: by hand, or one of our own receiving accounts.
  through     text not null check (through ~ '^(manual|pool-[a-z0-9-]{1,59})$'),
  -- The bank's.
  reference   text not null check (char_length(reference) between 1 and 255),
  note        text check (char_length(note) between 1 and 1000),
  actor       text not null check (char_length(actor) between 1 and 128),
  created_at  timestamptz not null default now(),
  -- It was recorded by mistake: see reversals.
  reversed_at timestamptz,
  primary key (project_id, id)
);
create unique index provider_funds_by_reference on provider_funds (provider, reference) where reversed_at is null;

create function keep_provider_funds() returns trigger language plpgsql as $$
begin
  if old.reversed_at is not null or new.reversed_at is null
     or to_jsonb(new) - 'reversed_at' is distinct from to_jsonb(old) - 'reversed_at' then
    raise exception 'a movement of funds is reversed once, and changed in nothing else' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger provider_funds_identity before update on provider_funds for each row execute function keep_provider_funds();
create trigger provider_funds_kept before delete or truncate on provider_funds for each statement execute function forbid_change();

-- Lists that say who issued a card, by the first digits of its number; routes have conditions on it. The last one counts.
create table card_bin_imports (
  id           uuid primary key,
  prefix_count integer not null check (prefix_count >= 0),
  -- SHA-256 of the file.
  file_hash    text not null check (file_hash ~ '^[0-9a-f]{64}$'),
  imported_at  timestamptz not null default now()
);
create table card_bins (
  prefix    text primary key check (prefix ~ '^[0-9]{6,8}$'),
  country   text not null check (country ~ '^[A-Z]{2}$'),
  -- A symbol of banks.
  bank      text check (char_length(bank) between 1 and 64),
  -- The last list that has the prefix. Those of an older list are no longer known.
  import_id uuid not null references card_bin_imports (id)
);
create trigger card_bin_imports_kept before delete or truncate on card_bin_imports for each statement execute function forbid_change();

-- What each process sees of a provider: whether its breaker lets new payments through, and its calls of the last minute.
create table provider_health (
  provider   text not null references providers (code),
  process_id uuid not null references processes (id) on delete cascade,
  state      text not null check (state in ('closed', 'open', 'half_open')),
  since      timestamptz not null,
  calls      integer not null,
  refused    integer not null,
  lost       integer not null,
  p50_ms     integer,
  p95_ms     integer,
  updated_at timestamptz not null default now(),
  primary key (provider, process_id)
);

create trigger card_bin_imports_changed after insert on card_bin_imports for each statement execute function directory_changed();
-- When a provider is asked for its balances and for its banks, and how that went. One process at a time asks.
create table provider_readings (
  provider      text not null references providers (code),
  what          text not null check (what in ('balances', 'banks')),
  -- A process that asks sets it first: until then no other process asks.
  next_at       timestamptz not null,
  -- When it last answered.
  read_at       timestamptz,
  -- Since when it does not answer; null: the last question was answered.
  failing_since timestamptz,
  -- The list of banks as the provider gave it. It is matched again after a change of our banks or of an operator's file.
  banks         jsonb,
  primary key (provider, what)
);

create trigger providers_changed after insert or update on providers for each statement execute function directory_changed();
create trigger provider_keys_changed after insert or update on provider_keys for each statement execute function directory_changed();
create trigger provider_banks_changed after insert or update on provider_banks for each statement execute function directory_changed();

create trigger providers_audited after insert or update on providers for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('none', 'code');
create trigger card_bin_imports_audited after insert on card_bin_imports for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('none', 'id');
create trigger provider_keys_audited after insert or update on provider_keys for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('none', 'provider,id', 'secret');
create trigger provider_banks_audited after insert or update on provider_banks for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('none', 'provider,symbol');
create trigger provider_funds_audited after insert or update on provider_funds for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('none', 'provider,id');
