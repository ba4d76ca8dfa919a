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
