import type { Method } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import type { Database, Transaction } from "../db.ts";
import { PAYMENT_COLUMNS, type PaymentKey, type StoredPayment } from "../payments/payments.ts";

/** The queue of choices that are over, and of which a provider may still have something to say. */

export type ChoiceName = PaymentKey & { readonly number: number };

/** What is known of a choice that has ended, and that a provider has. */
export type EndedChoice = ChoiceName & {
  readonly method: Method;
  readonly provider: string;
  readonly reference: string;
  readonly endedAt: Date;
  readonly receivedAmount: Minor;
  readonly releasedAt: Date | null;
  readonly tries: number;
};

const COLUMNS = `c.project_id as "projectId", c.request_id as "requestId", c.number, c.method, c.provider, c.reference,
  c.ended_at as "endedAt", c.received_amount as "receivedAmount", c.released_at as "releasedAt", c.tries`;

/** With its payment as it is now. The end of the lease is what the claim is known by. */
export type ClaimedChoice = {
  readonly choice: EndedChoice;
  readonly payment: StoredPayment;
  readonly now: Date;
  readonly leaseUntil: Date;
};

export async function claimEndedChoices(
  db: Pick<Database, "run">,
  { countMax, leaseS }: { readonly countMax: number; readonly leaseS: number },
): Promise<ClaimedChoice[]> {
  const claimed = await db.run<EndedChoice & { now: Date; leaseUntil: Date }>({
    name: "claim_ended_choices",
    text: `with due as (
             select project_id, request_id, number from page_choices
              where due_at <= now() and (lease_until is null or lease_until < now())
              order by due_at limit $1
                for no key update skip locked)
           update page_choices c set hinted = false, lease_until = date_trunc('milliseconds', now() + make_interval(secs => $2))
             from due d
            where c.project_id = d.project_id and c.request_id = d.request_id and c.number = d.number
           returning ${COLUMNS}, now() as now, c.lease_until as "leaseUntil"`,
    values: [countMax, leaseS],
  });
  if (claimed.length === 0) return [];
  const payments = await db.run<StoredPayment>({
    name: "list_payments_of_choices",
    text: `select ${PAYMENT_COLUMNS} from payments p
            where (p.project_id, p.request_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    values: [claimed.map(({ projectId }) => projectId), claimed.map(({ requestId }) => requestId)],
  });
  const byId = new Map(payments.map((payment) => [payment.requestId, payment]));
  return claimed.flatMap(({ now, leaseUntil, ...choice }) => {
    const payment = byId.get(choice.requestId);
    return payment === undefined ? [] : [{ choice, payment, now, leaseUntil }];
  });
}

/** Renews leases that this process still has. Answers the new ends in their order; undefined: it was not renewed. */
export async function renewChoiceLeases(
  db: Pick<Database, "run">,
  leases: readonly (ChoiceName & { readonly leaseUntil: Date })[],
  leaseS: number,
): Promise<(Date | undefined)[]> {
  const rows = await db.run<{ place: number; leaseUntil: Date }>({
    name: "renew_choice_leases",
    text: `with held as (
             select l.place, c.project_id, c.request_id, c.number
               from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::timestamptz[]) with ordinality
                      as l (project_id, request_id, number, lease_until, place)
               join page_choices c on c.project_id = l.project_id and c.request_id = l.request_id
                                  and c.number = l.number and c.lease_until = l.lease_until
              order by c.project_id, c.request_id, c.number
                for no key update of c skip locked)
           update page_choices c set lease_until = date_trunc('milliseconds', now() + make_interval(secs => $5))
             from held h
            where c.project_id = h.project_id and c.request_id = h.request_id and c.number = h.number
           returning h.place::integer as place, c.lease_until as "leaseUntil"`,
    values: [
      leases.map(({ projectId }) => projectId),
      leases.map(({ requestId }) => requestId),
      leases.map(({ number }) => number),
      leases.map(({ leaseUntil }) => leaseUntil),
      leaseS,
    ],
  });
  const ends = new Map(rows.map(({ place, leaseUntil }) => [place, leaseUntil]));
  return leases.map((_, index) => ends.get(index + 1));
}

export type FinishedChoiceLook = ChoiceName & {
  readonly leaseUntil: Date;
  readonly dueAt: Date | null;
  readonly tries: number;
  readonly released: boolean;
};

/** Gives the lease back, unless another process has taken it over. News that came during the look keep the choice due. */
export async function finishChoiceLook(db: Pick<Database, "run">, look: FinishedChoiceLook): Promise<void> {
  await db.run({
    name: "finish_choice_look",
    text: `update page_choices
              set lease_until = null, tries = $5, released_at = coalesce(released_at, case when $6 then now() end),
                  due_at = case when hinted then now() else $7 end
            where project_id = $1 and request_id = $2 and number = $3 and lease_until = $4`,
    values: [look.projectId, look.requestId, look.number, look.leaseUntil, look.tries, look.released, look.dueAt],
  });
}

/** A provider has news of these choices: a worker looks at them as soon as one is free. */
export async function hintChoices(tx: Transaction, names: readonly ChoiceName[]): Promise<void> {
  await tx.run({
    name: "hint_choices",
    text: `with named as (
             select c.project_id, c.request_id, c.number
               from unnest($1::uuid[], $2::uuid[], $3::smallint[]) as n (project_id, request_id, number)
               join page_choices c on c.project_id = n.project_id and c.request_id = n.request_id and c.number = n.number
              where c.reference is not null
              order by c.project_id, c.request_id, c.number
                for no key update of c)
           update page_choices c set hinted = true, due_at = now()
             from named n
            where c.project_id = n.project_id and c.request_id = n.request_id and c.number = n.number`,
    values: [
      names.map(({ projectId }) => projectId),
      names.map(({ requestId }) => requestId),
      names.map(({ number }) => number),
    ],
  });
}

/** Its payment must be locked. */
export async function lockEndedChoice(
  tx: Transaction,
  { projectId, requestId, number }: ChoiceName,
): Promise<EndedChoice | undefined> {
  const rows = await tx.run<EndedChoice>({
    name: "lock_ended_choice",
    text: `select ${COLUMNS} from page_choices c
            where c.project_id = $1 and c.request_id = $2 and c.number = $3 and c.reference is not null
              for no key update`,
    values: [projectId, requestId, number],
  });
  return rows[0];
}

/** What came for it, or went back. A charge that came is due at once, because it has to go back. */
export async function saveEndedChoice(
  tx: Transaction,
  {
    projectId,
    requestId,
    number,
    receivedAmount,
    releasedAt,
  }: Pick<EndedChoice, keyof ChoiceName | "receivedAmount" | "releasedAt">,
): Promise<void> {
  await tx.run({
    name: "save_ended_choice",
    text: `update page_choices set received_amount = $4, released_at = coalesce(released_at, $5), hinted = true, due_at = now()
            where project_id = $1 and request_id = $2 and number = $3`,
    values: [projectId, requestId, number, receivedAmount, releasedAt],
  });
}

/** A provider took back what had come for an ended choice of the payment. */
export async function markContradicted(tx: Transaction, { projectId, requestId }: PaymentKey): Promise<void> {
  await tx.run({
    text: `update payments set contradicted_at = coalesce(contradicted_at, now()) where project_id = $1 and request_id = $2`,
    values: [projectId, requestId],
  });
}

/** A charge that came after its choice had ended is being given back: it may not leave suspense another way. */
export async function hasChargeToReverse(tx: Transaction, { projectId, requestId }: PaymentKey): Promise<boolean> {
  const rows = await tx.run({
    text: `select from page_choices
            where project_id = $1 and request_id = $2 and method = 'card-ecom' and received_amount > 0 and released_at is null`,
    values: [projectId, requestId],
  });
  return rows.length > 0;
}
