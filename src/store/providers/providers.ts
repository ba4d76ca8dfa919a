import type { Book } from "../../core/merchants/book.ts";
import type { ProviderKind } from "../../core/providers.ts";
import type { Transaction } from "../db.ts";

/** A provider that an operator configured. Its keys are in `provider-keys.ts`. */
export type ConfiguredProvider = {
  readonly code: string;
  readonly kind: ProviderKind;
  readonly book: Book;
  readonly baseUrl: string;
  /** What its kind needs besides; the kind's own code reads it. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly retiredAt: Date | null;
};

export type NewProvider = Omit<ConfiguredProvider, "createdAt" | "retiredAt">;

const COLUMNS = `code, kind, book, base_url as "baseUrl", settings, created_at as "createdAt", retired_at as "retiredAt"`;

/** All of them, those that were retired too: payments that they have are followed to their end. */
export function listConfiguredProviders(tx: Transaction): Promise<ConfiguredProvider[]> {
  return tx.run<ConfiguredProvider>({ text: `select ${COLUMNS} from providers order by code` });
}

export async function findConfiguredProvider(tx: Transaction, code: string): Promise<ConfiguredProvider | undefined> {
  const [row] = await tx.run<ConfiguredProvider>({
    text: `select ${COLUMNS} from providers where code = $1`,
    values: [code],
  });
  return row;
}

/** Every change of a provider or of its keys takes this lock, so that two changes come one after the other. */
export async function lockConfiguredProvider(tx: Transaction, code: string): Promise<ConfiguredProvider | undefined> {
  const [row] = await tx.run<ConfiguredProvider>({
    text: `select ${COLUMNS} from providers where code = $1 for update`,
    values: [code],
  });
  return row;
}

/** Undefined where there is one of this code, or was: a code is never used again. */
export async function insertProvider(tx: Transaction, provider: NewProvider): Promise<ConfiguredProvider | undefined> {
  const { code, kind, book, baseUrl, settings } = provider;
  const [row] = await tx.run<ConfiguredProvider>({
    text: `insert into providers (code, kind, book, base_url, settings) values ($1, $2, $3, $4, $5)
           on conflict (code) do nothing returning ${COLUMNS}`,
    values: [code, kind, book, baseUrl, JSON.stringify(settings)],
  });
  return row;
}

/** Payments that are not over, of which it was asked for one attempt at least. */
export async function countUndecided(tx: Transaction, code: string): Promise<number> {
  const [row] = await tx.run<{ count: number }>({
    text: `select count(distinct (p.project_id, p.request_id))::int as count
             from attempts a join payments p on p.project_id = a.project_id and p.request_id = a.request_id
            where a.provider = $1 and p.finished_at is null`,
    values: [code],
  });
  return row?.count ?? 0;
}

export async function updateProvider(
  tx: Transaction,
  { code, baseUrl, settings }: Pick<ConfiguredProvider, "code" | "baseUrl" | "settings">,
): Promise<void> {
  await tx.run({
    text: "update providers set base_url = $2, settings = $3 where code = $1",
    values: [code, baseUrl, JSON.stringify(settings)],
  });
}

export async function retireProviderRow(tx: Transaction, code: string): Promise<void> {
  await tx.run({ text: "update providers set retired_at = now() where code = $1", values: [code] });
}
