import type { Id } from "../../core/ids.ts";
import type { Place } from "../../platform/secrets.ts";
import type { Transaction } from "../db.ts";
import { NO_PROJECT } from "../merchants/directory-version.ts";

/** What a callback can be signed with: the service's RSA pair, or one of the two secrets of a project. */
export const CALLBACK_KEY_KINDS = ["rsa", "hmac", "webhook"] as const;
export type CallbackKeyKind = (typeof CALLBACK_KEY_KINDS)[number];

export type CallbackKey = {
  readonly id: Id;
  /** Null: the service's own. */
  readonly projectId: Id | null;
  readonly kind: CallbackKeyKind;
  /** Of an RSA pair: SPKI in base64url. */
  readonly publicKey: string | null;
  /** Sealed. */
  readonly secret: Buffer;
  readonly createdAt: Date;
  /** When the operator gave it the x-access-signature header. */
  readonly promotedAt: Date | null;
  /** From then on it no longer signs. */
  readonly retiresAt: Date | null;
};

export type NewCallbackKey = Omit<CallbackKey, "createdAt" | "promotedAt" | "retiresAt">;

const COLUMNS = `id, project_id as "projectId", kind, public_key as "publicKey", secret, created_at as "createdAt",
  promoted_at as "promotedAt", retires_at as "retiresAt"`;

export function callbackKeyPlace(id: Id): Place {
  return { table: "callback_keys", column: "secret", row: id };
}

/** Those that sign, oldest first: all, or those of the named projects; `NO_PROJECT` names the service's own. */
export function listCallbackKeys(tx: Transaction, projectIds?: readonly Id[]): Promise<CallbackKey[]> {
  return tx.run<CallbackKey>({
    text: `select ${COLUMNS} from callback_keys
            where (retires_at is null or retires_at > now())
              and ($1::uuid[] is null or coalesce(project_id, '${NO_PROJECT}') = any($1))
            order by created_at, id`,
    values: [projectIds],
  });
}

/** The newest one; while a key is replaced, that is the successor. */
export async function findCurrentCallbackKey(
  tx: Transaction,
  kind: CallbackKeyKind,
  projectId: Id | null,
): Promise<CallbackKey | undefined> {
  const rows = await tx.run<CallbackKey>({
    text: `select ${COLUMNS} from callback_keys
            where kind = $1 and project_id is not distinct from $2 and retires_at is null`,
    values: [kind, projectId],
  });
  return rows[0];
}

/** False when there is a current one already. */
export async function insertCallbackKey(tx: Transaction, key: NewCallbackKey): Promise<boolean> {
  const rows = await tx.run({
    text: `insert into callback_keys (id, project_id, kind, public_key, secret) values ($1, $2, $3, $4, $5)
           on conflict do nothing
           returning id`,
    values: [key.id, key.projectId, key.kind, key.publicKey, key.secret],
  });
  return rows.length === 1;
}

/** One rotation after another: two at once would each retire what the other made. Those who sign are not kept waiting. */
export async function lockCallbackKeys(tx: Transaction): Promise<void> {
  await tx.run({ text: "lock table callback_keys in share row exclusive mode" });
}

/** The present key signs for so much longer beside its successor, and no older one for longer than that. */
export async function retireCallbackKey(
  tx: Transaction,
  kind: CallbackKeyKind,
  projectId: Id | null,
  overlapS: number,
): Promise<void> {
  await tx.run({
    text: `update callback_keys set retires_at = now() + make_interval(secs => $3)
            where kind = $1 and project_id is not distinct from $2
              and (retires_at is null or retires_at > now() + make_interval(secs => $3))`,
    values: [kind, projectId, overlapS],
  });
}

/** The keys that were replaced, and still sign beside their successor, sign no more from now on. Answers how many there were. */
export async function endReplacedKeys(tx: Transaction, kind: CallbackKeyKind, projectId: Id): Promise<number> {
  const rows = await tx.run({
    text: `update callback_keys set retires_at = now()
            where kind = $1 and project_id = $2 and retires_at > now() returning id`,
    values: [kind, projectId],
  });
  return rows.length;
}

/** From now on it signs the x-access-signature header. False when it was promoted before. */
export async function promoteCallbackKey(tx: Transaction, id: Id): Promise<boolean> {
  const rows = await tx.run({
    text: "update callback_keys set promoted_at = now() where id = $1 and promoted_at is null returning id",
    values: [id],
  });
  return rows.length === 1;
}

/** A key that is about to retire while it still makes x-access-signature. */
export type UnpromotedKey = Pick<CallbackKey, "kind" | "projectId"> & { readonly retiresAt: Date };

/** Those that retire within so many seconds. A secret that its project does not sign with is of no interest. */
export function listUnpromotedKeys(tx: Transaction, withinS: number): Promise<UnpromotedKey[]> {
  return tx.run<UnpromotedKey>({
    text: `select old.kind, old.project_id as "projectId", min(old.retires_at) as "retiresAt"
             from callback_keys old
             join callback_keys successor
               on successor.kind = old.kind and successor.project_id is not distinct from old.project_id
              and successor.retires_at is null and successor.promoted_at is null
             left join projects on projects.id = old.project_id
            where old.kind in ('rsa', 'hmac') and old.retires_at > now()
              and old.retires_at <= now() + make_interval(secs => $1)
              and (old.kind = 'rsa' or projects.callback_signing = 'hmac')
            group by old.kind, old.project_id
            order by min(old.retires_at), old.project_id`,
    values: [withinS],
  });
}
