import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { promisify } from "node:util";
import type { Id } from "../../core/ids.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Keyring } from "../../platform/secrets.ts";
import {
  type CallbackKey,
  type CallbackKeyKind,
  callbackKeyPlace,
  findCurrentCallbackKey,
  insertCallbackKey,
  listCallbackKeys,
  lockCallbackKeys,
  type NewCallbackKey,
  promoteCallbackKey,
  retireCallbackKey,
} from "../../store/callbacks/callback-keys.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { RSA_BITS_MIN, rsaToken } from "../merchants/api-keys.ts";

/** The keys that sign callbacks. Each is made when it is first needed, and lies sealed. */

/** A key that can sign, and what names it: an RSA public key, or the id of a secret. */
export type OpenCallbackKey = {
  readonly id: Id;
  readonly projectId: Id | null;
  readonly kind: CallbackKeyKind;
  readonly token: string;
  readonly key: KeyObject;
  readonly createdAt: Date;
  readonly promotedAt: Date | null;
  readonly retiresAtMs: number;
};

export function callbackKeyName(kind: CallbackKeyKind, projectId: Id | null): string {
  return `${kind} ${projectId ?? ""}`;
}

export const OVERLAP_STANDARD_S = 7 * 86_400;

const WEBHOOK_SECRET_BYTES = 32;
const HMAC_SECRET_BYTES = 32;
const WEBHOOK_PREFIX = "whsec_";

type Deps = { readonly db: Database; readonly keyring: Keyring };

/** The present key; made now if there is none. Processes that do so at once agree on one. */
export async function ensureCallbackKey(deps: Deps, kind: CallbackKeyKind, projectId: Id | null): Promise<CallbackKey> {
  const known = await findCurrentCallbackKey(deps.db, kind, projectId);
  if (known !== undefined) return known;
  await insertCallbackKey(deps.db, await makeCallbackKey(deps.keyring, kind, projectId));
  const made = await findCurrentCallbackKey(deps.db, kind, projectId);
  if (made === undefined) throw new Error("a callback key was neither made nor found");
  return made;
}

/** A successor. The present key goes on signing beside it until the overlap ends, so that receivers can change over. */
export async function rotateCallbackKey(
  deps: Deps,
  kind: CallbackKeyKind,
  projectId: Id | null,
  overlapS: number,
): Promise<CallbackKey> {
  const successor = await makeCallbackKey(deps.keyring, kind, projectId);
  return deps.db.transaction(async (tx) => {
    await lockCallbackKeys(tx);
    return replaceCallbackKey(tx, successor, overlapS);
  });
}

/** With the keys locked. */
export async function replaceCallbackKey(
  tx: Transaction,
  successor: NewCallbackKey,
  overlapS: number,
): Promise<CallbackKey> {
  const { kind, projectId } = successor;
  await retireCallbackKey(tx, kind, projectId, overlapS);
  await insertCallbackKey(tx, successor);
  const current = await findCurrentCallbackKey(tx, kind, projectId);
  if (current?.id !== successor.id) throw new Error("a callback key was not replaced");
  return current;
}

export type PromotionFault = { readonly code: "not_replaced" | "promoted_already" };

/**
 * The successor takes x-access-signature over, and the old key signs the second header until the overlap ends. The operator
 * chooses the moment, because receivers that look at the first header alone must all have the new key by then.
 */
export function promoteSuccessor(
  db: Database,
  kind: CallbackKeyKind,
  projectId: Id | null,
): Promise<Result<CallbackKey, PromotionFault>> {
  return db.transaction(async (tx) => {
    await lockCallbackKeys(tx);
    return promoteInTransaction(tx, kind, projectId);
  });
}

/** With the keys locked. */
export async function promoteInTransaction(
  tx: Transaction,
  kind: CallbackKeyKind,
  projectId: Id | null,
): Promise<Result<CallbackKey, PromotionFault>> {
  const keys = (await listCallbackKeys(tx)).filter((key) => key.kind === kind && key.projectId === projectId);
  const successor = keys.find((key) => key.retiresAt === null);
  if (successor === undefined || keys.length < 2) return fail({ code: "not_replaced" });
  return (await promoteCallbackKey(tx, successor.id)) ? ok(successor) : fail({ code: "promoted_already" });
}

/**
 * In which order keys sign: the first makes x-access-signature, the second x-access-signature-next. `keys` are those in
 * force, oldest first.
 */
export function inSigningOrder<T extends Pick<CallbackKey, "promotedAt">>(keys: readonly T[]): readonly T[] {
  const first = keys.findLast((key) => key.promotedAt !== null) ?? keys[0];
  // A receiver changes over to the newest, so of several others that one signs beside the first.
  return first === undefined ? [] : [first, ...keys.filter((key) => key !== first).reverse()];
}

/** Which header a key makes; undefined for one that a third key has taken out of the headers. `keys` are all in force, oldest first. */
export function headerOfKey(key: CallbackKey, keys: readonly CallbackKey[]): string | undefined {
  if (key.kind === "webhook") return "webhook-signature";
  const rivals = keys.filter(({ kind, projectId }) => kind === key.kind && projectId === key.projectId);
  return ["x-access-signature", "x-access-signature-next"][inSigningOrder(rivals).indexOf(key)];
}

/** The key that makes x-access-signature now; made if there is none. */
export async function ensureSigningKey(deps: Deps, kind: CallbackKeyKind, projectId: Id | null): Promise<CallbackKey> {
  const current = await ensureCallbackKey(deps, kind, projectId);
  const keys = (await listCallbackKeys(deps.db)).filter((key) => key.kind === kind && key.projectId === projectId);
  return inSigningOrder(keys)[0] ?? current;
}

/** A new one, which is not stored yet. */
export async function makeCallbackKey(
  keyring: Keyring,
  kind: CallbackKeyKind,
  projectId: Id | null,
): Promise<NewCallbackKey> {
  const id = newId();
  const { secret, publicKey } = kind === "rsa" ? await makePair() : { secret: makeSecret(kind), publicKey: null };
  return { id, projectId, kind, publicKey, secret: keyring.seal(callbackKeyPlace(id), secret) };
}

async function makePair(): Promise<{ secret: Buffer; publicKey: string }> {
  const pair = await promisify(generateKeyPair)("rsa", { modulusLength: RSA_BITS_MIN });
  return { secret: pair.privateKey.export({ type: "pkcs8", format: "der" }), publicKey: rsaToken(pair.publicKey) };
}

/** As it is shown to the merchant: the text itself is what is sealed. */
function makeSecret(kind: Exclude<CallbackKeyKind, "rsa">): Buffer {
  const text =
    kind === "webhook"
      ? `${WEBHOOK_PREFIX}${randomBytes(WEBHOOK_SECRET_BYTES).toString("base64")}`
      : `cs_${randomBytes(HMAC_SECRET_BYTES).toString("hex")}`;
  return Buffer.from(text, "utf8");
}

export function openCallbackKey(keyring: Keyring, row: CallbackKey): OpenCallbackKey {
  const { id, projectId, kind, createdAt, promotedAt } = row;
  const secret = keyring.unseal(callbackKeyPlace(id), row.secret).reveal();
  const retiresAtMs = row.retiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const token = row.publicKey ?? `ck_${id}`;
  return { id, projectId, kind, token, createdAt, promotedAt, retiresAtMs, key: readKey(kind, secret) };
}

function readKey(kind: CallbackKeyKind, secret: Buffer): KeyObject {
  if (kind === "rsa") return createPrivateKey({ key: secret, format: "der", type: "pkcs8" });
  if (kind === "hmac") return createSecretKey(secret);
  return webhookKeyOf(secret.toString("utf8"));
}

/** The Standard Webhooks specification: the key is what the text behind the prefix decodes to. */
export function webhookKeyOf(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.slice(WEBHOOK_PREFIX.length), "base64"));
}

/** As verifiers take it. */
export function publicKeyPem(token: string): string {
  const key = createPublicKey({ key: Buffer.from(token, "base64url"), format: "der", type: "spki" });
  return key.export({ type: "spki", format: "pem" }).toString();
}

/** The text of a project's secret, for its own merchant. */
export function revealCallbackSecret(keyring: Keyring, row: CallbackKey): string {
  return keyring.unseal(callbackKeyPlace(row.id), row.secret).reveal().toString("utf8");
}
