import { createHash } from "node:crypto";
import type { SandboxDatabase } from "../database.ts";
import type { PayinRequestBody } from "../wire.ts";
import type { PayinRow } from "./payin-answer.ts";

/** Where `expires_at` is left out: the clock of a project can be moved between a request and its repetition. */
export function hashPayin(body: PayinRequestBody): string {
  const { reference, project_id, method, amount, currency, bank } = body;
  return hashOf([reference, project_id, method, amount, currency, bank?.symbol ?? null, bank?.required ?? null]);
}

export function hashOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** A new request, by the names of its columns. */
export type NewPayin = {
  readonly reference: string;
  readonly project_id: string;
  readonly request_hash: string;
  readonly method: string;
  readonly currency: string;
  readonly amount: number;
  readonly status: "active" | "no_requisites";
  readonly requisite_type: string | undefined;
  readonly requisite_value: string | undefined;
  readonly holder: string | null | undefined;
  readonly bank: string | null | undefined;
  readonly bank_name: string | null | undefined;
  readonly link_token: string | undefined;
  readonly arrives_on: string;
  readonly arrives_after_s: number;
  readonly arrives_amount: number;
  readonly expires_at: string;
};

/** What the answer shows of a request, without its transfers. */
const SHOWN = `p.reference, p.request_hash, p.status, p.amount, p.currency, p.confirmed_at is not null as confirmed,
  p.expires_at, p.requisite_type, p.requisite_value, p.holder, p.bank, p.bank_name`;

const TRANSFERS = `
  coalesce((
    select json_agg(json_strip_nulls(json_build_object(
      'id', 'tr-' || e.id, 'amount', e.amount, 'received_at', sandbox.iso(e.booked_at),
      'reversed', (select true from sandbox.book_entries b
                    where b.reference = e.reference and b.direction = 'left' and b.cause = 'taken back ' || e.id))) order by e.id)
    from sandbox.book_entries e
    where e.reference = p.reference and e.direction = 'arrived' and e.cause not in ('charge', 'return')), '[]') as transfers`;

/** Answers those that were made: not where the reference is taken, or the requisite is lent for the same amount. */
export async function insertPayins(db: SandboxDatabase, payins: readonly NewPayin[]): Promise<readonly PayinRow[]> {
  const rows = await db.run<Omit<PayinRow, "transfers">>(INSERT_PAYINS, [JSON.stringify(payins)]);
  return rows.map((row) => ({ ...row, transfers: [] }));
}

const PAYIN_COLUMNS = `reference, project_id, request_hash, method, currency, amount, status, requisite_type, requisite_value,
  holder, bank, bank_name, link_token, arrives_on, arrives_after_s, arrives_amount, expires_at`;

const INSERT_PAYINS = `
with p as (
  insert into sandbox.payins (${PAYIN_COLUMNS})
  select ${PAYIN_COLUMNS} from json_populate_recordset(null::sandbox.payins, $1::json) order by reference
  on conflict do nothing
  returning *
), expected as (
  insert into sandbox.expected_money (reference, project_id, cause, amount, due_at)
  select reference, project_id, arrives_on, arrives_amount,
    case arrives_on when 'requisites' then now() else expires_at end + arrives_after_s * interval '1 second'
  from p where arrives_on in ('requisites', 'expiry')
)
select ${SHOWN} from p`;

export function findPayins(db: SandboxDatabase, references: readonly string[]): Promise<readonly PayinRow[]> {
  return db.run<PayinRow>(`select ${SHOWN}, ${TRANSFERS} from sandbox.payins p where p.reference = any($1)`, [
    references,
  ]);
}

/** Only the first report counts. It counts after a release too: the payer did send the money. */
export function confirmPayins(db: SandboxDatabase, references: readonly string[]): Promise<readonly PayinRow[]> {
  return db.run<PayinRow>(
    changePayins("confirmed_at = now()", "confirmed_at is null and status <> 'no_requisites'", "confirm"),
    [references],
  );
}

/** A request that was cancelled stays so, but its payer may still send what the scenario says. */
export function releasePayins(db: SandboxDatabase, references: readonly string[]): Promise<readonly PayinRow[]> {
  return db.run<PayinRow>(
    changePayins(
      "closed_at = now(), status = case status when 'active' then 'closed' else status end",
      "closed_at is null and status <> 'no_requisites'",
      "release",
    ),
    [references],
  );
}

/** Changes the orders that may change, sets the money on its way that waited for it, and shows all that were asked for. */
function changePayins(change: string, condition: string, cause: "confirm" | "release"): string {
  return `
    with changed as (
      update sandbox.payins set ${change} where reference = any($1) and ${condition}
      returning *
    ), expected as (
      insert into sandbox.expected_money (reference, project_id, cause, amount, due_at)
      select reference, project_id, arrives_on, arrives_amount, now() + arrives_after_s * interval '1 second'
      from changed where arrives_on = '${cause}'
    ), p as (
      select * from changed
      union all
      select * from sandbox.payins where reference = any($1) and reference not in (select reference from changed)
    )
    select ${SHOWN}, ${TRANSFERS} from p`;
}

/** The provider takes its requisites back on its own. */
export async function cancelPayin(db: SandboxDatabase, reference: string): Promise<void> {
  await db.run("update sandbox.payins set status = 'cancelled' where reference = $1 and status = 'active'", [
    reference,
  ]);
}

/**
 * From now on a tester decides what happens: the amount no longer does, and money that is on its way does not come. Two
 * statements: the first waits for a confirm that is being written, and only a later one sees the money that it set on its way.
 */
export async function takePayinOver(db: SandboxDatabase, reference: string): Promise<void> {
  await db.run("update sandbox.payins set arrives_on = 'never' where reference = $1", [reference]);
  await db.run("delete from sandbox.expected_money where reference = $1", [reference]);
}

/** A tester sends money for the request, whatever its state; a request without requisites cannot get any. */
export async function sendMoney(db: SandboxDatabase, reference: string, amount: number): Promise<void> {
  await db.run(
    `insert into sandbox.book_entries (direction, reference, project_id, currency, amount, cause)
     select 'arrived', reference, project_id, currency, $2, 'tester'
     from sandbox.payins where reference = $1 and status <> 'no_requisites'`,
    [reference, amount],
  );
}

/** The provider takes the last money of a request back, as a bank does after a report of fraud. */
export async function takeMoneyBack(db: SandboxDatabase, reference: string): Promise<void> {
  await db.run(
    `insert into sandbox.book_entries (direction, reference, project_id, currency, amount, cause)
     select 'left', e.reference, e.project_id, e.currency, e.amount, 'taken back ' || e.id
     from sandbox.book_entries e
     where e.reference = $1 and e.direction = 'arrived' and e.cause not in ('charge', 'return')
     order by e.id desc limit 1
     on conflict do nothing`,
    [reference],
  );
}
