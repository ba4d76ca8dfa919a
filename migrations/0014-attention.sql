-- Who was shown what a bank says of the other side of a transfer, and why. The name itself stays sealed with the transfer.
create table payer_reveals (
  id          uuid primary key,
  transfer_id uuid not null references bank_transfers (id),
  reason      text not null check (char_length(reason) between 1 and 1000),
  actor       text not null check (char_length(actor) between 1 and 128),
  created_at  timestamptz not null default now()
);
create index payer_reveals_by_transfer on payer_reveals (transfer_id);
create trigger payer_reveals_immutable before update or delete on payer_reveals for each row execute function forbid_change();
create trigger payer_reveals_kept before truncate on payer_reveals for each statement execute function forbid_change();
