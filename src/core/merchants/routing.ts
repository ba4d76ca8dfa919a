import type { Currency } from "../currency.ts";
import type { Minor } from "../money.ts";
import { findProviderFault, type ProviderCatalog } from "../providers.ts";
import type { Book } from "./book.ts";
import type { Direction, Method } from "./methods.ts";
import { entriesInOrder, orderEntries, type RouteCondition, type RouteEntry } from "./route-entry.ts";

/** What decides where a payment can go. */
export type RoutedProject = {
  readonly book: Book;
  readonly routes: readonly {
    readonly direction: Direction;
    readonly method: Method;
    readonly providers: readonly string[];
    /** Undefined: the providers in their order, for every payment. */
    readonly entries?: readonly RouteEntry[] | undefined;
  }[];
};

/** What a route is chosen by. */
export type RouteFacts = {
  readonly direction: Direction;
  readonly method: Method;
  readonly currency: Currency;
  readonly amount: Minor;
  /** The provider that the merchant named. */
  readonly named: string | undefined;
  /** The merchant's name for the payment: it decides between providers that share. Undefined: there is none yet. */
  readonly key: string | undefined;
  /** Only where a condition needs it: a receiver must be decrypted for it. */
  readonly origin: () => RouteOrigin;
};

/** Null: there is none, or it is not known, and no condition on it holds. Undefined: the payer has not said it yet. */
export type RouteOrigin = { readonly country: string | null | undefined; readonly bank: string | null | undefined };

/** The payer of a hosted page has not chosen yet: every condition on it may hold. */
export const NOT_SAID: RouteOrigin = { country: undefined, bank: undefined };

const SANDBOX_PROVIDER = "sandbox";

/** Without a chosen route: test money goes to the sandbox, and real money nowhere. */
const DEFAULT_PROVIDERS: Readonly<Record<Book, readonly string[]>> = { test: [SANDBOX_PROVIDER], live: [] };

function findRoute(project: RoutedProject, { direction, method }: Pick<RouteFacts, "direction" | "method">) {
  for (const route of project.routes) {
    if (route.direction === direction && route.method === method && route.providers.length > 0) return route;
  }
  return undefined;
}

/**
 * The providers to ask, in order: those of the project's route that the payment fits, or the one that the merchant named. No
 * provider sees money of a book that is not its own, whatever a route says, and one that was retired gets nothing new.
 */
export function listProviders(catalog: ProviderCatalog, project: RoutedProject, facts: RouteFacts): readonly string[] {
  const route = findRoute(project, facts);
  if (route?.entries === undefined) {
    const chosen = route?.providers ?? DEFAULT_PROVIDERS[project.book];
    return chosen.filter((provider) => findMisfit(catalog, project.book, provider, facts.named) === undefined);
  }
  const fitting = orderEntries(route.entries, facts.key).filter(
    (entry) => findEntryMisfit(catalog, project.book, entry, facts) === undefined,
  );
  return [...new Set(fitting.map(({ provider }) => provider))];
}

function findMisfit(
  catalog: ProviderCatalog,
  book: Book,
  provider: string,
  named: string | undefined,
): string | undefined {
  if (named !== undefined && provider !== named) return `the merchant named ${named}`;
  if (catalog.get(provider)?.takesNew === false) return "it was retired";
  const isOther = findProviderFault(catalog, provider, book) === "provider_of_other_book";
  return isOther ? `it never sees ${book} money` : undefined;
}

function findEntryMisfit(
  catalog: ProviderCatalog,
  book: Book,
  { provider, when }: RouteEntry,
  facts: RouteFacts,
): string | undefined {
  return findMisfit(catalog, book, provider, facts.named) ?? (when && findUnmetCondition(when, facts));
}

/** Which condition does not hold, for people. What the payer has not said yet may hold. */
function findUnmetCondition(when: RouteCondition, facts: RouteFacts): string | undefined {
  const { minAmount, maxAmount, currencies, countries, banks } = when;
  if (minAmount !== undefined && facts.amount < minAmount) return `the amount is below ${minAmount}`;
  if (maxAmount !== undefined && facts.amount > maxAmount) return `the amount is above ${maxAmount}`;
  if (currencies !== undefined && !currencies.includes(facts.currency)) {
    return `the currency is not ${currencies.join(" or ")}`;
  }
  if (countries === undefined && banks === undefined) return undefined;
  const { country, bank } = facts.origin();
  return findUnmetList("country", countries, country) ?? findUnmetList("bank", banks, bank);
}

function findUnmetList(
  name: "country" | "bank",
  wanted: readonly string[] | undefined,
  value: string | null | undefined,
): string | undefined {
  if (wanted === undefined || value === undefined) return undefined;
  if (value === null) return `the ${name} is not known`;
  return wanted.includes(value) ? undefined : `the ${name} is ${value}, not ${wanted.join(" or ")}`;
}

/** An entry of a route, and why its provider is not asked; undefined: it may be. */
export type JudgedEntry = {
  readonly entry: RouteEntry;
  readonly passed: string | undefined;
  /** Of its rank the weight of those that may be asked; undefined: it shares with no other. */
  readonly sharedWeight: number | undefined;
};

/** Every entry in the order in which the payment asks them. `findObstacle` says why a provider cannot be asked now. */
export function judgeRoute(
  catalog: ProviderCatalog,
  project: RoutedProject,
  facts: RouteFacts,
  findObstacle: (provider: string) => string | undefined,
): readonly JudgedEntry[] {
  const route = findRoute(project, facts);
  const entries = route?.entries ?? entriesInOrder(route?.providers ?? DEFAULT_PROVIDERS[project.book]);
  const judged = orderEntries(entries, facts.key).map((entry) => ({
    entry,
    passed: findEntryMisfit(catalog, project.book, entry, facts) ?? findObstacle(entry.provider),
  }));
  return judged.map(({ entry, passed }) => {
    const sharing = judged.filter((other) => other.passed === undefined && other.entry.rank === entry.rank);
    const weights = sharing.map((other) => other.entry.weight);
    const isShared = passed === undefined && weights.length > 1;
    return { entry, passed, sharedWeight: isShared ? weights.reduce((sum, each) => sum + each) : undefined };
  });
}

/** What is kept with an attempt: each provider that came before it on the route, itself at the end, and the reason. */
export type RouteReasons = readonly (readonly [provider: string, reason: string])[];

/** Null where there is nothing to tell: the first provider of a plain route was taken. */
export function reasonsFor(
  catalog: ProviderCatalog,
  project: RoutedProject,
  facts: RouteFacts,
  findObstacle: (provider: string) => string | undefined,
  taken: string,
): RouteReasons | null {
  const route = findRoute(project, facts);
  if (route?.entries === undefined && (route?.providers ?? DEFAULT_PROVIDERS[project.book])[0] === taken) return null;
  const reasons: (readonly [string, string])[] = [];
  for (const { entry, passed, sharedWeight } of judgeRoute(catalog, project, facts, findObstacle)) {
    if (passed === undefined) {
      const share = sharedWeight === undefined ? "taken" : `taken, by weight ${entry.weight} of ${sharedWeight}`;
      return [...reasons, [entry.provider, share]];
    }
    reasons.push([entry.provider, passed]);
  }
  // A card that was accepted before the last acquirer stopped is still sent.
  return [...reasons, [taken, "taken, although none was free"]];
}
