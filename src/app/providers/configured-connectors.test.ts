import { describe, expect, it } from "vitest";
import { openLog } from "../../platform/log.ts";
import { aFakeProvider } from "../../testing/rigs/fake-provider.ts";
import { type ClosableConnector, openConfiguredConnectors } from "./configured-connectors.ts";
import type { OpenProvider, OpenProviderKey } from "./open-provider.ts";

const START_MS = Date.parse("2026-01-31T10:00:00Z");

function aKey(id: string, retiresAt: Date | null = null): OpenProviderKey {
  const created = { createdAt: new Date(START_MS), retiresAt };
  return {
    id,
    provider: "b",
    purpose: "call",
    kind: "rsa",
    token: id,
    secret: undefined,
    ...created,
  } as OpenProviderKey;
}

function aProvider(code: string, changes: Partial<OpenProvider> = {}): OpenProvider {
  const row = { kind: "upstream", book: "live", baseUrl: "https://b.example", settings: {} } as const;
  return { code, ...row, createdAt: new Date(START_MS), retiredAt: null, keys: [aKey("k1")], ...changes };
}

/** A directory that a test changes, and connectors that remember what was done with them. */
function aWorld(first: readonly OpenProvider[] = []) {
  const logged: string[] = [];
  const opened: { readonly provider: OpenProvider; readonly connector: ClosableConnector; closed: boolean }[] = [];
  const world = { providers: first, nowMs: START_MS, refuses: new Set<string>() };
  const connectors = openConfiguredConnectors({
    listProviders: () => world.providers,
    open: (provider) => {
      if (world.refuses.has(provider.code)) throw new Error("a damaged key");
      const close = async () => {
        entry.closed = true;
      };
      const entry = { provider, connector: { ...aFakeProvider(provider.code), close }, closed: false };
      opened.push(entry);
      return entry.connector;
    },
    log: openLog({ level: "info", destination: { write: (line) => logged.push(line) } }),
    nowMs: () => world.nowMs,
    leftOpenMs: 0,
  });
  return { world, connectors, opened, logged };
}

describe("a configured provider", () => {
  it("is found as soon as the directory has it, and is opened once", () => {
    const { world, connectors, opened } = aWorld();
    expect(connectors.find("b")).toBeUndefined();
    world.providers = [aProvider("b")];
    const found = connectors.find("b");
    expect(found).toBe(opened[0]?.connector);
    expect(connectors.find("b")).toBe(found);
    expect(connectors.list()).toEqual([found]);
    expect(opened).toHaveLength(1);
  });

  it("is opened again when its row or its keys change, and the others stay as they are", async () => {
    const [b, c] = [aProvider("b"), aProvider("c")];
    const { world, connectors, opened } = aWorld([b, c]);
    const [first, other] = [connectors.find("b"), connectors.find("c")];
    world.providers = [aProvider("b", { keys: [aKey("k1"), aKey("k2")] }), c];
    expect(connectors.find("b")).not.toBe(first);
    expect(connectors.find("c")).toBe(other);
    expect(opened.map(({ provider }) => provider.keys.length)).toEqual([1, 1, 2]);
    await expect.poll(() => opened.map(({ closed }) => closed)).toEqual([true, false, false]);
  });

  it("that is replaced stays open for a while, for work that found it before", async () => {
    const closed: string[] = [];
    let providers = [aProvider("b")];
    const connectors = openConfiguredConnectors({
      listProviders: () => providers,
      open: ({ baseUrl }) => ({ ...aFakeProvider("b"), close: async () => void closed.push(baseUrl) }),
      log: openLog({ level: "silent", destination: { write: () => undefined } }),
      nowMs: () => START_MS,
    });
    connectors.find("b");
    providers = [aProvider("b", { baseUrl: "https://b2.example" })];
    connectors.find("b");
    expect(closed).toEqual([]);
    await connectors.close();
    expect(closed.toSorted()).toEqual(["https://b.example", "https://b2.example"]);
  });

  it("loses a key at the moment in which it retires, without a change of the directory", () => {
    const retiresAt = new Date(START_MS + 60_000);
    const { world, connectors, opened } = aWorld([aProvider("b", { keys: [aKey("old", retiresAt), aKey("new")] })]);
    const before = connectors.find("b");
    world.nowMs += 59_999;
    expect(connectors.find("b")).toBe(before);
    world.nowMs += 1;
    const after = connectors.find("b");
    expect(after).not.toBe(before);
    expect(opened.map(({ provider }) => provider.keys.map(({ id }) => id))).toEqual([["old", "new"], ["new"]]);
    world.nowMs += 60_000;
    expect(connectors.find("b")).toBe(after);
  });

  it("that cannot be opened is unknown and logged once, until it changes; the others work", () => {
    const { world, connectors, logged } = aWorld([aProvider("b"), aProvider("c")]);
    world.refuses.add("b");
    expect([connectors.find("b"), connectors.find("b"), connectors.find("c")?.code]).toEqual([
      undefined,
      undefined,
      "c",
    ]);
    world.providers = [...world.providers];
    expect(connectors.find("b")).toBeUndefined();
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ provider: "b", reason: "a damaged key", msg: "a provider cannot be used" }),
    ]);
    world.refuses.clear();
    world.providers = [aProvider("b"), aProvider("c")];
    expect(connectors.find("b")?.code).toBe("b");
  });
});
