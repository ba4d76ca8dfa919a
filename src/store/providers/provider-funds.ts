import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import type { Transaction } from "../db.ts";
import type { EarlierReversal } from "../ledger/reversals.ts";

/** Seen from our balance at the provider: a top-up comes in, a withdrawal goes out. */
type FundsDirection = "in" | "out";

/** Money that an operator moved between our balance at a provider and an account of ours. Never deleted. */
export type ProviderFunds = {
  /** The house's project of the provider's book. */
  readonly projectId: Id;
  readonly id: Id;
  readonly provider: string;
  readonly direction: FundsDirection;
  readonly currency: Currency;
  readonly amount: Minor;
  /** The way of the other side. */
  readonly through: string;
  readonly reference: string;
  readonly note: string | null;
  readonly actor: string;
};

const COLUMNS = 'project_id as "projectId", id, provider, direction, currency, amount, through, reference, note, actor';

/** False when the reference names other funds of this provider; then nothing was written. */
export async function insertProviderFunds(tx: Transaction, funds: ProviderFunds): Promise<boolean> {
  const rows = await tx.run({
    text: `insert into provider_funds (project_id, id, provider, direction, currency, amount, through, reference, note, actor)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
           on conflict (provider, reference) where reversed_at is null do nothing
           returning id`,
    values: [
      funds.projectId,
      funds.id,
      funds.provider,
      funds.direction,
      funds.currency,
      funds.amount,
      funds.through,
      funds.reference,
      funds.note,
      funds.actor,
    ],
  });
  return rows.length === 1;
}

/** The way of those in force, read before anything is locked. */
export async function findWayOfFunds(
  tx: Transaction,
  provider: string,
  reference: string,
): Promise<string | undefined> {
  const [row] = await tx.run<{ through: string }>({
    text: "select through from provider_funds where provider = $1 and reference = $2 and reversed_at is null",
    values: [provider, reference],
  });
  return row?.through;
}

/** Whose funds moved by a way under this reference. */
export async function findProviderOfFunds(
  tx: Transaction,
  through: string,
  reference: string,
): Promise<string | undefined> {
  const [row] = await tx.run<{ provider: string }>({
    text: "select provider from provider_funds where through = $1 and reference = $2 and reversed_at is null",
    values: [through, reference],
  });
  return row?.provider;
}

/** Those in force; the row is locked, so that of two that reverse it at once the second finds it reversed. */
export async function lockProviderFunds(
  tx: Transaction,
  provider: string,
  reference: string,
): Promise<ProviderFunds | undefined> {
  const rows = await tx.run<ProviderFunds>({
    text: `select ${COLUMNS} from provider_funds
            where provider = $1 and reference = $2 and reversed_at is null for update`,
    values: [provider, reference],
  });
  return rows[0];
}

export async function markFundsReversed(tx: Transaction, { projectId, id }: Pick<ProviderFunds, "projectId" | "id">) {
  await tx.run({
    text: "update provider_funds set reversed_at = now() where project_id = $1 and id = $2",
    values: [projectId, id],
  });
}

/** The last of the funds of a provider that were reversed under this reference. */
export async function findReversedFunds(
  tx: Transaction,
  provider: string,
  reference: string,
): Promise<EarlierReversal | undefined> {
  const rows = await tx.run<EarlierReversal>({
    text: `select r.actor, r.created_at as "createdAt"
             from provider_funds f join reversals r on r.project_id = f.project_id and r.entry_id = f.id
            where f.provider = $1 and f.reference = $2 and f.reversed_at is not null
            order by r.created_at desc limit 1`,
    values: [provider, reference],
  });
  return rows[0];
}

export type ListedFunds = ProviderFunds & { readonly createdAt: Date; readonly reversedAt: Date | null };

/** Operators write a few of them a week, so all are listed. */
export function listProviderFunds(tx: Transaction, provider: string): Promise<ListedFunds[]> {
  return tx.run<ListedFunds>({
    text: `select ${COLUMNS}, created_at as "createdAt", reversed_at as "reversedAt"
             from provider_funds where provider = $1 order by created_at, id`,
    values: [provider],
  });
}
