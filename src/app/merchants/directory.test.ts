import { describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { listMethodOffers } from "../../core/merchants/methods.ts";
import { openLog } from "../../platform/log.ts";
import { retireCallbackKey } from "../../store/callbacks/callback-keys.ts";
import { revokeApiKey } from "../../store/merchants/api-keys.ts";
import { getDirectoryVersion, listChangedProjects } from "../../store/merchants/directory-version.ts";
import { saveProjectLimits } from "../../store/merchants/project-limits.ts";
import { saveProjectRoute } from "../../store/merchants/project-routes.ts";
import { aProject, minor, RUB, testKeyring } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { ensureCallbackKey, rotateCallbackKey } from "../callbacks/callback-keys.ts";
import { addProviderKey } from "../providers/manage-provider-keys.ts";
import { addProvider, changeProvider, retireProvider } from "../providers/manage-providers.ts";
import { generateHmacKey } from "./api-keys.ts";
import { type Directory, loadDirectory } from "./directory.ts";
import { configureProject } from "./merchants.ts";
import { pausePart } from "./pauses.ts";

const { db } = useTestDatabase();
const keyring = testKeyring();
const log = openLog({ level: "silent", destination: { write: () => undefined } });

const readAll = () => loadDirectory(db, keyring, log, undefined);
const readChanges = (previous: Directory) => loadDirectory(db, keyring, log, previous);

/** As plain values, in an order that does not depend on how they were read. */
function contentsOf(directory: Directory) {
  const byName = <T>(map: ReadonlyMap<string, T>) => [...map].sort(([one], [other]) => (one < other ? -1 : 1));
  const keys = byName(directory.keysByToken).map(([token, { key, modulus, ...rest }]) => [token, rest, key.type]);
  const callbackKeys = byName(directory.callbackKeys).map(([name, group]) => [
    name,
    group.map(({ key, ...rest }) => rest),
  ]);
  const providers = byName(directory.providers).map(([code, { serves: _, ...row }]) => [code, row]);
  return { ...directory, projects: byName(directory.projects), keysByToken: keys, callbackKeys, providers };
}

const OFFER = { direction: "payin", method: "card-p2p", currency: RUB } as const;
const LIMITS = { countMax: 3, sumMax: null, customerCountMax: null, customerSumMax: null };

const SETTINGS = { merchantId: "m", projectId: "p" };
const PROVIDER = {
  code: "acme",
  kind: "upstream",
  book: "live",
  baseUrl: "https://a.example",
  settings: SETTINGS,
} as const;
const CALL_KEY = { purpose: "call", material: { kind: "hmac", token: "ak_1", secret: Buffer.from("secret") } } as const;

type Owner = { readonly merchantId: Id; readonly projectId: Id };

const CHANGES: readonly (readonly [string, (owner: Owner) => Promise<unknown>])[] = [
  ["a new project", () => aProject(db)],
  ["a setting", ({ projectId }) => configureProject(db, projectId, { settings: { name: "Other" } })],
  [
    "methods",
    ({ projectId }) => configureProject(db, projectId, { offers: listMethodOffers(), methods: { enabled: true } }),
  ],
  [
    "a method's fee",
    ({ projectId }) => configureProject(db, projectId, { offers: [OFFER], methods: { feeFixed: minor(7) } }),
  ],
  ["a limit", ({ projectId }) => saveProjectLimits(db, { projectId, direction: "payin", currency: RUB, ...LIMITS })],
  [
    "a route",
    ({ projectId }) => saveProjectRoute(db, { projectId, direction: "payin", method: "card-p2p", providers: ["pool"] }),
  ],
  [
    "a route that is the default again",
    ({ projectId }) => saveProjectRoute(db, { projectId, direction: "payin", method: "card-p2p", providers: [] }),
  ],
  ["a pause", () => pausePart(db, { part: { kind: "provider", name: "pool" }, reason: "r", actor: "a" })],
  ["a provider", () => addProvider({ db, keyring }, { ...PROVIDER, keys: [CALL_KEY] })],
  ["its settings", () => changeProvider(db, PROVIDER.code, { settings: { timeoutMs: 5_000 } })],
  ["a key of it", () => addProviderKey({ db, keyring }, PROVIDER.code, { ...CALL_KEY, purpose: "callback" })],
  ["its retirement", () => retireProvider(db, PROVIDER.code)],
  ["a key of the merchant", (owner) => addKey({ ...owner, projectId: null })],
  ["a key of the project", (owner) => addKey(owner)],
  ["a revoked key", (owner) => revokeNewKey(owner)],
  ["the service's callback key", () => ensureCallbackKey({ db, keyring }, "rsa", null)],
  ["a successor of it", () => rotateCallbackKey({ db, keyring }, "rsa", null, 60)],
  ["a project's callback key", ({ projectId }) => ensureCallbackKey({ db, keyring }, "hmac", projectId)],
  ["its end", ({ projectId }) => retireCallbackKey(db, "hmac", projectId, 0)],
  [
    "a damaged row",
    ({ projectId }) =>
      db.run({ text: "update projects set allowed_ips = '{nonsense}' where id = $1", values: [projectId] }),
  ],
];

async function addKey(owner: { readonly merchantId: Id; readonly projectId: Id | null }): Promise<Id> {
  const scope = { ...owner, book: "test" as const, label: "", notBefore: new Date(0), notAfter: null };
  const key = await generateHmacKey(db, keyring, scope);
  if (!key.ok) throw new Error(key.error);
  return key.value.id;
}

async function revokeNewKey(owner: Owner): Promise<void> {
  await revokeApiKey(db, await addKey(owner));
}

describe("a change", () => {
  it("of any kind is read as if all had been read", async () => {
    const owner = await aProject(db);
    let previous = await readAll();
    for (const [name, change] of CHANGES) {
      await change(owner);
      const next = await readChanges(previous);
      expect([name, next.version > previous.version]).toEqual([name, true]);
      expect([name, contentsOf(next)]).toEqual([name, contentsOf(await readAll())]);
      previous = next;
    }
    expect(previous.projects.has(owner.projectId)).toBe(false);
  });

  it("of something else leaves a provider and its opened keys the very same", async () => {
    const code = "zenit";
    await addProvider({ db, keyring }, { ...PROVIDER, code, keys: [CALL_KEY] });
    const previous = await readAll();
    await aProject(db);
    const next = await readChanges(previous);
    expect(next.version).toBeGreaterThan(previous.version);
    expect(next.configuredProviders).toBe(previous.configuredProviders);
    await changeProvider(db, code, { settings: { callsMax: 3 } });
    const changed = (await readChanges(next)).configuredProviders;
    expect(changed.map((each, index) => each === next.configuredProviders[index])).toEqual(
      changed.map((each) => each.code !== code),
    );
  });

  it("that damages a provider's key is logged once, and the provider's other keys stay", async () => {
    const code = "damaged";
    await addProvider({ db, keyring }, { ...PROVIDER, code, keys: [CALL_KEY, { ...CALL_KEY, purpose: "callback" }] });
    await db.run({
      text: "update provider_keys set secret = '\\x00' where provider = $1 and purpose = 'call'",
      values: [code],
    });
    const lines: string[] = [];
    const noting = openLog({ level: "error", destination: { write: (line) => lines.push(line) } });
    const first = await loadDirectory(db, keyring, noting, undefined);
    await aProject(db);
    const second = await loadDirectory(db, keyring, noting, first);
    const found = second.configuredProviders.find((each) => each.code === code);
    expect(found?.keys.map(({ purpose }) => purpose)).toEqual(["callback"]);
    const ofIt = lines.map((line) => JSON.parse(line)).filter(({ provider }) => provider === code);
    expect(ofIt.map(({ msg }) => msg)).toEqual(["a provider's key cannot be read"]);
  });

  it("of one project reads no other again", async () => {
    const [one, other] = [await aProject(db), await aProject(db)];
    const previous = await readAll();
    await configureProject(db, one.projectId, { settings: { name: "Changed" } });
    expect(await listChangedProjects(db, previous.version)).toEqual([one.projectId]);
    const next = await readChanges(previous);
    expect(next.projects.get(one.projectId)?.name).toBe("Changed");
    expect(next.projects.get(other.projectId)).toBe(previous.projects.get(other.projectId));
  });

  it("that is not committed yet does not hide behind a later one", async () => {
    const { projectId } = await aProject(db);
    const previous = await readAll();
    let later: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await tx.run({ text: "update projects set name = 'first' where id = $1", values: [projectId] });
      later = aProject(db);
      expect((await readChanges(previous)).version).toBe(previous.version);
    });
    await later;
    expect((await readChanges(previous)).projects.get(projectId)?.name).toBe("first");
  });
});

it("an older copy of the database is read whole", async () => {
  const { projectId } = await aProject(db);
  const directory = await readAll();
  const ahead = { ...directory, version: (await getDirectoryVersion(db)) + 5n, projects: new Map() };
  expect((await readChanges(ahead)).projects.has(projectId)).toBe(true);
});
