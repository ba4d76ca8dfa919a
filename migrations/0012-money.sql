-- What a provider says of a payment after an operator ended it, and what operators vouch for with a bank's reference.

alter table payments
  -- An operator ended it without the provider's word: how. The provider is asked until it says for certain what it did.
  add column unproven_end text check (unproven_end in ('elsewhere', 'through_provider', 'declined')),
  -- The provider contradicted a payment's end: alerted once.
  add column contradicted_at timestamptz;
create index payments_contradicted on payments (contradicted_at) where contradicted_at is not null;

-- conflict: the provider has another order under this reference, as after a restore of an older backup.
alter table attempts drop constraint attempts_outcome_check;
alter table attempts add constraint attempts_outcome_check check (outcome in ('open', 'taken', 'refused', 'conflict'));

-- One order has one reference: it is made of the project, the direction, the merchant's payment_id and the attempt.
create unique index attempts_reference_once on attempts (project_id, reference);

-- Payments that operators ended before: their providers are asked too. A payout's capture says which way it left; a
-- pay-in that was settled for money which had been seen needs no proof, and its receipt names the provider or 'manual'.
update payments p
   set unproven_end = case
         when p.state = 'decline' then 'declined'
         when p.direction = 'payout' and exists (
                select from transfers t where t.project_id = p.project_id and t.subject_id = p.request_id
                   and t.kind = 'capture' and t.to_account = 'clearing:' || p.provider) then 'through_provider'
         when p.direction = 'payin' and exists (
                select from receipts r where r.project_id = p.project_id and r.request_id = p.request_id
                   and r.provider = p.provider) then 'through_provider'
         else 'elsewhere' end,
       due_at = coalesce(p.due_at, now())
 where p.state in ('success', 'decline') and p.reference is not null
   and exists (select from payment_history h
                where h.project_id = p.project_id and h.request_id = p.request_id and h.from_state <> h.to_state
                  and h.event in ('operator_settled', 'operator_declined'))
   and (p.direction = 'payout' or p.state = 'decline'
        or (select count(*) from receipts r where r.project_id = p.project_id and r.request_id = p.request_id) = 1);

-- What operators vouched for with a bank's reference, by whatever command. One reference names one movement of money of a
-- book: the bank made it once, whichever project, command or way it is booked by. The row is the book's, not a project's.
create table operator_references (
  id         uuid primary key default gen_random_uuid(),
  book       text not null check (book in ('test', 'live')),
  reference  text not null check (char_length(reference) between 1 and 255),
  command    text not null check (char_length(command) between 1 and 32),
  -- Null: it names a line of a receiving account, and that line says whose the money is.
  project_id uuid references projects (id),
  -- The payment, the adjustment or the receiving account that money moved for.
  subject_id uuid not null,
  created_at timestamptz not null default now(),
  -- The entry was reversed: the reference may name the right one.
  freed_at   timestamptz
);
create unique index operator_references_in_force on operator_references (book, reference) where freed_at is null;

create function keep_operator_reference() returns trigger language plpgsql as $$
begin
  if old.freed_at is not null or to_jsonb(new) - 'freed_at' <> to_jsonb(old) - 'freed_at' then
    raise exception 'a reference is freed once, and otherwise stays as it was given' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger operator_references_identity before update on operator_references for each row execute function keep_operator_reference();
create trigger operator_references_kept before delete or truncate on operator_references for each statement execute function forbid_change();

-- What they vouched for before. Of several movements under one reference the first keeps it.
insert into operator_references (book, reference, command, project_id, subject_id, created_at)
select distinct on (j.book, v.reference) j.book, v.reference, v.command, v.project_id, v.subject_id, v.created_at
  from (select project_id, reference, 'balance ' || direction as command, id as subject_id, created_at from adjustments
        union all
        select project_id, reference, case kind when 'return' then 'suspense return' else 'suspense assign' end, request_id, created_at
          from suspense_moves
        union all
        select project_id, transfer_reference, 'payment settle', request_id, created_at from receipts where provider = 'manual') v
  join projects j on j.id = v.project_id
 order by j.book, v.reference, v.created_at, v.command
on conflict do nothing;
