import type { Connector } from "../../core/connector.ts";
import { type Log, reasonOf } from "../../platform/log.ts";
import type { OpenProvider } from "./open-provider.ts";

/** A connector that holds connections: `close` waits for the calls under way, and gives them back. */
export type ClosableConnector = Connector & { readonly close: () => Promise<void> };

/** The connectors of the providers that an operator configured: opened, replaced and closed as the directory changes. */
export type ConfiguredConnectors = {
  readonly find: (code: string) => Connector | undefined;
  readonly list: () => readonly Connector[];
  readonly close: () => Promise<void>;
};

type Deps = {
  /** As the directory has them now; the same array as long as nothing changed. */
  readonly listProviders: () => readonly OpenProvider[];
  /** Throws where a provider cannot be opened as it is. It is given the keys that are in force. */
  readonly open: (provider: OpenProvider) => ClosableConnector;
  readonly log: Log;
  readonly nowMs: () => number;
  /** How long a connector that was replaced stays open for work that found it before. */
  readonly leftOpenMs?: number;
};

const LEFT_OPEN_MS = 60_000;

/** `connector`: undefined where it could not be opened; the provider is unknown until an operator fixes it. */
type Opened = { readonly provider: OpenProvider; readonly connector: ClosableConnector | undefined };

export function openConfiguredConnectors(deps: Deps): ConfiguredConnectors {
  const { log, leftOpenMs = LEFT_OPEN_MS } = deps;
  let seen: readonly OpenProvider[] = [];
  /** When the next key retires: the directory does not change then. */
  let keyRetiresAtMs = Number.POSITIVE_INFINITY;
  let opened: ReadonlyMap<string, Opened> = new Map();
  const replaced = new Map<ClosableConnector, NodeJS.Timeout>();

  function refresh(): ReadonlyMap<string, Opened> {
    const providers = deps.listProviders();
    const nowMs = deps.nowMs();
    if (providers === seen && nowMs < keyRetiresAtMs) return opened;
    const before = opened;
    const retiredAtMs = keyRetiresAtMs;
    opened = new Map(
      providers.map((provider) => {
        const known = before.get(provider.code);
        const stays = known?.provider === provider && !hasRetired(provider, retiredAtMs, nowMs);
        return [provider.code, stays ? known : openOne(provider, nowMs)];
      }),
    );
    seen = providers;
    keyRetiresAtMs = nextRetirement(providers, nowMs);
    for (const [code, { connector }] of before) {
      if (connector !== undefined && opened.get(code)?.connector !== connector) closeLater(connector);
    }
    return opened;
  }

  /** Tried again only when something changed, so that its fault is logged once. */
  function openOne(provider: OpenProvider, nowMs: number): Opened {
    try {
      const keys = provider.keys.filter(({ retiresAt }) => retiresAt === null || retiresAt.getTime() > nowMs);
      return { provider, connector: deps.open({ ...provider, keys }) };
    } catch (error) {
      log.error({ provider: provider.code, reason: reasonOf(error) }, "a provider cannot be used");
      return { provider, connector: undefined };
    }
  }

  /** Work that found it a moment ago may call it still. */
  function closeLater(connector: ClosableConnector): void {
    const timer = setTimeout(() => {
      replaced.delete(connector);
      void closeOne(connector);
    }, leftOpenMs);
    timer.unref();
    replaced.set(connector, timer);
  }

  async function closeOne(connector: ClosableConnector): Promise<void> {
    try {
      await connector.close();
    } catch (error) {
      log.warn({ provider: connector.code, reason: reasonOf(error) }, "a provider could not be closed");
    }
  }

  const connectorsOf = (some: ReadonlyMap<string, Opened>) =>
    [...some.values()].flatMap(({ connector }) => connector ?? []);
  return {
    find: (code) => refresh().get(code)?.connector,
    list: () => connectorsOf(refresh()),
    close: async () => {
      for (const timer of replaced.values()) clearTimeout(timer);
      await Promise.all([...connectorsOf(opened), ...replaced.keys()].map(closeOne));
    },
  };
}

/** Whether one of its keys came to its end since the last time. */
function hasRetired({ keys }: OpenProvider, sinceMs: number, nowMs: number): boolean {
  return keys.some(({ retiresAt }) => {
    const endMs = retiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    return endMs >= sinceMs && endMs <= nowMs;
  });
}

function nextRetirement(providers: readonly OpenProvider[], nowMs: number): number {
  const ends = providers.flatMap(({ keys }) => keys.map(({ retiresAt }) => retiresAt?.getTime() ?? nowMs));
  return Math.min(...ends.filter((endMs) => endMs > nowMs));
}
