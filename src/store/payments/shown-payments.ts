import type { Id } from "../../core/ids.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import type { ShownChoice } from "../../core/page/payer-attempts.ts";
import type { ViewedPayment } from "../../core/payments/view.ts";
import type { Database } from "../db.ts";
import { CHOICES_JSON } from "../page/choices-json.ts";
import { type PaymentProduct, VIEWED_PAYMENT_COLUMNS } from "./payments.ts";

/** A payment by the merchant's own name for it. */
export type PaymentName = { readonly projectId: Id; readonly direction: Direction; readonly paymentId: string };

/** What an info call answers, with what is sealed of it. */
export type ShownPaymentRow = ViewedPayment & {
  readonly requestId: Id;
  readonly product: PaymentProduct;
  readonly requisites: Buffer | null;
  /** Of a card; null where there is none. */
  readonly mask: string | null;
  readonly brand: string | null;
  readonly pageToken: Buffer | null;
  readonly challenge: Buffer | null;
  /** What opens the hosted page; null where there is none. */
  readonly token: Buffer | null;
  /** What the payer of the hosted page chose; null before that, and where there is no page. */
  readonly choices: readonly ShownChoice[] | null;
};

/**
 * One statement for all of them, answered in their order; undefined where there is none. One look at an index for each: a
 * join would be planned for the few rows that a new table has, and kept when it has many.
 */
export async function listShownPayments(
  db: Pick<Database, "run">,
  names: readonly PaymentName[],
): Promise<(ShownPaymentRow | undefined)[]> {
  const rows = await db.run<ShownPaymentRow & { place: number }>({
    name: "list_shown_payments",
    text: `select n.place::integer as place, ${VIEWED_PAYMENT_COLUMNS}, p.product, p.requisites,
                  c.mask, c.brand, c.page_token as "pageToken", c.challenge, w.token,
                  ${CHOICES_JSON} as choices
             from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as n (project_id, direction, payment_id, place)
            cross join lateral (
              select * from payments p
               where p.project_id = n.project_id and p.direction = n.direction and p.payment_id = n.payment_id limit 1) p
             left join lateral (
              select * from card_payins c
               where p.product <> 'p2p' and p.method = 'card-ecom' and c.project_id = p.project_id
                 and c.request_id = p.request_id and c.number = coalesce(p.choice_count, 1) limit 1) c on true
             left join lateral (
              select * from payer_pages w
               where p.product = 'widget' and w.project_id = p.project_id and w.request_id = p.request_id limit 1) w on true`,
    values: [
      names.map((name) => name.projectId),
      names.map((name) => name.direction),
      names.map((name) => name.paymentId),
    ],
  });
  const found: (ShownPaymentRow | undefined)[] = names.map(() => undefined);
  for (const row of rows) found[row.place - 1] = row;
  return found;
}
