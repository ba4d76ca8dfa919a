import type { Book } from "../merchants/book.ts";
import type { Direction, Method } from "../merchants/methods.ts";
import { listProviders, type RoutedProject } from "../merchants/routing.ts";
import type { ProviderCatalog } from "../providers.ts";

/** Which cards a payment may name: the sandbox's, real ones, or both. */
export type CardsTaken = Book | "both";

/**
 * A test project takes the sandbox's cards only, and a live project takes real ones only. While every provider that the
 * payment could go through is one for rehearsals, the live project takes the sandbox's cards too: no real provider sees them.
 */
export function cardsTaken(
  catalog: ProviderCatalog,
  project: RoutedProject,
  offer: { readonly direction: Direction; readonly method: Method },
  named: string | undefined,
): CardsTaken {
  if (project.book === "test") return "test";
  const providers = listProviders(catalog, project, offer.direction, offer.method, named);
  const rehearses = providers.length > 0 && providers.every((code) => catalog.get(code)?.takesTestCards === true);
  return rehearses ? "both" : "live";
}
