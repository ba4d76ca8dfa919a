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

const COLUMNS = `code, kind, book, base_url as "baseUrl", settings, created_at as "createdAt", retired_at as "retiredAt"`;

/** All of them, those that were retired too: payments that they have are followed to their end. */
export function listConfiguredProviders(tx: Transaction): Promise<ConfiguredProvider[]> {
  return tx.run<ConfiguredProvider>({ text: `select ${COLUMNS} from providers order by code` });
}
