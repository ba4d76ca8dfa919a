import type { Id } from "../../core/ids.ts";
import type { Database } from "../db.ts";
import { PAYMENT_COLUMNS, type StoredPayment } from "../payments/payments.ts";
import type { PaymentName } from "../payments/shown-payments.ts";

/** A payment with what the tester's desk shows of it besides. */
export type DeskPaymentRow = StoredPayment & {
  /** Of a card: what opens the page that leads the payer to the issuer, and the issuer's terms; both sealed. */
  readonly pageToken: Buffer | null;
  readonly challenge: Buffer | null;
  /** What opens the hosted page, sealed. */
  readonly token: Buffer | null;
};

const COLUMNS = `${PAYMENT_COLUMNS}, c.page_token as "pageToken", c.challenge, w.token`;
const JOINED = `left join card_payins c on c.project_id = p.project_id and c.request_id = p.request_id
                  and c.number = coalesce(p.choice_count, 1) and p.method = 'card-ecom'
                left join payer_pages w on w.project_id = p.project_id and w.request_id = p.request_id`;

export async function findDeskPayment(
  db: Pick<Database, "run">,
  { projectId, direction, paymentId }: PaymentName,
): Promise<DeskPaymentRow | undefined> {
  const rows = await db.run<DeskPaymentRow>({
    name: "find_desk_payment",
    text: `select ${COLUMNS} from payments p ${JOINED}
            where p.project_id = $1 and p.direction = $2 and p.payment_id = $3`,
    values: [projectId, direction, paymentId],
  });
  return rows[0];
}

/** So many of the newest are looked at: a project that tried a million payments is listed as fast as a new one. */
const LOOKED_AT_MAX = 1_000;

/** Those that are not over first, the newest first of each. */
export function listDeskPayments(
  db: Pick<Database, "run">,
  projectId: Id,
  countMax: number,
): Promise<DeskPaymentRow[]> {
  return db.run<DeskPaymentRow>({
    name: "list_desk_payments",
    text: `with newest as (
             select project_id, request_id, state in ('success', 'decline') as is_over from payments
              where project_id = $1 order by request_id desc limit ${LOOKED_AT_MAX}),
           chosen as (select * from newest order by is_over, request_id desc limit $2)
           select ${COLUMNS} from chosen n
             join payments p on p.project_id = n.project_id and p.request_id = n.request_id ${JOINED}
            order by n.is_over, n.request_id desc`,
    values: [projectId, countMax],
  });
}
