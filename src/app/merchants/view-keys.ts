import type { Id } from "../../core/ids.ts";
import { type KeyState, keyState, keysAtWork, projectsThatNeed } from "../../core/merchants/api-key-rules.ts";
import type { Database } from "../../store/db.ts";
import { type ListedKey, listEndedKeys, listKeysInForce } from "../../store/merchants/api-keys.ts";
import { listProjectsOfMerchant, type Project } from "../../store/merchants/projects.ts";

/** What a developer needs in order to call the API: the projects with their rules, and the keys. */

export type ViewedKey = ListedKey & {
  readonly state: KeyState;
  /** The projects that could not call any more without it. */
  readonly neededBy: readonly Id[];
};
/** With the number of keys that work for it now. */
export type ViewedProject = Project & { readonly keyCount: number };

export function viewKeys(
  db: Database,
  merchantId: Id,
  nowMs: number,
): Promise<{ readonly projects: readonly ViewedProject[]; readonly keys: readonly ViewedKey[] }> {
  return db.transaction(async (tx) => {
    const projects = await listProjectsOfMerchant(tx, merchantId);
    const keys = await listKeysInForce(tx, merchantId, new Date(nowMs));
    const atWork = keysAtWork(keys, projects, nowMs);
    return {
      projects: projects.map((project) => ({ ...project, keyCount: atWork.get(project.id)?.length ?? 0 })),
      keys: keys.map((key) => ({
        ...key,
        state: keyState(key, nowMs),
        neededBy: projectsThatNeed(key.id, atWork),
      })),
    };
  }, "snapshot");
}

const KEYS_OF_PAGE = 50;

/** A page of keys that are revoked or over, the latest first. */
export async function viewEndedKeys(
  db: Database,
  merchantId: Id,
  { below, nowMs }: { readonly below: Id | undefined; readonly nowMs: number },
): Promise<{ readonly keys: readonly ViewedKey[]; readonly next: Id | null }> {
  const found = await listEndedKeys(db, { merchantId, now: new Date(nowMs), below, limit: KEYS_OF_PAGE + 1 });
  const keys = found.slice(0, KEYS_OF_PAGE).map((key) => ({ ...key, state: keyState(key, nowMs), neededBy: [] }));
  return { keys, next: found.length > KEYS_OF_PAGE ? (keys.at(-1)?.id ?? null) : null };
}
