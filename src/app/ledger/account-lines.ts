import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Transfer } from "../../core/ledger/transfers.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Database, Transaction } from "../../store/db.ts";
import type { SuspenseMove } from "../../store/ledger/suspense-moves.ts";
import type { ProviderFunds } from "../../store/providers/provider-funds.ts";

/** The receiving account that money in suspense is sent back from, or that funds of a provider leave or reach. */
export type SendingAccount = {
  readonly id: Id;
  readonly code: string;
  readonly book: Book;
  readonly currency: Currency;
};

/** What suspense, and funds of providers, need of the bank's lines of receiving accounts. The pool keeps them, and hands this in. */
export type AccountLines = {
  /** The account that a way names, its lines locked; undefined where it names none. Called before payments are locked. */
  readonly lockAccountOfWay: (tx: Transaction, way: string) => Promise<SendingAccount | undefined>;
  /**
   * Records the line that a return is. Answers what is to be posted besides, or `taken`: the bank's reference names
   * something else.
   */
  readonly recordReturn: (
    tx: Transaction,
    account: SendingAccount,
    move: SuspenseMove,
    now: Date,
  ) => Promise<readonly Transfer[] | "taken">;
  /** Takes the line of a reversed return out. Answers what is to be posted besides. */
  readonly takeReturnOut: (
    tx: Transaction,
    account: SendingAccount,
    move: SuspenseMove,
    words: { readonly actor: string; readonly reason: string },
  ) => Promise<readonly Transfer[]>;
  /** Records the line that funds of a provider are. Answers as `recordReturn` does. */
  readonly recordFunds: (
    tx: Transaction,
    account: SendingAccount,
    funds: ProviderFunds,
    now: Date,
  ) => Promise<readonly Transfer[] | "taken">;
  /** Takes the line of reversed funds out. Answers what is to be posted besides. */
  readonly takeFundsOut: (
    tx: Transaction,
    account: SendingAccount,
    funds: ProviderFunds,
    words: { readonly actor: string; readonly reason: string },
  ) => Promise<readonly Transfer[]>;
};

/** What moving money out of suspense or to and from providers, and taking that back, stand on. */
export type SuspenseDeps = { readonly db: Database; readonly lines: AccountLines };
