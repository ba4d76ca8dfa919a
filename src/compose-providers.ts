import type { DirectoryWatch } from "./app/merchants/watch-directory.ts";
import { type ClosableConnector, openConfiguredConnectors } from "./app/providers/configured-connectors.ts";
import type { ProviderHealth } from "./app/providers/health-window.ts";
import { type OpenProvider, type OpenProviderKey, openProviders } from "./app/providers/open-provider.ts";
import { watchConnector } from "./app/providers/provider-health.ts";
import type { Config } from "./config.ts";
import { openRegistry, type Registry } from "./connectors/registry.ts";
import { type BankNames, openUpstreamConnector, openUpstreamMemory } from "./connectors/upstream/connector.ts";
import type { UpstreamMemory } from "./connectors/upstream/memory.ts";
import { probeUpstream } from "./connectors/upstream/probe.ts";
import type { Connector } from "./core/connector.ts";
import type { ProviderProbe } from "./core/provider-probe.ts";
import { readUpstreamSettings } from "./core/upstream-settings.ts";
import { systemClock } from "./platform/clock.ts";
import type { Log } from "./platform/log.ts";
import type { Keyring } from "./platform/secrets.ts";
import { openPoolDesk } from "./pool/app/open-pool-desk.ts";
import { openPoolConnector } from "./pool/connector/connector.ts";
import type { Database } from "./store/db.ts";
import { listProviderKeys, type ProviderKeyPurpose } from "./store/providers/provider-keys.ts";
import { listConfiguredProviders } from "./store/providers/providers.ts";

type RegistryParts = {
  readonly config: Pick<Config, "mode">;
  readonly db: Database;
  readonly keyring: Keyring;
  readonly log: Log;
  readonly directory: Pick<DirectoryWatch, "peek">;
  /** Those of this process besides the pool: the sandbox's, where there is one. */
  readonly connectors: readonly Connector[];
  readonly publicUrl: () => string;
  readonly health: ProviderHealth;
};

/** Every provider that this process can speak to: the program's own, and those that an operator configures while it runs. */
export function composeRegistry(parts: RegistryParts, closers: (() => Promise<unknown>)[]): Registry {
  const { config, directory, log, connectors, publicUrl, health } = parts;
  const memoryOf = openMemories();
  const banksOf = (code: string) => directory.peek().providerBanks.get(code);
  const configured = openConfiguredConnectors({
    listProviders: () => directory.peek().configuredProviders,
    open: (provider) => {
      const { callsMax } = readUpstreamSettings(provider.settings);
      const line = { mode: config.mode, publicUrl, memoryOf, banksOf };
      return watchConnector(openProvider(line, provider), health, callsMax);
    },
    log,
    nowMs: systemClock.nowMs,
  });
  closers.push(configured.close);
  return openRegistry([...connectors, openPoolConnector(openPoolDesk(parts))], configured);
}

type ProviderParts = {
  readonly mode: Config["mode"];
  readonly publicUrl: () => string;
  readonly banksOf: (code: string) => BankNames | undefined;
  readonly memoryOf: (code: string) => UpstreamMemory;
};

/** One for each provider, for all connectors that are opened for it in turn. */
function openMemories(): ProviderParts["memoryOf"] {
  const memories = new Map<string, UpstreamMemory>();
  return (code) => {
    const memory = memories.get(code) ?? openUpstreamMemory();
    memories.set(code, memory);
    return memory;
  };
}

/** Opens the connector of a provider as its row and its keys say; throws where they do not suffice. */
function openProvider(
  { mode, publicUrl, banksOf, memoryOf }: ProviderParts,
  provider: OpenProvider,
): ClosableConnector {
  const { code } = provider;
  return openUpstreamConnector({
    ...{ code, ...lineTo(mode, provider), memory: memoryOf(code) },
    callbackKeys: keysFor(provider, "callback"),
    callbackUrl: () => `${publicUrl()}/provider/${code}/callback`,
    banks: () => banksOf(code) ?? NO_NAMES,
  });
}

/** For a command: what the provider answers to this machine. */
export function probeProvider(mode: Config["mode"], provider: OpenProvider): Promise<ProviderProbe> {
  return probeUpstream(lineTo(mode, provider));
}

function lineTo(mode: Config["mode"], provider: OpenProvider) {
  const callKeys = keysFor(provider, "call");
  if (callKeys.length === 0) throw new Error("it has no key that signs our calls");
  return { baseUrl: provider.baseUrl, settings: readUpstreamSettings(provider.settings), callKeys, mode };
}

function keysFor({ keys }: OpenProvider, purpose: ProviderKeyPurpose): readonly OpenProviderKey[] {
  return keys.filter((key) => key.purpose === purpose);
}

/** Until its list of banks is read, which happens within seconds. One symbol may be two banks: nothing is guessed. */
const NO_NAMES: BankNames = { toTheirs: () => undefined, toOurs: () => undefined };

type CommandParts = {
  readonly config: Pick<Config, "mode">;
  readonly db: Database;
  readonly keyring: Keyring;
  readonly log: Log;
};

/** For a command that asks a provider something; undefined: it is not configured. Throws where it cannot be opened as it is. */
export async function openProviderOfCommand(
  { config, db, keyring, log }: CommandParts,
  code: string,
): Promise<ClosableConnector | undefined> {
  const read = await db.transaction(async (tx) => {
    const configured = (await listConfiguredProviders(tx)).filter((each) => each.code === code);
    return { configured, keys: await listProviderKeys(tx), previous: undefined };
  }, "snapshot");
  const [provider] = openProviders({ keyring, log }, read);
  if (provider === undefined) return undefined;
  // Commands only read: no call names a bank of ours, or the URL of callbacks.
  const line = { mode: config.mode, publicUrl: () => "", banksOf: () => undefined, memoryOf: openMemories() };
  return openProvider(line, provider);
}
