import { clearingOfAccount } from "../../core/providers.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { maskAccountNumber, maskHolder } from "../core/mask-account.ts";
import { type AccountDay, findAccountToday, type LentNow, listLentNow, sumReceived } from "../store/pool-accounts.ts";
import { findReceivingAccount, type ReceivingAccount, type StoredAccount } from "../store/receiving-accounts.ts";
import { listRequisites, type StoredRequisite } from "../store/requisites.ts";
import { unsealText } from "./pool-secrets.ts";

/** A receiving account as its operator sees it: nothing that is sealed shows in the clear. */
export type ShownAccount = {
  readonly account: StoredAccount;
  readonly masks: AccountMasks;
  readonly requisites: readonly StoredRequisite[];
  readonly lent: readonly LentNow[];
  readonly today: AccountDay;
  /** What the books say of it: its opening balance, and what came and left since. */
  readonly holds: bigint;
};

/** What cannot be opened was tampered with, and has no mask. */
export type AccountMasks = {
  readonly holder: string | undefined;
  /** Null: it has none. */
  readonly number: string | undefined | null;
};

export const LENT_SHOWN_MAX = 20;

export function readPoolAccount(
  { db, keyring }: { readonly db: Database; readonly keyring: Keyring },
  code: string,
): Promise<ShownAccount | undefined> {
  return db.transaction(async (tx) => {
    const account = await findReceivingAccount(tx, code);
    if (account === undefined) return undefined;
    const received = await sumReceived(tx, clearingOfAccount(code), account.currency);
    return {
      account,
      masks: maskAccount(keyring, account),
      requisites: await listRequisites(tx, account.id),
      lent: await listLentNow(tx, account.id, LENT_SHOWN_MAX),
      today: await findAccountToday(tx, account.id),
      holds: account.openingBalance + received,
    };
  }, "snapshot");
}

export function maskAccount(keyring: Keyring, { id, holder, number }: ReceivingAccount): AccountMasks {
  const open = (column: "holder" | "number", sealed: Buffer) => {
    try {
      return unsealText(keyring, { table: "receiving_accounts", column, row: id }, sealed);
    } catch {
      return undefined;
    }
  };
  const [holderText, numberText] = [open("holder", holder), number === null ? null : open("number", number)];
  return {
    holder: holderText === undefined ? undefined : maskHolder(holderText),
    number: typeof numberText === "string" ? maskAccountNumber(numberText) : numberText,
  };
}
