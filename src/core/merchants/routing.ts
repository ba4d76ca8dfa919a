import { findProviderFault, type ProviderCatalog } from "../providers.ts";
import type { Book } from "./book.ts";
import type { Direction, Method } from "./methods.ts";

/** What decides where a payment can go. */
export type RoutedProject = {
  readonly book: Book;
  readonly routes: readonly {
    readonly direction: Direction;
    readonly method: Method;
    readonly providers: readonly string[];
  }[];
};

const SANDBOX_PROVIDER = "sandbox";

/** Without a chosen route: test money goes to the sandbox, and real money nowhere. */
const DEFAULT_PROVIDERS: Readonly<Record<Book, readonly string[]>> = { test: [SANDBOX_PROVIDER], live: [] };

/**
 * The providers to ask, in order: those of the project's route, or the one that the merchant named. No provider sees money
 * of a book that is not its own, whatever a route says, and one that was retired gets nothing new.
 */
export function listProviders(
  catalog: ProviderCatalog,
  project: RoutedProject,
  direction: Direction,
  method: Method,
  named: string | undefined,
): readonly string[] {
  const route = project.routes.find((each) => each.direction === direction && each.method === method);
  const chosen =
    route === undefined || route.providers.length === 0 ? DEFAULT_PROVIDERS[project.book] : route.providers;
  return chosen.filter(
    (provider) =>
      (named === undefined || provider === named) &&
      catalog.get(provider)?.takesNew !== false &&
      findProviderFault(catalog, provider, project.book) !== "provider_of_other_book",
  );
}
