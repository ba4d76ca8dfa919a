import { BUILT_IN_PROVIDERS, type ProviderCatalog } from "../../core/providers.ts";
import { readUpstreamSettings, upstreamServes } from "../../core/upstream-settings.ts";
import type { Transaction } from "../../store/db.ts";
import { type ConfiguredProvider, listConfiguredProviders } from "../../store/providers/providers.ts";

/** The providers of the program, and those that an operator configured: whose money each may see, and what it can do. */
export function catalogOf(configured: readonly ConfiguredProvider[]): ProviderCatalog {
  const catalog = new Map(BUILT_IN_PROVIDERS);
  for (const { code, book, settings, retiredAt } of configured) {
    const upstream = readUpstreamSettings(settings);
    catalog.set(code, {
      books: [book],
      takesNew: retiredAt === null,
      serves: (direction, method) => upstreamServes(upstream, direction, method),
      takesTestCards: upstream.testCards,
    });
  }
  return catalog;
}

export async function readProviderCatalog(tx: Transaction): Promise<ProviderCatalog> {
  return catalogOf(await listConfiguredProviders(tx));
}
