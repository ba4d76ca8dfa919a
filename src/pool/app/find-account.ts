import type { Id } from "../../core/ids.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { listAccountsNamed, type NamedAccount } from "../store/account-names.ts";
import { hashOfNumber } from "./pool-secrets.ts";

export type AccountNameFault = "account_unknown" | "account_ambiguous";

/**
 * Finds a receiving account by whatever name a statement or a person gives it. A name that several go by, such as a phone
 * that two banks know, or a card that was moved, means the one that is `expected`, where that is among them.
 */
export async function findAccountNamed(
  { db, keyring }: { readonly db: Database; readonly keyring: Keyring },
  name: string,
  expected?: Id,
): Promise<Result<NamedAccount, AccountNameFault>> {
  // Numbers of accounts and of requisites are kept in one form: without the spaces and dashes that people write.
  const plain = name.replaceAll(/[\s\u00a0-]/g, "");
  const found = await listAccountsNamed(db, name.trim(), hashOfNumber(keyring, plain));
  const [only] = found;
  if (only === undefined) return fail("account_unknown");
  // Our own code comes first: no bank's number has its form.
  const byCode = found.find(({ code }) => code === name.trim());
  if (byCode !== undefined) return ok(byCode);
  if (found.length === 1) return ok(only);
  const meant = found.find(({ id }) => id === expected);
  return meant === undefined ? fail("account_ambiguous") : ok(meant);
}

/** The same for many lines: each name is looked up once. */
export function openAccountFinder(
  deps: { readonly db: Database; readonly keyring: Keyring },
  expected: Id | undefined,
) {
  const known = new Map<string, Promise<Result<NamedAccount, AccountNameFault>>>();
  return (name: string): Promise<Result<NamedAccount, AccountNameFault>> => {
    const earlier = known.get(name);
    if (earlier !== undefined) return earlier;
    const found = findAccountNamed(deps, name, expected);
    if (known.size < NAMES_KEPT_MAX) known.set(name, found);
    return found;
  };
}

const NAMES_KEPT_MAX = 10_000;
