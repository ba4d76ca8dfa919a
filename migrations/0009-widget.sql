-- The hosted payment page: what opens it, and what a project's pages look like.

create table payer_pages (
  project_id uuid not null,
  request_id uuid not null,
  -- Sealed, and how it is found: whoever has it can open the page of this one payment.
  token      bytea not null,
  token_hash bytea not null,
  primary key (project_id, request_id),
  foreign key (project_id, request_id) references payments (project_id, request_id)
);
create index payer_pages_by_token on payer_pages (token_hash);
create trigger payer_pages_immutable before update or delete on payer_pages for each row execute function forbid_change();
create trigger payer_pages_kept before truncate on payer_pages for each statement execute function forbid_change();

alter table projects
  -- Whose pages may show ours in a frame.
  add column widget_origins text[] not null default '{}',
  add column accent         text check (accent ~ '^#[0-9a-f]{6}$'),
  add column logo           bytea check (octet_length(logo) <= 262144),
  add column logo_type      text check (logo_type in ('image/png', 'image/jpeg')),
  add constraint projects_logo_has_type check ((logo is null) = (logo_type is null));
