import type { ClearingAccount } from "./ledger/accounts.ts";
import type { Book } from "./merchants/book.ts";
import { type Direction, METHODS, type Method } from "./merchants/methods.ts";

/** The kinds that an operator can configure instances of. `upstream`: a gateway that speaks the protocol that we serve. */
export const PROVIDER_KINDS = ["upstream"] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

export type ProviderRow = {
  readonly books: readonly Book[];
  /** False for one that an operator retired: it only follows the payments that it has to their end. */
  readonly takesNew: boolean;
  /** What its connector offers, whatever the currency. */
  readonly serves: (direction: Direction, method: Method) => boolean;
  /** For rehearsals: behind it are test projects of another gateway, so it may be given the sandbox's cards. */
  readonly takesTestCards?: boolean;
};

/** Whether this process can speak to a provider, by its code; operators add and retire providers while it runs. */
export type ProviderCodes = Pick<ReadonlySet<string>, "has">;

/** By code: the providers of the program, and those that an operator configured. */
export type ProviderCatalog = ReadonlyMap<string, ProviderRow>;

/**
 * The providers that payments can go through, whose money each may see, and what each can do: the sandbox never touches
 * real money, and the pool charges no cards.
 */
export const PROVIDERS = {
  sandbox: { books: ["test"], takesNew: true, serves: () => true },
  /** The operator's own receiving accounts, each of the book that it was made for. */
  pool: {
    books: ["test", "live"],
    takesNew: true,
    serves: (direction, method) => direction === "payout" || METHODS[method].product === "p2p",
  },
} as const satisfies Record<string, ProviderRow>;

export type ProviderCode = keyof typeof PROVIDERS;

export const POOL_PROVIDER = "pool" satisfies ProviderCode;
export const SANDBOX_PROVIDER = "sandbox" satisfies ProviderCode;

/** Not a provider: money that people moved by hand, as its clearing account and its receipts call it. */
export const BY_HAND = "manual";

/** Those that are part of the program. */
export const BUILT_IN_PROVIDERS: ProviderCatalog = new Map(Object.entries(PROVIDERS));

const CODE = /^[a-z][a-z0-9-]{1,31}$/;

export function isProviderCode(text: string): boolean {
  return CODE.test(text);
}

/** The program's own providers, the accounts of the pool (`pool-…`) and `manual`: no provider is configured under their names. */
const RESERVED: readonly string[] = [...Object.keys(PROVIDERS), BY_HAND];

export function isReservedCode(code: string): boolean {
  return RESERVED.some((name) => code === name || code.startsWith(`${name}-`));
}

export type ProviderFault = "provider_unknown" | "provider_of_other_book";

/** Why money of this book cannot go through it. */
export function findProviderFault(catalog: ProviderCatalog, code: string, book: Book): ProviderFault | undefined {
  const provider = catalog.get(code);
  if (provider === undefined) return "provider_unknown";
  return provider.books.includes(book) ? undefined : "provider_of_other_book";
}

/**
 * Which way money moves: a provider, or one account of a provider that has several. Its clearing account and its receipts
 * bear this name.
 */
export function wayOf(provider: string, account: string | undefined): string {
  return account === undefined ? provider : `${provider}-${account}`;
}

const POOL_WAY = `${POOL_PROVIDER}-`;

/** The receiving account that a way names. */
export function accountOfWay(way: string): string | undefined {
  return way.startsWith(POOL_WAY) ? way.slice(POOL_WAY.length) : undefined;
}

export function clearingOf(way: string): ClearingAccount {
  return `clearing:${way}`;
}

/** The clearing account of one of the operator's own receiving accounts. */
export function clearingOfAccount(code: string): ClearingAccount {
  return clearingOf(wayOf(POOL_PROVIDER, code));
}
