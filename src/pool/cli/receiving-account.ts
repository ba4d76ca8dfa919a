import { CliFault } from "../../cli/kit/command.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { findAccountNamed } from "../app/find-account.ts";
import type { NamedAccount } from "../store/account-names.ts";

const CODE = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** The receiving account that an operator names, by its code or its number. The answer never repeats a number. */
export async function getAccount(
  deps: { readonly db: Database; readonly keyring: Keyring },
  name: string,
): Promise<NamedAccount> {
  const found = await findAccountNamed(deps, name);
  if (found.ok) return found.value;
  if (found.error === "account_ambiguous")
    throw new CliFault("Several receiving accounts have that number: name it by its code.");
  const which = CODE.test(name) && !/^[0-9-]+$/.test(name) ? ` ${name}` : " of that name or number";
  throw new CliFault(`There is no receiving account${which}: see pool account list.`);
}
