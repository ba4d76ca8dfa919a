import { readProviderCatalog } from "../../app/providers/provider-catalog.ts";
import { BUILT_IN_PROVIDERS } from "../../core/providers.ts";
import type { Transaction } from "../../store/db.ts";
import { CliFault } from "../kit/command.ts";
import { quote, wrongUsage } from "../kit/option-values.ts";

/** A code that no provider has. The sentence lists those there are, of the program and configured. */
export async function providerUnknown(tx: Transaction, code: string): Promise<CliFault> {
  const known = [...(await readProviderCatalog(tx)).keys()].join(", ");
  return wrongUsage(`There is no provider ${quote(code)}. The providers are: ${known}.`);
}

/** For the commands that are about providers that an operator added. */
export async function providerNotConfigured(tx: Transaction, code: string): Promise<CliFault> {
  return BUILT_IN_PROVIDERS.has(code)
    ? new CliFault(`${code} is part of Tillgate: it has no settings and no keys of its own.`)
    : providerUnknown(tx, code);
}
