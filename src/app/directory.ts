import { createPublicKey, createSecretKey, type KeyObject } from "node:crypto";
import type { Book } from "../core/book.ts";
import type { Currency } from "../core/currency.ts";
import { groupBy } from "../core/group-by.ts";
import type { Id } from "../core/ids.ts";
import { type NetworkList, parseNetworks } from "../core/network.ts";
import type { Log } from "../platform/log.ts";
import type { Keyring } from "../platform/secrets.ts";
import type { KeyKind } from "../platform/signing.ts";
import { type ApiKey, apiKeySecretPlace, listApiKeys } from "../store/api-keys.ts";
import { listBanks, type StoredBank } from "../store/banks.ts";
import type { Database } from "../store/db.ts";
import { getDirectoryVersion } from "../store/directory-version.ts";
import { listProjectMethods, type ProjectMethod } from "../store/project-methods.ts";
import { listProjects, type Project } from "../store/projects.ts";

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
};

export type DirectoryProject = Project & {
  readonly allowedNetworks: NetworkList;
  readonly methods: readonly ProjectMethod[];
  /** Those of the enabled methods. */
  readonly currencies: ReadonlySet<Currency>;
};

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

/** Reads it all in one snapshot. Keys that `previous` has parsed already are taken from there. */
export function loadDirectory(
  db: Database,
  keyring: Keyring,
  log: Log,
  previous: Directory | undefined,
): Promise<Directory> {
  return db.transaction(async (tx) => {
    const version = await getDirectoryVersion(tx);
    const projects = await listProjects(tx);
    const methods = groupBy(await listProjectMethods(tx), (method) => method.projectId);
    const keys = await listApiKeys(tx);
    const banks = await listBanks(tx);
    return {
      version,
      projects: new Map(projects.flatMap((project) => projectEntry(project, methods.get(project.id), log))),
      keysByToken: new Map(keys.flatMap((key) => keyEntry(key, keyring, log, previous))),
      banks: banks.filter((bank) => bank.disabledAt === null),
    };
  }, "snapshot");
}

/** One damaged row must not stop every merchant; its project is as good as unknown until it is mended. */
function projectEntry(
  project: Project,
  methods: readonly ProjectMethod[] | undefined,
  log: Log,
): [id: string, project: DirectoryProject][] {
  try {
    return [[project.id, directoryProject(project, methods)]];
  } catch (error) {
    log.error(
      { project_id: project.id, reason: error instanceof Error ? error.message : "unknown" },
      "a project cannot be read",
    );
    return [];
  }
}

/** A project with what follows from its settings and methods. */
export function directoryProject(project: Project, methods: readonly ProjectMethod[] = []): DirectoryProject {
  const currencies = new Set(methods.filter((method) => method.enabled).map((method) => method.currency));
  return { ...project, methods, currencies, allowedNetworks: parseNetworks(project.allowedIps) };
}

function keyEntry(
  row: ApiKey,
  keyring: Keyring,
  log: Log,
  previous: Directory | undefined,
): [token: string, key: DirectoryKey][] {
  if (row.revokedAt !== null) return [];
  const { id, merchantId, projectId, book, kind } = row;
  try {
    const { key, modulus } = previous?.keysByToken.get(row.token) ?? parseKey(row, keyring);
    const notBeforeMs = row.notBefore.getTime();
    const notAfterMs = row.notAfter?.getTime() ?? Number.POSITIVE_INFINITY;
    return [[row.token, { id, merchantId, projectId, book, kind, key, modulus, notBeforeMs, notAfterMs }]];
  } catch (error) {
    // One damaged row must not lock every merchant out; its own requests fail as those of an unknown key.
    log.error({ key_id: id, reason: error instanceof Error ? error.message : "unknown" }, "a key cannot be read");
    return [];
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
