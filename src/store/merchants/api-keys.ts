import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Place } from "../../platform/secrets.ts";
import type { KeyKind } from "../../platform/signing.ts";
import type { Transaction } from "../db.ts";
import { NO_PROJECT } from "./directory-version.ts";

/** A key that requests can be signed with. `secret` is sealed, and only HMAC keys have one. */
export type ApiKey = {
  readonly id: Id;
  readonly merchantId: Id;
  /** Null: for all projects of the merchant that are of the same book. */
  readonly projectId: Id | null;
  readonly book: Book;
  readonly kind: KeyKind;
  readonly token: string;
  readonly secret: Buffer | null;
  readonly label: string;
  readonly notBefore: Date;
  readonly notAfter: Date | null;
  readonly revokedAt: Date | null;
  readonly createdAt: Date;
};

/** A key as lists show it. */
export type ListedKey = Omit<ApiKey, "secret">;

export type NewApiKey = Omit<ApiKey, "revokedAt" | "createdAt">;

const LISTED_COLUMNS = `id, merchant_id as "merchantId", project_id as "projectId", book, kind, token, label,
  not_before as "notBefore", not_after as "notAfter", revoked_at as "revokedAt", created_at as "createdAt"`;
const COLUMNS = `${LISTED_COLUMNS}, secret`;

export function apiKeySecretPlace(id: Id): Place {
  return { table: "api_keys", column: "secret", row: id };
}

/** False when the token is registered already. */
export async function insertApiKey(tx: Transaction, key: NewApiKey): Promise<boolean> {
  const rows = await tx.run({
    text: `insert into api_keys (id, merchant_id, project_id, book, kind, token, secret, label, not_before, not_after)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
           on conflict (token) do nothing
           returning id`,
    values: [
      key.id,
      key.merchantId,
      key.projectId,
      key.book,
      key.kind,
      key.token,
      key.secret,
      key.label,
      key.notBefore,
      key.notAfter,
    ],
  });
  return rows.length === 1;
}

/** All of them, or those of the named projects; `NO_PROJECT` names those that are of none. */
export function listApiKeys(tx: Transaction, projectIds?: readonly Id[]): Promise<ApiKey[]> {
  return tx.run<ApiKey>({
    text: `select ${COLUMNS} from api_keys
            where $1::uuid[] is null or coalesce(project_id, '${NO_PROJECT}') = any($1) order by id`,
    values: [projectIds],
  });
}

export async function findApiKey(tx: Transaction, id: Id): Promise<ApiKey | undefined> {
  const rows = await tx.run<ApiKey>({ text: `select ${COLUMNS} from api_keys where id = $1`, values: [id] });
  return rows[0];
}

/** True when this call revoked it; false when it was revoked before. */
export async function revokeApiKey(tx: Transaction, id: Id): Promise<boolean> {
  const rows = await tx.run({
    text: "update api_keys set revoked_at = now() where id = $1 and revoked_at is null returning id",
    values: [id],
  });
  return rows.length === 1;
}

/** Those that work, or will: neither revoked nor over. The latest first. */
export function listKeysInForce(tx: Transaction, merchantId: Id, now: Date): Promise<ListedKey[]> {
  return tx.run<ListedKey>({
    text: `select ${LISTED_COLUMNS} from api_keys
            where merchant_id = $1 and revoked_at is null and (not_after is null or not_after > $2) order by id desc`,
    values: [merchantId, now],
  });
}

/** A page of those that are revoked or over, the latest first, below an id. */
export function listEndedKeys(
  tx: Transaction,
  page: { readonly merchantId: Id; readonly now: Date; readonly below: Id | undefined; readonly limit: number },
): Promise<ListedKey[]> {
  return tx.run<ListedKey>({
    text: `select ${LISTED_COLUMNS} from api_keys
            where merchant_id = $1 and (revoked_at is not null or not_after <= $2) and ($3::uuid is null or id < $3)
            order by id desc limit $4`,
    values: [page.merchantId, page.now, page.below ?? null, page.limit],
  });
}

export async function saveKeyEnd(tx: Transaction, id: Id, notAfter: Date): Promise<void> {
  await tx.run({ text: "update api_keys set not_after = $2 where id = $1", values: [id, notAfter] });
}
