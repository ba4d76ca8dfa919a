import type { Book } from "../../core/merchants/book.ts";
import { isReservedCode, type ProviderKind } from "../../core/providers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { UpstreamSettings } from "../../core/upstream-settings.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { listProjectRoutes } from "../../store/merchants/project-routes.ts";
import {
  type ConfiguredProvider,
  countUndecided,
  insertProvider,
  lockConfiguredProvider,
  retireProviderRow,
  updateProvider,
} from "../../store/providers/providers.ts";
import { insertKey, type NewKeyWish } from "./manage-provider-keys.ts";

/** What operators do with providers. Running processes know of it within seconds: triggers of the tables tell them. */

type ProviderDeps = { readonly db: Database; readonly keyring: Keyring };

export type ProviderWish = {
  readonly code: string;
  readonly kind: ProviderKind;
  readonly book: Book;
  readonly baseUrl: string;
  /** What was named; the defaults hold for the rest. */
  readonly settings: Partial<UpstreamSettings> & Pick<UpstreamSettings, "merchantId" | "projectId">;
  readonly keys: readonly NewKeyWish[];
};

/** The provider with its keys, all of it or nothing. */
export function addProvider(
  { db, keyring }: ProviderDeps,
  { keys, settings, ...wish }: ProviderWish,
): Promise<Result<ConfiguredProvider, "code_reserved" | "code_taken">> {
  return db.transaction(async (tx) => {
    if (isReservedCode(wish.code)) return fail("code_reserved");
    const provider = await insertProvider(tx, { ...wish, settings });
    if (provider === undefined) return fail("code_taken");
    for (const key of keys) await insertKey(tx, keyring, provider.code, key);
    return ok(provider);
  });
}

/** What is not named stays as it is. */
export type ProviderChanges = { readonly baseUrl?: string; readonly settings: Partial<UpstreamSettings> };

export type ChangeFault =
  | { readonly kind: "provider_unknown" }
  | { readonly kind: "undecided"; readonly count: number };

/**
 * Another project there has never seen the payments of this one: payouts would be sent again, and charges declined. So the project stays
 * while a payment is not over.
 */
export function changeProvider(
  db: Database,
  code: string,
  changes: ProviderChanges,
): Promise<Result<ConfiguredProvider, ChangeFault>> {
  return db.transaction(async (tx) => {
    const present = await lockConfiguredProvider(tx, code);
    if (present === undefined) return fail({ kind: "provider_unknown" });
    const { projectId = present.settings.projectId } = changes.settings;
    const count = projectId === present.settings.projectId ? 0 : await countUndecided(tx, code);
    if (count > 0) return fail({ kind: "undecided", count });
    const settings = { ...present.settings, ...changes.settings };
    const changed = { ...present, baseUrl: changes.baseUrl ?? present.baseUrl, settings };
    await updateProvider(tx, changed);
    return ok(changed);
  });
}

export type RetiredProvider = {
  /** False where it was retired before. */
  readonly changed: boolean;
  /** Routes of projects that still name it: it is passed over there. */
  readonly routes: number;
};

/** It gets nothing new from now on. The payments that it has are followed to their end, so its keys stay in force. */
export function retireProvider(db: Database, code: string): Promise<Result<RetiredProvider, "provider_unknown">> {
  return db.transaction(async (tx) => {
    const present = await lockConfiguredProvider(tx, code);
    if (present === undefined) return fail("provider_unknown");
    const changed = present.retiredAt === null;
    if (changed) await retireProviderRow(tx, code);
    const routes = (await listProjectRoutes(tx)).filter(({ providers }) => providers.includes(code)).length;
    return ok({ changed, routes });
  });
}
