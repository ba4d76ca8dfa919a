import { createPublicKey, createSecretKey, type KeyObject } from "node:crypto";
import type { BinTable } from "../../core/cards/card-bins.ts";
import type { Currency } from "../../core/currency.ts";
import { groupBy } from "../../core/group-by.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import { type NetworkList, parseNetworks } from "../../core/merchants/network.ts";
import type { RouteEntry } from "../../core/merchants/route-entry.ts";
import { parseRoute } from "../../core/merchants/route-text.ts";
import type { ProviderCatalog } from "../../core/providers.ts";
import { type Log, reasonOf } from "../../platform/log.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { KeyKind } from "../../platform/signing.ts";
import { CALLBACK_KEY_KINDS, type CallbackKey, listCallbackKeys } from "../../store/callbacks/callback-keys.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { type ApiKey, apiKeySecretPlace, listApiKeys } from "../../store/merchants/api-keys.ts";
import { listBanks, type StoredBank } from "../../store/merchants/banks.ts";
import { findLastBinImport, listCardBins } from "../../store/merchants/card-bins.ts";
import { getDirectoryVersion, listChangedProjects, NO_PROJECT } from "../../store/merchants/directory-version.ts";
import { listPauses, type Pause, type PauseKind } from "../../store/merchants/pauses.ts";
import { listProjectLimits, type ProjectLimits } from "../../store/merchants/project-limits.ts";
import { listProjectMethods, type ProjectMethod } from "../../store/merchants/project-methods.ts";
import { listProjectRoutes, type ProjectRoute } from "../../store/merchants/project-routes.ts";
import { listProjectIds, listProjects, type Project } from "../../store/merchants/projects.ts";
import { listProviderBanks } from "../../store/providers/provider-banks.ts";
import { listProviderKeys } from "../../store/providers/provider-keys.ts";
import { listConfiguredProviders } from "../../store/providers/providers.ts";
import { findOpenRestore } from "../../store/restore/restores.ts";
import { callbackKeyName, type OpenCallbackKey, openCallbackKey } from "../callbacks/callback-keys.ts";
import { type BankNames, bankNamesByProvider } from "../providers/bank-names.ts";
import { type OpenProvider, openProviders } from "../providers/open-provider.ts";
import { catalogOf } from "../providers/provider-catalog.ts";

/**
 * The part of the database that every request needs and that seldom changes: projects, keys, methods, banks. It is held
 * in memory whole, so that an unknown key costs the same as a known one and an attacker cannot make the database work.
 */
export type Directory = {
  readonly version: bigint;
  readonly projects: ReadonlyMap<string, DirectoryProject>;
  readonly keysByToken: ReadonlyMap<string, DirectoryKey>;
  /** Those that may be named, by symbol order. */
  readonly banks: readonly StoredBank[];
  readonly pauses: Pauses;
  /** Those of the program, and those that an operator configured. */
  readonly providers: ProviderCatalog;
  readonly configuredProviders: readonly OpenProvider[];
  /** Who issued a card, by its first digits, as an operator imported it. */
  readonly bins: BinTable;
  /** The import that they are of; undefined: there was none. */
  readonly binImport: Id | undefined;
  /** What each of these calls our banks, by its code; one that has no names has no entry. */
  readonly providerBanks: ReadonlyMap<string, BankNames>;
  /** Those that sign callbacks, oldest first, by `callbackKeyName`. */
  readonly callbackKeys: ReadonlyMap<string, readonly OpenCallbackKey[]>;
};

/** What an operator stopped for a while, by name; `payouts` holds projects, or the empty name for all of them. */
type Pauses = {
  readonly payouts: ReadonlySet<string>;
  readonly methods: ReadonlySet<string>;
  readonly providers: ReadonlySet<string>;
  /** A restore of an older backup is open: card charges and callbacks are paused, and so are all payouts. */
  readonly restored: boolean;
};

export type DirectoryProject = Project & {
  readonly allowedNetworks: NetworkList;
  readonly methods: readonly ProjectMethod[];
  /** Those of the enabled methods. */
  readonly currencies: ReadonlySet<Currency>;
  readonly limits: readonly ProjectLimits[];
  readonly routes: readonly DirectoryRoute[];
};

/** `entries`: undefined where the providers are asked in their order, by every payment. */
export type DirectoryRoute = ProjectRoute & { readonly entries?: readonly RouteEntry[] };

export type DirectoryKey = {
  readonly id: Id;
  readonly merchantId: Id;
  readonly projectId: Id | null;
  readonly book: Book;
  readonly kind: KeyKind;
  readonly key: KeyObject;
  /** Of an RSA key. */
  readonly modulus: Buffer | undefined;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
};

/**
 * Reads it in one snapshot: all of it, or what changed since `previous`. With many projects the whole takes seconds, so a
 * change of one must not cost that. Keys that `previous` has parsed already are taken from there.
 */
export function loadDirectory(
  db: Database,
  keyring: Keyring,
  log: Log,
  previous: Directory | undefined,
  part: "all" | "changes" = "changes",
): Promise<Directory> {
  return db.transaction(async (tx) => {
    const version = await getDirectoryVersion(tx);
    // The version goes back where an older copy of the database was restored.
    const base = part === "changes" && previous !== undefined && previous.version <= version ? previous : undefined;
    const changed = base && (await listChangedProjects(tx, base.version));
    const projects = await readProjects(tx, log, base?.projects, changed ?? (await listProjectIds(tx)));
    const keysByToken = new Map(base?.keysByToken);
    for (const row of await listApiKeys(tx, changed)) {
      const key = readKey(row, keyring, log, previous);
      if (key === undefined) keysByToken.delete(row.token);
      else keysByToken.set(row.token, key);
    }
    const callbackKeys = new Map(base?.callbackKeys);
    for (const name of changed?.flatMap(namesOfCallbackKeys) ?? []) callbackKeys.delete(name);
    const opened = (await listCallbackKeys(tx, changed)).flatMap((key) =>
      callbackKeyEntry(key, keyring, log, previous),
    );
    const groups = groupBy(opened, ({ kind, projectId }) => callbackKeyName(kind, projectId));
    for (const [name, keys] of groups) callbackKeys.set(name, keys);
    const pauses = await listPauses(tx);
    const restored = (await findOpenRestore(tx)) !== undefined;
    const configured = await listConfiguredProviders(tx);
    const providerKeys = await listProviderKeys(tx);
    const banks = await listBanks(tx);
    const binImport = await findLastBinImport(tx);
    const providerBanks = bankNamesByProvider(await listProviderBanks(tx));
    return {
      version,
      projects,
      keysByToken,
      callbackKeys,
      binImport,
      // There may be hundreds of thousands, and they seldom change.
      bins: previous !== undefined && previous.binImport === binImport ? previous.bins : await readBins(tx, binImport),
      banks: banks.filter((bank) => bank.disabledAt === null),
      providerBanks,
      providers: catalogOf(configured),
      configuredProviders: openProviders(
        { keyring, log },
        { configured, keys: providerKeys, previous: previous?.configuredProviders },
      ),
      pauses: {
        payouts: restored ? new Set([""]) : namesOf(pauses, "payouts"),
        methods: namesOf(pauses, "method"),
        providers: namesOf(pauses, "provider"),
        restored,
      },
    };
  }, "snapshot");
}

async function readBins(tx: Transaction, binImport: Id | undefined): Promise<BinTable> {
  const bins = binImport === undefined ? [] : await listCardBins(tx);
  return new Map(bins.map(({ prefix, country, bank }) => [prefix, { country, bank }]));
}

/** So many projects in one statement: none takes long, and requests are answered in between. */
const PROJECTS_AT_ONCE = 200;

async function readProjects(
  tx: Transaction,
  log: Log,
  previous: ReadonlyMap<string, DirectoryProject> | undefined,
  ids: readonly Id[],
): Promise<ReadonlyMap<string, DirectoryProject>> {
  const all = new Map(previous);
  for (let from = 0; from < ids.length; from += PROJECTS_AT_ONCE) {
    const some = ids.slice(from, from + PROJECTS_AT_ONCE);
    const projects = await listProjects(tx, some);
    const methods = groupBy(await listProjectMethods(tx, some), (method) => method.projectId);
    const limits = groupBy(await listProjectLimits(tx, some), (limit) => limit.projectId);
    const routes = groupBy(await listProjectRoutes(tx, some), (route) => route.projectId);
    for (const project of projects) {
      const { id } = project;
      const belongings = { methods: methods.get(id), limits: limits.get(id), routes: routes.get(id) };
      const read = readProject(project, belongings, log);
      if (read === undefined) all.delete(id);
      else all.set(id, read);
    }
  }
  return all;
}

function namesOfCallbackKeys(projectId: Id): string[] {
  return CALLBACK_KEY_KINDS.map((kind) => callbackKeyName(kind, projectId === NO_PROJECT ? null : projectId));
}

function namesOf(pauses: readonly Pause[], kind: PauseKind): ReadonlySet<string> {
  return new Set(pauses.filter((pause) => pause.kind === kind).map((pause) => pause.name));
}

/** What belongs to a project; undefined where it has none. */
type Belongings = {
  readonly methods?: readonly ProjectMethod[] | undefined;
  readonly limits?: readonly ProjectLimits[] | undefined;
  readonly routes?: readonly ProjectRoute[] | undefined;
};

/** One damaged row must not stop every merchant; its project counts as unknown until the row is fixed. */
function readProject(project: Project, belongings: Belongings, log: Log): DirectoryProject | undefined {
  try {
    return directoryProject(project, belongings);
  } catch (error) {
    log.error({ project_id: project.id, reason: reasonOf(error) }, "a project cannot be read");
    return undefined;
  }
}

/** A project with what follows from its settings and methods. */
export function directoryProject(
  project: Project,
  { methods = [], limits = [], routes = [] }: Belongings = {},
): DirectoryProject {
  const currencies = new Set(methods.filter((method) => method.enabled).map((method) => method.currency));
  const allowedNetworks = parseNetworks(project.allowedIps);
  return { ...project, methods, limits, routes: routes.map(directoryRoute), currencies, allowedNetworks };
}

export function directoryRoute(route: ProjectRoute): DirectoryRoute {
  if (route.rules === null || route.rules === undefined) return route;
  const entries = parseRoute(route.rules);
  if (!entries.ok) throw new Error(`the route of ${route.direction}:${route.method} cannot be read`);
  return { ...route, entries: entries.value };
}

function callbackKeyEntry(
  row: CallbackKey,
  keyring: Keyring,
  log: Log,
  previous: Directory | undefined,
): OpenCallbackKey[] {
  const retiresAtMs = row.retiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const { promotedAt } = row;
  const earlier = previous?.callbackKeys.get(callbackKeyName(row.kind, row.projectId));
  const known = earlier?.find((key) => key.id === row.id);
  if (known !== undefined) return [{ ...known, promotedAt, retiresAtMs }];
  try {
    return [openCallbackKey(keyring, row)];
  } catch (error) {
    log.error({ key_id: row.id, reason: reasonOf(error) }, "a key cannot be read");
    return [];
  }
}

/** Undefined where it may not be used. */
function readKey(row: ApiKey, keyring: Keyring, log: Log, previous: Directory | undefined): DirectoryKey | undefined {
  if (row.revokedAt !== null) return undefined;
  const { id, merchantId, projectId, book, kind } = row;
  try {
    const { key, modulus } = previous?.keysByToken.get(row.token) ?? parseKey(row, keyring);
    const notBeforeMs = row.notBefore.getTime();
    const notAfterMs = row.notAfter?.getTime() ?? Number.POSITIVE_INFINITY;
    return { id, merchantId, projectId, book, kind, key, modulus, notBeforeMs, notAfterMs };
  } catch (error) {
    // One damaged row must not lock every merchant out; its own requests fail as those of an unknown key.
    log.error({ key_id: id, reason: reasonOf(error) }, "a key cannot be read");
    return undefined;
  }
}

/** Parsing a key costs several times a verification, so it is done once. */
function parseKey(row: ApiKey, keyring: Keyring): Pick<DirectoryKey, "key" | "modulus"> {
  if (row.kind === "rsa") {
    const key = createPublicKey({ key: Buffer.from(row.token, "base64url"), format: "der", type: "spki" });
    return { key, modulus: Buffer.from(key.export({ format: "jwk" }).n ?? "", "base64url") };
  }
  if (row.secret === null) throw new Error("an HMAC key without its secret");
  return { key: createSecretKey(keyring.unseal(apiKeySecretPlace(row.id), row.secret).reveal()), modulus: undefined };
}
