import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import { type Direction, isOffered, METHODS, type Method } from "../../core/merchants/methods.ts";
import { isPlainRoute, type RouteCondition, type RouteEntry } from "../../core/merchants/route-entry.ts";
import { renderRoute } from "../../core/merchants/route-text.ts";
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
  /** Their weights and conditions; undefined: every payment asks them in their order. */
  readonly entries?: readonly RouteEntry[];
};

export type RouteFault =
  | ConditionFault
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

/** A condition that no payment can meet. */
export type ConditionFault =
  | { readonly kind: "bank_unknown"; readonly bank: string }
  | {
      readonly kind: "condition_never_met";
      readonly condition: string;
      readonly direction: Direction;
      readonly method: Method;
    };

/** The first condition that names a bank that there is not, or that no payment of the method can meet. */
export function findConditionFault(
  routes: readonly RouteChange[],
  isBank: (symbol: string) => boolean,
): ConditionFault | undefined {
  for (const { direction, method, entries = [] } of routes) {
    for (const { when = {} } of entries) {
      const bank = when.banks?.find((symbol) => !isBank(symbol));
      if (bank !== undefined) return { kind: "bank_unknown", bank };
      const currency = when.currencies?.find((each) => !isOffered(direction, method, each));
      const condition = currency === undefined ? neverMetCountry(direction, method, when) : `currency=${currency}`;
      if (condition !== undefined) return { kind: "condition_never_met", condition, direction, method };
    }
  }
  return undefined;
}

/** A country is of a card: that the payer pays with, or that a payout goes to. */
function neverMetCountry(direction: Direction, method: Method, { countries }: RouteCondition): string | undefined {
  const { product, requisite } = METHODS[method];
  const hasCard = direction === "payin" ? product === "ecom" : requisite === "card";
  return countries === undefined || hasCard ? undefined : `country=${countries.join("|")}`;
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
  const routes = changes.map(({ entries, ...change }) => {
    const rules = entries === undefined || isPlainRoute(entries) ? null : renderRoute(entries);
    return { ...change, projectId, rules };
  });
  for (const route of routes) await saveProjectRoute(tx, route);
  return routes;
}
