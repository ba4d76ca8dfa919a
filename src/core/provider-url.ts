import { findMerchantUrlFault, isOwnMachine } from "./merchants/merchant-url.ts";

/**
 * What is wrong with the address of a provider, as the end of a sentence; undefined when nothing is. Its paths are put behind
 * it, so it has no query. Card numbers go there: plain http is for a provider on this machine, in development only.
 */
export function findProviderUrlFault(text: string, mode: "development" | "production"): string | undefined {
  const fault = findMerchantUrlFault(text, "callback", mode);
  if (fault !== undefined) return fault.message;
  const url = new URL(text);
  if (text.includes("?")) return "must not hold a query, which is ? and what follows";
  if (url.protocol === "http:" && !isOwnMachine(url.hostname)) {
    return "must begin with https://; http:// is for a provider on this machine only";
  }
  return undefined;
}
