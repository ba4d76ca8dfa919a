import type { ProviderBalance, ProviderBank, ProviderBooks, ProviderEntry } from "../../core/connector.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Database } from "../../store/db.ts";
import { minor, RUB } from "./projects.ts";

/** A provider as an operator configures one; its connector is up to the test. */
export async function aConfiguredProvider(db: Database, code: string, book: Book = "live"): Promise<string> {
  await db.run({
    text: `insert into providers (code, kind, book, base_url, settings) values ($1, 'upstream', $2, 'https://gateway.example', $3)`,
    values: [code, book, JSON.stringify({ merchantId: "m", projectId: "p" })],
  });
  return code;
}

/** Books that say what a test tells them to; a test may change each at any time. */
export type FakeBooks = ProviderBooks & {
  balances: readonly ProviderBalance[] | undefined;
  banks: readonly ProviderBank[] | undefined;
  entry: (reference: string) => ProviderEntry | Promise<ProviderEntry>;
  /** Everything that was asked for, in order. */
  readonly asked: string[];
};

export function fakeBooks(given: Partial<Pick<FakeBooks, "balances" | "banks" | "entry">> = {}): FakeBooks {
  const asked: string[] = [];
  const note = (what: string) => void asked.push(what);
  const books: FakeBooks = {
    balances: [],
    banks: [],
    entry: () => ({ kind: "never_seen" }),
    ...given,
    asked,
    readBalances: async () => {
      note("balances");
      return books.balances;
    },
    readBanks: async () => {
      note("banks");
      return books.banks;
    },
    readEntry: async ({ direction, reference }) => {
      note(`${direction} ${reference}`);
      return books.entry(reference);
    },
  };
  return books;
}

export function aBalance(amount: number, lockedAmount = 0): ProviderBalance {
  return { currency: RUB, amount: minor(amount), lockedAmount: minor(lockedAmount) };
}

export function aTheirBank(symbol: string, name: string, sbpCode?: string, countryCode = "RU"): ProviderBank {
  return { symbol, name, sbpCode, countryCode };
}
