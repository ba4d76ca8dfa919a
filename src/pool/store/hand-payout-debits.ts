import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Minor } from "../../core/money.ts";
import type { Transaction } from "../../store/db.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import type { HandPayoutEnd } from "../core/hand-payout.ts";

/** Payouts by hand that a debit of a bank's statement may be; `place` counts the questions from one. */
export type DebitCandidate = PaymentKey & {
  readonly place: number;
  readonly reference: string;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly outcome: HandPayoutEnd | null;
};

const COLUMNS = `a.project_id as "projectId", a.request_id as "requestId", h.reference, h.currency, h.amount, h.outcome`;

/** Of the book, by the code that the bank was told. */
export function listPayoutsOfCodes(
  tx: Transaction,
  questions: readonly { readonly place: number; readonly code: string; readonly book: Book }[],
): Promise<DebitCandidate[]> {
  return tx.run<DebitCandidate>({
    name: "list_payouts_of_codes",
    text: `select q.place, ${COLUMNS}
             from unnest($1::integer[], $2::text[], $3::text[]) as q (place, code, book)
             join hand_payouts h on h.code = q.code
             join projects j on j.id = h.project_id and j.book = q.book
             join attempts a on a.reference = h.reference and a.project_id = h.project_id
            order by q.place, h.reference`,
    values: [questions.map(({ place }) => place), questions.map(({ code }) => code), questions.map(({ book }) => book)],
  });
}

export type SumQuestion = {
  readonly place: number;
  readonly accountId: Id;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly bookedTo: Date;
};

/** Those that were handed out for the account before the booking, and that may have left or leave yet. */
export function listPayoutsOfSums(tx: Transaction, questions: readonly SumQuestion[]): Promise<DebitCandidate[]> {
  return tx.run<DebitCandidate>({
    name: "list_payouts_of_sums",
    text: `select q.place, ${COLUMNS}
             from unnest($1::integer[], $2::uuid[], $3::text[], $4::bigint[], $5::timestamptz[])
                    as q (place, account_id, currency, amount, booked_to)
             join hand_payouts h on h.account_id = q.account_id and h.currency = q.currency and h.amount = q.amount
                                and h.exported_at <= q.booked_to
                                and (h.outcome is null or h.outcome in ('may_have_left', 'receiver_wrong'))
             join attempts a on a.reference = h.reference and a.project_id = h.project_id
             join payments p on p.project_id = a.project_id and p.request_id = a.request_id
                            and p.finished_at is null
            order by q.place, h.reference`,
    values: [
      questions.map(({ place }) => place),
      questions.map(({ accountId }) => accountId),
      questions.map(({ currency }) => currency),
      questions.map(({ amount }) => amount),
      questions.map(({ bookedTo }) => bookedTo),
    ],
  });
}
