import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { BankLook } from "../../core/merchants/bank-look.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database, Transaction } from "../../store/db.ts";
import {
  type BankImage,
  lockBanks,
  type StoredBank,
  saveBankImage,
  saveBankLook,
} from "../../store/merchants/banks.ts";

/** What an operator changes of a bank's look. What is absent stays as it is; a language without a name loses the one it had. */
export type LookChange = Partial<Omit<BankLook, "names">> & {
  readonly symbol: string;
  readonly names?: Readonly<Record<string, string | undefined>>;
  /** Null: our own mark again. */
  readonly image?: BankImage | null;
};

export type LooksReport = { readonly changed: readonly string[]; readonly unchanged: number };

/** Changes all of them, or none and says which banks are not known. */
export function changeBankLooks(
  db: Database,
  changes: readonly LookChange[],
): Promise<Result<LooksReport, readonly string[]>> {
  return db.transaction(async (tx) => {
    const banks = new Map((await lockBanks(tx)).map((bank) => [bank.symbol, bank]));
    const unknown = changes.filter(({ symbol }) => !banks.has(symbol));
    if (unknown.length > 0) return fail(unknown.map(({ symbol }) => `there is no bank ${symbol}`));
    const changed: string[] = [];
    for (const change of changes) {
      const bank = banks.get(change.symbol);
      if (bank !== undefined && (await changeLook(tx, bank, change))) changed.push(bank.symbol);
    }
    return ok({ changed, unchanged: changes.length - changed.length });
  });
}

/** False: it looks so already. */
async function changeLook(tx: Transaction, bank: StoredBank, change: LookChange): Promise<boolean> {
  const was = lookOf(bank);
  const becomes = lookOf({ ...bank, ...change, names: mergeNames(bank.names, change.names) });
  const isOther = !isDeepStrictEqual(was, becomes);
  if (isOther) await saveBankLook(tx, bank.id, becomes);
  const { image } = change;
  const isOtherImage = image !== undefined && versionOf(image) !== bank.imageVersion;
  if (isOtherImage) await saveBankImage(tx, bank.id, image ?? undefined);
  return isOther || isOtherImage;
}

function lookOf({ names, aliases, popularity, colour }: BankLook): BankLook {
  return { names, aliases: [...new Set(aliases)], popularity, colour };
}

function mergeNames(names: BankLook["names"], change: LookChange["names"] = {}): BankLook["names"] {
  return Object.fromEntries(Object.entries({ ...names, ...change }).filter(([, name]) => name !== undefined));
}

/** As the database counts it: see `image_version` in migrations/0001-directory.sql. */
function versionOf(image: BankImage | null): string | null {
  return image === null ? null : createHash("sha256").update(image.bytes).digest("hex").slice(0, 12);
}
