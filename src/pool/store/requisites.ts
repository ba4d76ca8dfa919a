import type { Id } from "../../core/ids.ts";
import type { Method } from "../../core/merchants/methods.ts";
import type { Database, Transaction } from "../../store/db.ts";
import type { RequisiteType } from "../core/requisite-value.ts";

export type Requisite = {
  readonly id: Id;
  readonly accountId: Id;
  readonly type: RequisiteType;
  /** Sealed, bound to this row. */
  readonly value: Buffer;
  readonly valueHash: Buffer;
  readonly mask: string;
  readonly methods: readonly Method[];
};

export type StoredRequisite = Requisite & {
  readonly enabled: boolean;
  readonly fault: string | null;
  readonly lastLentAt: Date | null;
  readonly createdAt: Date;
};

const COLUMNS = `r.id, r.account_id as "accountId", r.type, r.value, r.value_hash as "valueHash", r.mask, r.methods, r.enabled,
  r.fault, r.last_lent_at as "lastLentAt", r.created_at as "createdAt"`;

/** False when the account has it already. */
export async function insertRequisite(tx: Transaction, requisite: Requisite): Promise<boolean> {
  const rows = await tx.run({
    text: `insert into requisites (id, account_id, type, value, value_hash, mask, methods) values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (type, value_hash, account_id) do nothing
           returning id`,
    values: [
      requisite.id,
      requisite.accountId,
      requisite.type,
      requisite.value,
      requisite.valueHash,
      requisite.mask,
      requisite.methods,
    ],
  });
  return rows.length === 1;
}

/** The one that an account has of this value, by its hash. */
export async function lockEqualRequisite(
  tx: Transaction,
  { type, valueHash, accountId }: Pick<Requisite, "type" | "valueHash" | "accountId">,
): Promise<StoredRequisite | undefined> {
  const rows = await tx.run<StoredRequisite>({
    text: `select ${COLUMNS} from requisites r where r.type = $1 and r.value_hash = $2 and r.account_id = $3 for no key update`,
    values: [type, valueHash, accountId],
  });
  return rows[0];
}

/** One at a time, so that two accounts are not given the same requisite at once. */
export async function lockRequisiteValues(tx: Transaction): Promise<void> {
  await tx.run({ text: "select pg_advisory_xact_lock(hashtext('tillgate_requisites'))" });
}

/**
 * Whether another account that payers could be shown in the same book and currency has this very requisite. Then a sum
 * would be promised to two payers. The same phone at two banks is two requisites: a payer names the bank too.
 */
export async function isOnAnotherAccount(
  tx: Transaction,
  { type, valueHash, accountId }: Pick<Requisite, "type" | "valueHash" | "accountId">,
): Promise<boolean> {
  const rows = await tx.run({
    text: `select from requisites r
             join receiving_accounts a on a.id = r.account_id
             join receiving_accounts own on own.id = $3 and own.book = a.book and own.currency = a.currency
            where r.value_hash = $2 and r.type = $1 and r.enabled and a.id <> own.id
              and (r.type <> 'phone' or a.bank = own.bank)
            limit 1`,
    values: [type, valueHash, accountId],
  });
  return rows.length > 0;
}

/** Puts what was spoiled right again, and switches it on. */
export async function restoreRequisite(tx: Transaction, requisite: Requisite): Promise<void> {
  await tx.run({
    text: "update requisites set value = $2, mask = $3, methods = $4, enabled = true, fault = null where id = $1",
    values: [requisite.id, requisite.value, requisite.mask, requisite.methods],
  });
}

export function listRequisites(db: Pick<Database, "run">, accountId: Id): Promise<StoredRequisite[]> {
  return db.run<StoredRequisite>({
    text: `select ${COLUMNS} from requisites r where r.account_id = $1 order by r.id`,
    values: [accountId],
  });
}

export async function findRequisite(db: Pick<Database, "run">, id: Id): Promise<StoredRequisite | undefined> {
  const rows = await db.run<StoredRequisite>({
    text: `select ${COLUMNS} from requisites r where r.id = $1`,
    values: [id],
  });
  return rows[0];
}

/** A fault says why it is off when no operator switched it off. */
export async function switchRequisite(
  tx: Pick<Database, "run">,
  id: Id,
  { enabled, fault }: { readonly enabled: boolean; readonly fault: string | null },
): Promise<boolean> {
  const rows = await tx.run({
    text: "update requisites set enabled = $2, fault = $3 where id = $1 returning id",
    values: [id, enabled, fault],
  });
  return rows.length === 1;
}
