import { type AccountFault, accountFault } from "./account-fault.ts";

const PASSWORD_CHARACTERS_MIN = 12;
/** Long enough for any passphrase, and short enough that hashing costs the same for all. */
const PASSWORD_CHARACTERS_MAX = 128;

/** The form in which a password is hashed: keyboards send the same letters in different ways. */
export function normalPassword(password: string): string {
  return password.normalize("NFKC");
}

/** What is wrong with a new password; undefined when nothing is. */
export function findPasswordFault(password: string): AccountFault | undefined {
  const characters = [...normalPassword(password)].length;
  if (characters < PASSWORD_CHARACTERS_MIN)
    return accountFault("password_too_short", `a password has at least ${PASSWORD_CHARACTERS_MIN} characters`);
  if (characters > PASSWORD_CHARACTERS_MAX)
    return accountFault("password_too_long", `a password has at most ${PASSWORD_CHARACTERS_MAX} characters`);
  return undefined;
}
