import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Direction, Method } from "../../core/merchants/methods.ts";
import { findProviderFault, type ProviderCatalog } from "../../core/providers.ts";
import type { Transaction } from "../../store/db.ts";
import { findProjectLimits, type ProjectLimits, saveProjectLimits } from "../../store/merchants/project-limits.ts";
import { type ProjectRoute, saveProjectRoute } from "../../store/merchants/project-routes.ts";
import type { DailyLimits } from "../../store/payments/create-payments.ts";

/** A project's limits of a day, and the providers that its payments go through. */

/** What is to be true of the limits in each of the places. What is not named stays as it is; null is no limit. */
export type LimitChange = {
  readonly places: readonly { readonly direction: Direction; readonly currency: Currency }[];
  readonly changes: Partial<DailyLimits>;
};

/** No providers: the default. */
export type RouteChange = {
  readonly direction: Direction;
  readonly method: Method;
  readonly providers: readonly string[];
};

export type RouteFault =
  | { readonly kind: "provider_unknown"; readonly provider: string; readonly book: Book }
  | { readonly kind: "provider_of_other_book" | "provider_retired"; readonly provider: string; readonly book: Book }
  | {
      readonly kind: "method_not_served";
      readonly provider: string;
      readonly direction: Direction;
      readonly method: Method;
    };

/** The first provider that is unknown or retired, may not see money of this book, or cannot do what it is to be asked for. */
export function findRouteFault(
  catalog: ProviderCatalog,
  book: Book,
  routes: readonly RouteChange[],
): RouteFault | undefined {
  for (const { direction, method, providers } of routes) {
    for (const provider of providers) {
      const kind = findProviderFault(catalog, provider, book);
      if (kind !== undefined) return { kind, provider, book };
      const row = catalog.get(provider);
      if (row?.takesNew !== true) return { kind: "provider_retired", provider, book };
      if (!row.serves(direction, method)) {
        return { kind: "method_not_served", provider, direction, method };
      }
    }
  }
  return undefined;
}

const UNLIMITED: DailyLimits = { countMax: null, sumMax: null, customerCountMax: null, customerSumMax: null };

export async function saveLimits(
  tx: Transaction,
  projectId: Id,
  change: LimitChange | undefined,
): Promise<ProjectLimits[]> {
  const saved: ProjectLimits[] = [];
  for (const place of change?.places ?? []) {
    const present = await findProjectLimits(tx, projectId, place.direction, place.currency);
    const limits: ProjectLimits = { ...UNLIMITED, ...present, ...change?.changes, ...place, projectId };
    await saveProjectLimits(tx, limits);
    saved.push(limits);
  }
  return saved;
}

export async function saveRoutes(
  tx: Transaction,
  projectId: Id,
  changes: readonly RouteChange[],
): Promise<ProjectRoute[]> {
  const routes = changes.map((change) => ({ ...change, projectId }));
  for (const route of routes) await saveProjectRoute(tx, route);
  return routes;
}
