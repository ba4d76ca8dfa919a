-- Card pay-ins. The number, the holder's name, the expiry and the CVV are in no table: the process that took the card sends
-- it, and holds it in memory until then.
create table card_payins (
  project_id      uuid not null,
  request_id      uuid not null,
  -- On a hosted page the number of the payer's choice: each choice has a card of its own.
  number          smallint not null default 1 check (number >= 1),
  -- First six and last four digits: all that is ever shown.
  mask            text not null check (mask ~ '^[0-9]{6}\*+[0-9]{4}$'),
  brand           text not null check (char_length(brand) between 1 and 32),
  -- Sealed, and how it is found: what opens the payer's page of this payment.
  page_token      bytea not null,
  page_token_hash bytea not null,
  -- Sealed: where the payer goes on, as the provider said.
  challenge       bytea,
  -- The payer came through our page, so we send the browser on to the merchant.
  page_opened_at  timestamptz,
  primary key (project_id, request_id, number),
  foreign key (project_id, request_id) references payments (project_id, request_id)
);
create index card_payins_by_page on card_payins (page_token_hash);
create trigger card_payins_kept before delete or truncate on card_payins for each statement execute function forbid_change();

-- What a card is does not change.
create function keep_card() returns trigger language plpgsql as $$
begin
  if (new.project_id, new.request_id, new.number, new.mask, new.page_token, new.page_token_hash)
       is distinct from
     (old.project_id, old.request_id, old.number, old.mask, old.page_token, old.page_token_hash) then
    raise exception 'a payment keeps its card' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger card_payins_identity before update on card_payins for each row execute function keep_card();
