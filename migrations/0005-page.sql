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

-- Each time that the payer chose how to pay. A choice that is certainly over, and after which the payer may choose again, ends here;
-- the last one ends with its payment. An ended choice is watched like a declined payment: money that still comes for it
-- is counted once, stands in suspense, and a charge goes back to its card.
create table page_choices (
  project_id      uuid not null,
  request_id      uuid not null,
  number          smallint not null check (number between 1 and 10),
  method          text not null check (char_length(method) between 1 and 32),
  bank            text check (char_length(bank) between 1 and 64),
  mask            text check (mask ~ '^[0-9]{6}\*+[0-9]{4}$'),
  brand           text check (char_length(brand) between 1 and 32),
  fee_bp          integer not null check (fee_bp between 0 and 10000),
  fee_fixed       bigint not null check (fee_fixed >= 0),
  -- How many providers were asked for the payment before: the attempts with higher numbers belong to this choice, or to a later one.
  attempts_before integer not null check (attempts_before >= 0),
  chosen_at       timestamptz not null default now(),
  ended_at        timestamptz,
  decline_code    text,
  -- Which provider had it when it ended, and under which reference; null: none was asked.
  provider        text,
  reference       text,
  -- All that came for it after it had ended, wherever that money stands. It is no part of payments.received_amount.
  received_amount bigint not null default 0 check (received_amount >= 0),
  -- The provider knows that it is over, or gave back what came too late.
  released_at     timestamptz,
  -- The queue, as of payments.
  due_at          timestamptz,
  lease_until     timestamptz,
  tries           integer not null default 0,
  hinted          boolean not null default false,
  primary key (project_id, request_id, number),
  foreign key (project_id, request_id) references payments (project_id, request_id),
  check ((ended_at is null) = (decline_code is null)),
  check ((provider is null) = (reference is null)),
  check (ended_at is not null or num_nonnulls(reference, released_at, due_at, lease_until) = 0),
  check (received_amount = 0 or reference is not null)
);
create index page_choices_due on page_choices (due_at) where due_at is not null;
create trigger page_choices_kept before delete or truncate on page_choices for each statement execute function forbid_change();

-- A choice is written once and ends once; what came for it is never forgotten.
create function keep_choice() returns trigger language plpgsql as $$
begin
  if (new.project_id, new.request_id, new.number, new.method, new.bank, new.mask, new.brand, new.fee_bp, new.fee_fixed,
      new.attempts_before, new.chosen_at)
       is distinct from
     (old.project_id, old.request_id, old.number, old.method, old.bank, old.mask, old.brand, old.fee_bp, old.fee_fixed,
      old.attempts_before, old.chosen_at)
     or old.ended_at is not null and (new.ended_at, new.decline_code, new.provider, new.reference)
          is distinct from (old.ended_at, old.decline_code, old.provider, old.reference)
     or new.received_amount < old.received_amount
     or old.released_at is not null and new.released_at is distinct from old.released_at then
    raise exception 'a choice is written once and ends once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger page_choices_identity before update on page_choices for each row execute function keep_choice();
