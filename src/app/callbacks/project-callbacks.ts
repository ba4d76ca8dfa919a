import type { Id } from "../../core/ids.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import type { Actor } from "../../core/people/actor.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Keyring } from "../../platform/secrets.ts";
import {
  type CallbackKey,
  endReplacedKeys,
  findCurrentCallbackKey,
  listCallbackKeys,
  lockCallbackKeys,
} from "../../store/callbacks/callback-keys.ts";
import { enableCallbackUrl } from "../../store/callbacks/disabled-callback-urls.ts";
import { type DisabledUrl, listDisabledCallbackUrls } from "../../store/callbacks/read-disabled-callback-urls.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { NO_PROJECT } from "../../store/merchants/directory-version.ts";
import { findProject, type Project } from "../../store/merchants/projects.ts";
import { changeProject, changeProjectIn } from "../merchants/change-project.ts";
import { audit } from "../people/audit.ts";
import {
  headerOfKey,
  makeCallbackKey,
  OVERLAP_STANDARD_S,
  promoteInTransaction,
  publicKeyPem,
  replaceCallbackKey,
  revealCallbackSecret,
} from "./callback-keys.ts";

/** How a project's callbacks are set up, as its merchant's people see and change it. */

export const URL_NAMES = ["callback_url", "success_callback_url", "decline_callback_url"] as const;
export type UrlName = (typeof URL_NAMES)[number];

const SETTING_OF_URL = {
  callback_url: "callbackUrl",
  success_callback_url: "successCallbackUrl",
  decline_callback_url: "declineCallbackUrl",
} as const satisfies Record<UrlName, keyof Project>;
type Settings = Pick<Project, (typeof SETTING_OF_URL)[UrlName] | "callbackSigning">;

/** The secrets of a project. The service's own key is the operator's. */
export const SECRET_KINDS = ["webhook", "hmac"] as const;
export type SecretKind = (typeof SECRET_KINDS)[number];

type ShownKey = Pick<CallbackKey, "id" | "kind" | "createdAt" | "promotedAt" | "retiresAt"> & {
  /** The header that it makes now; undefined where it makes none. */
  readonly signs: string | undefined;
  readonly publicKeyPem: string | undefined;
};

export type ProjectCallbacks = {
  readonly project: Settings;
  readonly keys: readonly ShownKey[];
  readonly disabled: readonly DisabledUrl[];
};

/** One snapshot, without any secret. */
export function viewProjectCallbacks(db: Database, projectId: Id): Promise<ProjectCallbacks | undefined> {
  return db.transaction(async (tx) => {
    const project = await findProject(tx, projectId);
    if (project === undefined) return undefined;
    const keys = await listCallbackKeys(tx, [projectId, NO_PROJECT]);
    const isUsed = ({ kind }: CallbackKey) => kind === "webhook" || kind === project.callbackSigning;
    const shown = keys.filter((key) => isUsed(key) || key.kind === "hmac");
    return {
      project,
      keys: shown.map((key) => ({
        ...{
          id: key.id,
          kind: key.kind,
          createdAt: key.createdAt,
          promotedAt: key.promotedAt,
          retiresAt: key.retiresAt,
        },
        signs: isUsed(key) ? headerOfKey(key, keys) : undefined,
        publicKeyPem: key.publicKey === null ? undefined : publicKeyPem(key.publicKey),
      })),
      disabled: await listDisabledCallbackUrls(tx, projectId),
    };
  }, "snapshot");
}

/** Who changes which project. */
export type ProjectChange = { readonly merchantId: Id; readonly projectId: Id; readonly actor: Actor };

export function changeCallbackUrl(
  db: Database,
  change: ProjectChange,
  name: UrlName,
  url: string | null,
): Promise<Result<null, AccountFault>> {
  return changeProject(db, ofProject(change, "callbacks.url", { [SETTING_OF_URL[name]]: url }));
}

/** The audit log names the project by its id, as in every line about callbacks. */
function ofProject(change: ProjectChange, action: string, settings: Partial<Settings>) {
  return { ...change, action, settings, subject: change.projectId };
}

type Secret = { readonly secret: string };

/** Signing by a secret of the project's own makes one where there is none, and shows it: else no receiver would have it. */
export async function changeSigning(
  { db, keyring }: { readonly db: Database; readonly keyring: Keyring },
  change: ProjectChange,
  callbackSigning: Project["callbackSigning"],
): Promise<Result<Secret | null, AccountFault>> {
  const made = await makeCallbackKey(keyring, "hmac", change.projectId);
  return db.transaction(async (tx) => {
    const changed = await changeProjectIn(tx, ofProject(change, "callbacks.signing", { callbackSigning }));
    if (!changed.ok || callbackSigning === "rsa") return changed;
    await lockCallbackKeys(tx);
    if ((await findCurrentCallbackKey(tx, "hmac", change.projectId)) !== undefined) return ok(null);
    const key = await replaceCallbackKey(tx, made, 0);
    await auditKey(tx, change, "callbacks.key_add", key);
    return ok({ secret: revealCallbackSecret(keyring, key) });
  });
}

/**
 * A new secret, shown this once. The present one signs beside it for the days of the overlap; with none, the new one alone signs from
 * now on. While one is being replaced there is no third: a receiver that has changed over knows only the one in the middle.
 */
export async function addCallbackSecret(
  { db, keyring }: { readonly db: Database; readonly keyring: Keyring },
  change: ProjectChange,
  kind: SecretKind,
  overlapDays: number,
): Promise<Result<Secret, AccountFault>> {
  const made = await makeCallbackKey(keyring, kind, change.projectId);
  return db.transaction(async (tx) => {
    await lockCallbackKeys(tx);
    const keys = await keysOf(tx, change, kind);
    if (overlapDays > 0 && keys.some((key) => key.retiresAt !== null)) return fail(BEING_REPLACED);
    const key = await replaceCallbackKey(tx, made, overlapDays * DAY_S);
    await auditKey(tx, change, "callbacks.key_add", key, { overlap_days: overlapDays });
    return ok({ secret: revealCallbackSecret(keyring, key) });
  });
}

const DAY_S = 86_400;
export const OVERLAP_STANDARD_DAYS = OVERLAP_STANDARD_S / DAY_S;
const BEING_REPLACED = accountFault(
  "wrong_state",
  "a secret is being replaced: end the old one first, or wait until it retires",
);

/** The new secret makes x-access-signature from now on. Secrets of Standard Webhooks need none of it: one header has both. */
export function promoteCallbackSecret(db: Database, change: ProjectChange): Promise<Result<null, AccountFault>> {
  return db.transaction(async (tx) => {
    await lockCallbackKeys(tx);
    const promoted = await promoteInTransaction(tx, "hmac", change.projectId);
    if (!promoted.ok) return fail(accountFault("wrong_state", "there is no new secret to promote"));
    await auditKey(tx, change, "callbacks.key_promote", promoted.value);
    return ok(null);
  });
}

/** The secret that was replaced signs no more from now on. */
export function endReplacedSecret(
  db: Database,
  change: ProjectChange,
  kind: SecretKind,
): Promise<Result<null, AccountFault>> {
  return db.transaction(async (tx) => {
    await lockCallbackKeys(tx);
    const old = (await keysOf(tx, change, kind)).find((key) => key.retiresAt !== null);
    if (old === undefined) return fail(accountFault("wrong_state", "no secret is being replaced"));
    await endReplacedKeys(tx, kind, change.projectId);
    await auditKey(tx, change, "callbacks.key_end", old);
    return ok(null);
  });
}

/** Sends to a URL again after it said that it was gone. What waited for it is due at once. */
export function enableUrl(db: Database, change: ProjectChange, url: string): Promise<Result<null, AccountFault>> {
  const { merchantId, projectId, actor } = change;
  return db.transaction(async (tx) => {
    const disabled = (await listDisabledCallbackUrls(tx, projectId)).find((each) => each.url === url);
    if (disabled === undefined || !(await enableCallbackUrl(tx, projectId, url, actor.name)))
      return fail(accountFault("wrong_state", "this URL is not disabled"));
    await audit(tx, {
      ...{ merchantId, actor, action: "callbacks.url_enable", subject: projectId },
      ...{ before: { url, disabled: true }, after: { url, disabled: false } },
    });
    return ok(null);
  });
}

async function keysOf(tx: Transaction, { projectId }: ProjectChange, kind: SecretKind): Promise<CallbackKey[]> {
  return (await listCallbackKeys(tx, [projectId])).filter((key) => key.kind === kind);
}

function auditKey(
  tx: Transaction,
  { merchantId, projectId, actor }: ProjectChange,
  action: string,
  { id, kind }: CallbackKey,
  more: object = {},
): Promise<void> {
  return audit(tx, { merchantId, actor, action, subject: projectId, after: { key_id: id, kind, ...more } });
}
