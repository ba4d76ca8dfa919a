import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Transaction } from "../../store/db.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { HAND_PAYOUT_COLUMNS, IS_WAITING, type StoredHandPayout } from "./hand-payouts.ts";

/** A payout that is handed out to be paid. */
export type ExportablePayout = StoredHandPayout & Pick<PaymentKey, "requestId">;

/** One at a time, so that the second sees what the first has taken. */
export async function lockExports(tx: Transaction): Promise<void> {
  await tx.run({ text: "select pg_advisory_xact_lock(hashtext('tillgate_payout_exports'))" });
}

const TABLES = `hand_payouts h
             join attempts a on a.reference = h.reference and a.project_id = h.project_id
             join payments p on p.project_id = a.project_id and p.request_id = a.request_id
             left join receiving_accounts c on c.id = h.account_id`;

export type ExportWish = {
  readonly book: Book;
  readonly currency: Currency;
  readonly limit: number;
  /** References that are passed over. */
  readonly except: readonly string[];
};

/** Those that have not been exported yet, the oldest first, by the ids of their payments; those of projects whose payouts are paused wait. */
export function listExportable(tx: Transaction, wish: ExportWish): Promise<ExportablePayout[]> {
  return tx.run<ExportablePayout>({
    text: `select ${HAND_PAYOUT_COLUMNS}, p.request_id as "requestId"
             from ${TABLES}
             join projects j on j.id = h.project_id
            where ${IS_WAITING} and h.exported_at is null and j.book = $1 and h.currency = $2
              and h.reference <> all($4::text[])
              and not exists (select from pauses s
                               where s.kind = 'payouts' and s.ended_at is null
                                 and s.name = replace(h.project_id::text, '-', ''))
            order by p.request_id limit $3`,
    values: [wish.book, wish.currency, wish.limit, wish.except],
  });
}

export type ExportMark = {
  readonly exportId: Id;
  readonly accountId: Id;
  readonly actor: string;
  readonly references: readonly string[];
};

/** The payments are locked by the caller. Gives the references of those that still waited. */
export async function markExported(tx: Transaction, mark: ExportMark): Promise<ReadonlySet<string>> {
  const rows = await tx.run<{ reference: string }>({
    text: `update hand_payouts h
              set account_id = $2, exported_at = now(), exported_by = $3, export_id = $1
             from attempts a
             join payments p on p.project_id = a.project_id and p.request_id = a.request_id
            where h.reference = any($4::text[]) and a.reference = h.reference and a.project_id = h.project_id
              and ${IS_WAITING} and h.exported_at is null
           returning h.reference`,
    values: [mark.exportId, mark.accountId, mark.actor, mark.references],
  });
  return new Set(rows.map(({ reference }) => reference));
}

/** All of a former export, each with whether it still waits. */
export function listExport(
  tx: Transaction,
  exportId: Id,
): Promise<(ExportablePayout & { readonly waiting: boolean; readonly paused: boolean })[]> {
  return tx.run({
    text: `select ${HAND_PAYOUT_COLUMNS}, p.request_id as "requestId", ${IS_WAITING} as waiting,
                  exists (select from pauses s
                           where s.kind = 'payouts' and s.ended_at is null
                             and s.name = replace(h.project_id::text, '-', '')) as paused
             from ${TABLES}
            where h.export_id = $1 order by p.request_id`,
    values: [exportId],
  });
}
