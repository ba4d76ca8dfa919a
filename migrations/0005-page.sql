-- The hosted payment page: what opens it. How a project's pages look is in projects.

create table payer_pages (
  project_id uuid not null,
  request_id uuid not null,
  -- Sealed, and how it is found: a browser that has it can open the page of this one payment.
  token      bytea not null,
  token_hash bytea not null,
  primary key (project_id, request_id),
  foreign key (project_id, request_id) references payments (project_id, request_id)
);
create index payer_pages_by_token on payer_pages (token_hash);
create trigger payer_pages_immutable before update or delete on payer_pages for each row execute function forbid_change();
create trigger payer_pages_kept before truncate on payer_pages for each statement execute function forbid_change();
