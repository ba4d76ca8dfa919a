import { ensureHouseProject } from "../../app/ledger/house-project.ts";
import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import { AMOUNT_MAX, AMOUNT_MIN } from "../../core/money.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { brokenConstraint } from "../../store/faults.ts";
import { listBanks } from "../../store/merchants/banks.ts";
import {
  type AccountSettings,
  insertReceivingAccount,
  isTimeZone,
  lockReceivingAccount,
  type ReceivingAccount,
  updateReceivingAccount,
} from "../store/receiving-accounts.ts";
import { hashOfNumber, sealText } from "./pool-secrets.ts";

/** The operator's receiving accounts: opening them, and changing what they may take. */

type Deps = { readonly db: Database; readonly keyring: Keyring };

export type NewAccount = {
  readonly code: string;
  readonly book: Book;
  readonly currency: Currency;
  /** Whose name the payer sees. */
  readonly holder: string;
  /** The number that statements name it by; null: none. */
  readonly number?: string | null | undefined;
  readonly settings: Pick<AccountSettings, "bank" | "country"> & Partial<AccountSettings>;
};

export type AccountChanges = {
  readonly holder?: string | undefined;
  readonly number?: string | null | undefined;
  readonly settings: Partial<AccountSettings>;
};

export type AccountFault =
  | "account_unknown"
  | "code_taken"
  | "bank_unknown"
  | "time_zone_unknown"
  | "number_taken"
  | "limits_crossed"
  | "hours_incomplete";

const USUAL: Omit<AccountSettings, "bank" | "country"> = {
  owner: "",
  timeZone: "UTC",
  enabled: true,
  priority: 0,
  minAmount: AMOUNT_MIN,
  maxAmount: AMOUNT_MAX,
  dayCountMax: null,
  daySumMax: null,
  parallelMax: null,
  coolDownS: 0,
  opensAt: null,
  closesAt: null,
  quarantineS: 3_600,
  openingBalance: 0n,
  statementMapping: null,
};

export function createReceivingAccount(
  { db, keyring }: Deps,
  wanted: NewAccount,
): Promise<Result<ReceivingAccount, AccountFault>> {
  const { code, book, currency } = wanted;
  const id = newId();
  const account: ReceivingAccount = {
    ...USUAL,
    ...wanted.settings,
    ...{ id, code, book, currency },
    holder: sealHolder(keyring, id, wanted.holder),
    ...sealNumber(keyring, id, wanted.number ?? null),
  };
  return unlessNumberTaken(() =>
    db.transaction(async (tx) => {
      const fault = await findFault(tx, account);
      if (fault !== undefined) return fail(fault);
      await ensureHouseProject(tx, book);
      return (await insertReceivingAccount(tx, account)) ? ok(account) : fail("code_taken");
    }),
  );
}

/** The account is locked, so that two changes come one after the other. What is not named stays as it is. */
export function changeReceivingAccount(
  { db, keyring }: Deps,
  code: string,
  changes: AccountChanges,
): Promise<Result<ReceivingAccount, AccountFault>> {
  return unlessNumberTaken(() =>
    db.transaction(async (tx) => {
      const present = await lockReceivingAccount(tx, code);
      if (present === undefined) return fail("account_unknown");
      const account: ReceivingAccount = {
        ...present,
        ...changes.settings,
        ...(changes.holder === undefined ? {} : { holder: sealHolder(keyring, present.id, changes.holder) }),
        ...(changes.number === undefined ? {} : sealNumber(keyring, present.id, changes.number)),
      };
      const fault = await findFault(tx, account);
      if (fault !== undefined) return fail(fault);
      await updateReceivingAccount(tx, account);
      return ok(account);
    }),
  );
}

async function findFault(tx: Transaction, account: ReceivingAccount): Promise<AccountFault | undefined> {
  const bank = (await listBanks(tx)).find(({ symbol }) => symbol === account.bank);
  if (bank === undefined) return "bank_unknown";
  if (!(await isTimeZone(tx, account.timeZone))) return "time_zone_unknown";
  if (account.minAmount > account.maxAmount) return "limits_crossed";
  const { opensAt, closesAt } = account;
  return (opensAt === null) !== (closesAt === null) || (opensAt !== null && opensAt === closesAt)
    ? "hours_incomplete"
    : undefined;
}

function sealHolder(keyring: Keyring, id: Id, holder: string): Buffer {
  return sealText(keyring, { table: "receiving_accounts", column: "holder", row: id }, holder);
}

function sealNumber(keyring: Keyring, id: Id, number: string | null): Pick<ReceivingAccount, "number" | "numberHash"> {
  if (number === null) return { number: null, numberHash: null };
  const place = { table: "receiving_accounts", column: "number", row: id } as const;
  return { number: sealText(keyring, place, number), numberHash: hashOfNumber(keyring, number) };
}

async function unlessNumberTaken<T>(work: () => Promise<Result<T, AccountFault>>): Promise<Result<T, AccountFault>> {
  try {
    return await work();
  } catch (error) {
    if (brokenConstraint(error) === "receiving_accounts_by_number") return fail("number_taken");
    throw error;
  }
}
