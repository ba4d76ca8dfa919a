-- The people who sign in to the account: their memberships of merchants, invitations, passwords, second factors and sessions, and
-- the audit log of what was changed and by whom. Tokens are stored as SHA-256 alone; TOTP secrets are sealed.

create table people (
  id                  uuid primary key,
  -- In lower case, as it is compared.
  email               text not null unique check (char_length(email) between 3 and 254 and email = lower(email)),
  name                text not null check (char_length(name) between 1 and 128),
  language            text not null default 'en' check (language in ('en', 'ru')),
  -- scrypt with its costs and its salt; null until the person chooses a password.
  password_hash       text check (char_length(password_hash) <= 256),
  created_at          timestamptz not null default now()
);
create trigger people_kept before delete or truncate on people for each statement execute function forbid_change();

-- What a person may do for a merchant. One that ended stays as history.
create table memberships (
  id          uuid primary key,
  merchant_id uuid not null references merchants (id),
  person_id   uuid not null references people (id),
  role        text not null check (role in ('owner', 'developer', 'accountant', 'viewer')),
  created_at  timestamptz not null default now(),
  ended_at    timestamptz
);
create unique index memberships_in_force on memberships (merchant_id, person_id) where ended_at is null;
create index memberships_by_person on memberships (person_id) where ended_at is null;
create trigger memberships_kept before delete or truncate on memberships for each statement execute function forbid_change();

-- What a merchant's owners demand of everyone who signs in for it. No row: the defaults.
create table merchant_security (
  merchant_id           uuid primary key references merchants (id),
  require_second_factor boolean not null
);
create trigger merchant_security_kept before delete or truncate on merchant_security for each statement execute function forbid_change();

-- A link that works once, within its time.
create table invitations (
  id          uuid primary key,
  merchant_id uuid not null references merchants (id),
  email       text not null check (char_length(email) between 3 and 254 and email = lower(email)),
  role        text not null check (role in ('owner', 'developer', 'accountant', 'viewer')),
  token_hash  bytea not null unique check (octet_length(token_hash) = 32),
  invited_by  text not null check (char_length(invited_by) between 1 and 254),
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null,
  accepted_at timestamptz,
  revoked_at  timestamptz,
  check (accepted_at is null or revoked_at is null)
);
create unique index invitations_open on invitations (merchant_id, email) where accepted_at is null and revoked_at is null;
create trigger invitations_kept before delete or truncate on invitations for each statement execute function forbid_change();

create table password_resets (
  id         uuid primary key,
  person_id  uuid not null references people (id),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at   timestamptz
);
create index password_resets_open on password_resets (person_id) where ended_at is null;
create trigger password_resets_kept before delete or truncate on password_resets for each statement execute function forbid_change();

-- A browser that signed in. One that awaits its second factor may do nothing else.
create table sessions (
  id             uuid primary key,
  person_id      uuid not null references people (id),
  token_hash     bytea not null unique check (octet_length(token_hash) = 32),
  -- Which of the person's merchants it is about.
  merchant_id    uuid references merchants (id),
  awaits_factor  boolean not null,
  address        text not null check (char_length(address) <= 64),
  user_agent     text not null check (char_length(user_agent) <= 256),
  created_at     timestamptz not null default now(),
  seen_at        timestamptz not null default now(),
  expires_at     timestamptz not null,
  stepped_up_at  timestamptz,
  -- What a passkey must sign next; it is used once.
  challenge      bytea,
  challenge_at   timestamptz,
  ended_at       timestamptz
);
create index sessions_open on sessions (person_id) where ended_at is null;
create trigger sessions_kept before delete or truncate on sessions for each statement execute function forbid_change();

create table totp_factors (
  id           uuid primary key,
  person_id    uuid not null references people (id),
  -- Sealed; null once the factor is removed.
  secret       bytea,
  created_at   timestamptz not null default now(),
  confirmed_at timestamptz,
  -- The last step of 30 seconds whose code was used: no code is used twice.
  last_step    bigint not null default 0,
  removed_at   timestamptz,
  check ((secret is null) = (removed_at is not null))
);
create unique index totp_factors_in_force on totp_factors (person_id) where removed_at is null and confirmed_at is not null;
create unique index totp_factors_begun on totp_factors (person_id) where removed_at is null and confirmed_at is null;
create trigger totp_factors_kept before delete or truncate on totp_factors for each statement execute function forbid_change();

create table passkeys (
  id            uuid primary key,
  person_id     uuid not null references people (id),
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key    bytea not null,
  sign_count    bigint not null check (sign_count >= 0),
  transports    text[] not null default '{}',
  name          text not null check (char_length(name) between 1 and 64),
  created_at    timestamptz not null default now(),
  used_at       timestamptz,
  removed_at    timestamptz
);
create index passkeys_in_force on passkeys (person_id) where removed_at is null;
create trigger passkeys_kept before delete or truncate on passkeys for each statement execute function forbid_change();

-- Codes for a person who lost the other factors. A new set replaces the set before it.
create table recovery_codes (
  id         uuid primary key,
  person_id  uuid not null references people (id),
  code_hash  bytea not null check (octet_length(code_hash) = 32),
  created_at timestamptz not null default now(),
  ended_at   timestamptz
);
create index recovery_codes_open on recovery_codes (person_id) where ended_at is null;
create trigger recovery_codes_kept before delete or truncate on recovery_codes for each statement execute function forbid_change();

-- Token buckets of guesses, by login and by address. Names are folded into a fixed number of buckets by a keyed hash, so that the
-- table stays small whatever strangers send, and whether a login exists makes no difference.
create table sign_in_guesses (
  kind    text not null check (kind in ('login', 'address')),
  bucket  integer not null check (bucket between 0 and 65535),
  tokens  double precision not null,
  at      timestamptz not null,
  primary key (kind, bucket)
);
create trigger sign_in_guesses_kept before delete or truncate on sign_in_guesses for each statement execute function forbid_change();

-- Every change that a person or an operator made to settings and people. merchant_id is null for what concerns no one merchant.
create table audit_log (
  id           uuid primary key,
  merchant_id  uuid references merchants (id),
  at           timestamptz not null default now(),
  actor_kind   text not null check (actor_kind in ('person', 'operator')),
  actor_person uuid references people (id),
  actor        text not null check (char_length(actor) between 1 and 254),
  address      text check (char_length(address) <= 64),
  action       text not null check (action ~ '^[a-z_]+(\.[a-z_]+)*$' and char_length(action) <= 64),
  subject      text not null check (char_length(subject) <= 512),
  before       jsonb,
  after        jsonb,
  check ((actor_kind = 'person') = (actor_person is not null))
);
create index audit_log_by_merchant on audit_log (merchant_id, id);
create trigger audit_log_immutable before update or delete on audit_log for each row execute function forbid_change();
create trigger audit_log_kept before truncate on audit_log for each statement execute function forbid_change();

-- What an operator changes by the command line is written down by these triggers, in the same transaction, whichever code did it.
-- The command line says who acts by the setting tillgate.actor of its transactions; where it is not set nothing is written, and
-- the condition of the trigger is all that it costs. Arguments: the column that leads to the merchant, the columns that name the
-- row, and the columns whose values are not written down because they are secrets, or large.
create function audit_operator() returns trigger language plpgsql as $$
declare
  hidden   text[] := string_to_array(coalesce(tg_argv[2], ''), ',');
  was      jsonb := case when tg_op = 'UPDATE' then to_jsonb(old) else '{}' end;
  becomes  jsonb := to_jsonb(new);
  subject  text := (select string_agg(becomes ->> name, ' ') from unnest(string_to_array(tg_argv[1], ',')) as name);
  merchant uuid;
  before   jsonb;
  after    jsonb;
begin
  select jsonb_object_agg(key, case when key = any (hidden) then to_jsonb('[hidden]'::text) else value end) into after
    from jsonb_each(becomes) where value is distinct from was -> key;
  if after is null then return null; end if;
  if tg_op = 'UPDATE' then
    select jsonb_object_agg(key, case when key = any (hidden) then to_jsonb('[hidden]'::text) else was -> key end) into before
      from jsonb_each(after);
  end if;
  merchant := case tg_argv[0]
    when 'merchant' then (becomes ->> 'id')::uuid
    when 'merchant_id' then (becomes ->> 'merchant_id')::uuid
    when 'project_id' then (select merchant_id from projects where id = (becomes ->> 'project_id')::uuid)
    -- Of a pause, the name is a project's id in these kinds, and '' means all projects.
    when 'pause' then (select merchant_id from projects
                        where becomes ->> 'kind' in ('project', 'payouts') and replace(id::text, '-', '') = becomes ->> 'name')
    end;
  insert into audit_log (id, merchant_id, actor_kind, actor, action, subject, before, after)
  values (audit_id(), merchant, 'operator', current_setting('tillgate.actor'), tg_table_name || '.' || lower(tg_op),
          left(with_plain_ids(coalesce(subject, '')), 512), with_plain_ids(before::text)::jsonb, with_plain_ids(after::text)::jsonb);
  return null;
end $$;

-- Ids as the program writes them: without dashes.
create function with_plain_ids(words text) returns text language sql immutable as $$
  select regexp_replace(words, '\m([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})\M', '\1\2\3\4\5', 'g')
$$;

-- A UUIDv7, as the program makes its ids.
create function audit_id() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
           placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;

create trigger merchants_audited after insert or update on merchants for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('merchant', 'name');
create trigger projects_audited after insert or update on projects for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('merchant_id', 'id', 'logo');
create trigger project_methods_audited after insert or update on project_methods for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('project_id', 'project_id,direction,method,currency');
create trigger project_limits_audited after insert or update on project_limits for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('project_id', 'project_id,direction,currency');
create trigger project_routes_audited after insert or update on project_routes for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('project_id', 'project_id,direction,method');
create trigger pauses_audited after insert or update on pauses for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('pause', 'kind,name');
create trigger api_keys_audited after insert or update on api_keys for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('merchant_id', 'id', 'secret');
create trigger banks_audited after insert or update on banks for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('none', 'symbol', 'image');
create trigger callback_keys_audited after insert or update on callback_keys for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('project_id', 'id', 'secret');
create trigger disabled_callback_urls_audited after update on disabled_callback_urls for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('project_id', 'url');
create trigger receiving_accounts_audited after insert or update on receiving_accounts for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('none', 'code', 'holder,number,number_hash');
create trigger requisites_audited after insert or update on requisites for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('none', 'mask', 'value,value_hash');
create trigger payer_reveals_audited after insert on payer_reveals for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('none', 'line_id');
create trigger data_keys_audited after insert or update on data_keys for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('none', 'id', 'wrapped_key');
create trigger restores_audited after insert or update on restores for each row
  when (coalesce(current_setting('tillgate.actor', true), '') <> '') execute function audit_operator('none', 'id', 'report');
