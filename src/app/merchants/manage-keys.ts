import type { Id } from "../../core/ids.ts";
import { keyState, keysAtWork, projectsThatNeed } from "../../core/merchants/api-key-rules.ts";
import type { Book } from "../../core/merchants/book.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import type { Actor } from "../../core/people/actor.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database, Transaction } from "../../store/db.ts";
import {
  findApiKey,
  type ListedKey,
  listKeysInForce,
  type NewApiKey,
  revokeApiKey,
  saveKeyEnd,
} from "../../store/merchants/api-keys.ts";
import { skipKeyNotices } from "../../store/merchants/key-notices.ts";
import { lockMerchant } from "../../store/merchants/merchants.ts";
import { findProject, listProjectsOfMerchant } from "../../store/merchants/projects.ts";
import { audit } from "../people/audit.ts";
import { type KeyFault, type KeyMaterial, newHmacMaterial, readRsaMaterial, registerKey } from "./api-keys.ts";
import { KEY_NOTICE_DAYS } from "./key-notices.ts";

/** What a merchant's people do with its API keys. Running services know of it at once: triggers of the tables tell them. */

/** Every process holds all keys in memory, so a merchant cannot make as many as it likes. */
const KEYS_OF_SCOPE_MAX = 20;
const MS_PER_S = 1000;
const MS_PER_DAY = 86_400_000;

export type KeyChange = { readonly merchantId: Id; readonly actor: Actor; readonly nowMs: number };

/** Whose requests it signs: one project's, or those of all projects of a book. */
export type KeyReach = { readonly projectId: Id } | { readonly projectId: null; readonly book: Book };

export type KeyWish = {
  readonly label: string;
  /** From now on; null: until it is revoked. */
  readonly validDays: number | null;
  readonly source: { readonly kind: "rsa"; readonly publicKeyPem: string } | { readonly kind: "hmac" };
};

export type MadeKey = {
  readonly id: Id;
  readonly token: string;
  readonly kind: "rsa" | "hmac";
  /** Shown once. Of an RSA key we have no secret. */
  readonly secret: Secret<string> | undefined;
};

type KeyDeps = { readonly db: Database; readonly keyring: Keyring };

export async function addKey(
  { db, keyring }: KeyDeps,
  change: KeyChange,
  { reach, ...wish }: KeyWish & { readonly reach: KeyReach },
): Promise<Result<MadeKey, AccountFault>> {
  const prepared = prepare(keyring, wish);
  if (!prepared.ok) return prepared;
  return db.transaction(async (tx) => {
    await lockMerchant(tx, change.merchantId);
    const scope = await scopeOf(tx, change.merchantId, reach);
    return scope === undefined ? fail(NO_PROJECT) : insertKey(tx, change, { ...wish, ...scope }, prepared.value);
  });
}

/** A new key for the same projects; the old one works for so long still, unless its end was nearer. */
export async function replaceKey(
  { db, keyring }: KeyDeps,
  change: KeyChange,
  { keyId, overlapS, ...wish }: KeyWish & { readonly keyId: Id; readonly overlapS: number },
): Promise<Result<MadeKey, AccountFault>> {
  const prepared = prepare(keyring, wish);
  if (!prepared.ok) return prepared;
  return inKeys(db, change, keyId, async (tx, key) => {
    if (keyState(key, change.nowMs) !== "active")
      return fail(accountFault("wrong_state", "only a key that works now can be replaced"));
    const { projectId, book } = key;
    const made = await insertKey(tx, change, { ...wish, projectId, book }, prepared.value);
    if (!made.ok) return made;
    const notAfter = new Date(Math.min(change.nowMs + overlapS * MS_PER_S, key.notAfter?.getTime() ?? Infinity));
    await saveKeyEnd(tx, keyId, notAfter);
    await skipKeyNotices(tx, { keyId, notAfter, now: new Date(change.nowMs), daysBefore: KEY_NOTICE_DAYS });
    await auditKey(tx, change, {
      ...{ action: "keys.replace", key },
      before: { not_after: key.notAfter },
      after: { not_after: notAfter, replaced_by: made.value.id },
    });
    return made;
  });
}

/** The last key that a project can call with is revoked only where the person was told that it is the last. */
export function revokeKey(
  db: Database,
  change: KeyChange,
  { keyId, lastToo }: { readonly keyId: Id; readonly lastToo: boolean },
): Promise<Result<null, AccountFault>> {
  return inKeys(db, change, keyId, async (tx, key) => {
    if (key.revokedAt !== null) return ok(null);
    const keys = await listKeysInForce(tx, change.merchantId, new Date(change.nowMs));
    const projects = await listProjectsOfMerchant(tx, change.merchantId);
    const isLast = projectsThatNeed(keyId, keysAtWork(keys, projects, change.nowMs)).length > 0;
    if (isLast && !lastToo) return fail(accountFault("last_key", "no other key works for a project of this key"));
    await revokeApiKey(tx, keyId);
    await auditKey(tx, change, { action: "keys.revoke", key, before: { revoked: false }, after: { revoked: true } });
    return ok(null);
  });
}

const NO_PROJECT = accountFault("not_found", "there is no such project");
const NO_KEY = accountFault("not_found", "there is no such key");

const FAULTS: Readonly<Record<KeyFault, AccountFault>> = {
  merchant_unknown: NO_PROJECT,
  project_unknown: NO_PROJECT,
  book_differs: NO_PROJECT,
  key_unreadable: accountFault("key_unreadable", "this is not a public key in PEM"),
  key_not_rsa: accountFault("key_not_rsa", "the key must be an RSA key"),
  key_size: accountFault("key_size", "the key must have 2048 to 4096 bits"),
  key_exponent: accountFault("key_exponent", "the key's public exponent must be from 65537 to 2^32"),
  key_known: accountFault("key_known", "this key is registered already"),
};

type PreparedKey = { readonly material: KeyMaterial; readonly secret: Secret<string> | undefined };

function prepare(keyring: Keyring, { source }: KeyWish): Result<PreparedKey, AccountFault> {
  if (source.kind === "hmac") return ok(newHmacMaterial(keyring));
  const material = readRsaMaterial(source.publicKeyPem);
  return material.ok ? ok({ material: material.value, secret: undefined }) : fail(FAULTS[material.error]);
}

type Scope = Pick<NewApiKey, "projectId" | "book">;

async function scopeOf(tx: Transaction, merchantId: Id, reach: KeyReach): Promise<Scope | undefined> {
  if (reach.projectId === null) return reach;
  const project = await findProject(tx, reach.projectId);
  return project?.merchantId === merchantId ? { projectId: project.id, book: project.book } : undefined;
}

async function insertKey(
  tx: Transaction,
  change: KeyChange,
  { projectId, book, label, validDays }: KeyWish & Scope,
  { material, secret }: PreparedKey,
): Promise<Result<MadeKey, AccountFault>> {
  const { merchantId, nowMs } = change;
  const inForce = await listKeysInForce(tx, merchantId, new Date(nowMs));
  if (inForce.filter((key) => key.projectId === projectId && key.book === book).length >= KEYS_OF_SCOPE_MAX)
    return fail(accountFault("too_many_keys", `a project can have ${KEYS_OF_SCOPE_MAX} keys: revoke one first`));
  // Whole seconds, so that the key is valid by the time that it is shown.
  const notBefore = new Date(Math.floor(nowMs / MS_PER_S) * MS_PER_S);
  const notAfter = validDays === null ? null : new Date(notBefore.getTime() + validDays * MS_PER_DAY);
  const key = { ...material, merchantId, projectId, book, label, notBefore, notAfter };
  const registered = await registerKey(tx, key);
  if (!registered.ok) return fail(FAULTS[registered.error]);
  const after = { label, kind: key.kind, book, project_id: projectId, not_after: notAfter };
  await auditKey(tx, change, { action: "keys.add", key, after });
  return ok({ id: key.id, token: key.token, kind: key.kind, secret });
}

/** Another merchant's key is not told from one that does not exist. */
function inKeys<T>(
  db: Database,
  { merchantId }: KeyChange,
  keyId: Id,
  work: (tx: Transaction, key: ListedKey) => Promise<Result<T, AccountFault>>,
): Promise<Result<T, AccountFault>> {
  return db.transaction(async (tx) => {
    await lockMerchant(tx, merchantId);
    const key = await findApiKey(tx, keyId);
    return key?.merchantId === merchantId ? work(tx, key) : fail(NO_KEY);
  });
}

function auditKey(
  tx: Transaction,
  { merchantId, actor }: KeyChange,
  line: {
    readonly action: string;
    readonly key: { readonly id: Id; readonly label: string };
    readonly before?: object;
    readonly after: object;
  },
): Promise<void> {
  const { key, ...rest } = line;
  return audit(tx, { ...rest, merchantId, actor, subject: `${key.label} ${key.id}`.trim() });
}
