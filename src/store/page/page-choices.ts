import type { Id } from "../../core/ids.ts";
import type { Method } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import type { Database, Transaction } from "../db.ts";
import type { PaymentKey } from "../payments/payments.ts";

/** What the payer of a hosted page chose: the payment's method from then on, and a line of `page_choices`. */
export type NewChoice = PaymentKey & {
  /** Counted from 1. */
  readonly number: number;
  readonly method: Method;
  readonly feeBp: number;
  readonly feeFixed: Minor;
  readonly expiresAt: Date;
  readonly bank: string | null;
  readonly mask: string | null;
  readonly brand: string | null;
};

/** The payments must be locked, and saved by an earlier statement. */
export async function insertChoices(tx: Transaction, choices: readonly NewChoice[]): Promise<void> {
  await tx.run({
    name: "insert_choices",
    text: `with c as (
             select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::bigint[], $6::timestamptz[], $7::text[],
                                  $8::smallint[], $9::text[], $10::text[])
               as c (project_id, request_id, method, fee_bp, fee_fixed, expires_at, bank, number, mask, brand)),
           chosen as (
             update payments p
                set method = c.method, fee_bp = c.fee_bp, fee_fixed = c.fee_fixed, expires_at = c.expires_at,
                    choice_count = c.number,
                    request = case when c.bank is null then p.request - 'sender'
                                   else p.request || jsonb_build_object('sender', jsonb_build_object('bank', c.bank)) end
               from c where p.project_id = c.project_id and p.request_id = c.request_id
             returning p.project_id, p.request_id, p.attempt_count)
           insert into page_choices (project_id, request_id, number, method, bank, mask, brand, fee_bp, fee_fixed, attempts_before)
           select c.project_id, c.request_id, c.number, c.method, c.bank, c.mask, c.brand, c.fee_bp, c.fee_fixed, p.attempt_count
             from c join chosen p on p.project_id = c.project_id and p.request_id = c.request_id`,
    values: [
      choices.map((choice) => choice.projectId),
      choices.map((choice) => choice.requestId),
      choices.map((choice) => choice.method),
      choices.map((choice) => choice.feeBp),
      choices.map((choice) => choice.feeFixed),
      choices.map((choice) => choice.expiresAt),
      choices.map((choice) => choice.bank),
      choices.map((choice) => choice.number),
      choices.map((choice) => choice.mask),
      choices.map((choice) => choice.brand),
    ],
  });
}

/** A choice that is certainly over, after which the payer may choose again. */
export type ChoiceEnd = PaymentKey & {
  readonly number: number;
  readonly declineCode: string;
  /** Who had it, and under which reference; null: no provider was asked. */
  readonly provider: string | null;
  readonly reference: string | null;
  /** When a worker must look at it; null: never, since no provider has it. */
  readonly dueAt: Date | null;
};

/** The payments must be locked, and saved by an earlier statement. They have no method until the payer chooses again. */
export async function endChoices(tx: Transaction, ends: readonly ChoiceEnd[]): Promise<void> {
  await tx.run({
    name: "end_choices",
    text: `with e as (
             select * from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
               as e (project_id, request_id, number, decline_code, provider, reference, due_at)),
           undecided as (
             update payments p set method = null, fee_bp = null, fee_fixed = null
               from e where p.project_id = e.project_id and p.request_id = e.request_id)
           update page_choices c
              set ended_at = now(), decline_code = e.decline_code, provider = e.provider, reference = e.reference,
                  due_at = e.due_at
             from e
            where c.project_id = e.project_id and c.request_id = e.request_id and c.number = e.number`,
    values: [
      ends.map((end) => end.projectId),
      ends.map((end) => end.requestId),
      ends.map((end) => end.number),
      ends.map((end) => end.declineCode),
      ends.map((end) => end.provider),
      ends.map((end) => end.reference),
      ends.map((end) => end.dueAt),
    ],
  });
}

/** One choice of the payer, as people who look after the payment may see it. */
export type PageChoice = {
  readonly number: number;
  readonly method: Method;
  readonly bank: string | null;
  readonly mask: string | null;
  readonly brand: string | null;
  readonly chosenAt: Date;
  /** Null: it is the present one. The last one ends with its payment. */
  readonly endedAt: Date | null;
  /** Why it came to nothing; null where it is the present one, and where it succeeded. */
  readonly declineCode: string | null;
  /** Money that came for it after it had ended: see the payment's suspense. */
  readonly receivedAmount: Minor;
};

/** In their order. */
export function listPageChoices(
  db: Pick<Database, "run">,
  { projectId, requestId }: PaymentKey,
): Promise<PageChoice[]> {
  return db.run<PageChoice>({
    name: "list_page_choices",
    text: `select c.number, c.method, c.bank, c.mask, c.brand, c.chosen_at as "chosenAt",
                  coalesce(c.ended_at, p.finished_at) as "endedAt", coalesce(c.decline_code, p.decline_code) as "declineCode",
                  c.received_amount as "receivedAmount"
             from page_choices c join payments p on p.project_id = c.project_id and p.request_id = c.request_id
            where c.project_id = $1 and c.request_id = $2 order by c.number`,
    values: [projectId, requestId],
  });
}

/** The last choice that ended before its payment. */
export async function findLastEnded(
  db: Pick<Database, "run">,
  { projectId, requestId }: PaymentKey,
): Promise<{ readonly method: Method; readonly declineCode: string } | undefined> {
  const rows = await db.run<{ method: Method; declineCode: string }>({
    name: "find_last_ended_choice",
    text: `select method, decline_code as "declineCode" from page_choices
            where project_id = $1 and request_id = $2 and ended_at is not null order by number desc limit 1`,
    values: [projectId, requestId],
  });
  return rows[0];
}

/** How many providers had been asked when the payer made the present choice. */
export async function countEarlierAttempts(db: Pick<Database, "run">, projectId: Id, requestId: Id): Promise<number> {
  const rows = await db.run<{ count: number }>({
    name: "count_earlier_attempts",
    text: `select attempts_before as count from page_choices
            where project_id = $1 and request_id = $2 order by number desc limit 1`,
    values: [projectId, requestId],
  });
  return rows[0]?.count ?? 0;
}
