import { type AccountFault, accountFault } from "./account-fault.ts";
import { isCommonPassword } from "./common-passwords.ts";

const PASSWORD_CHARACTERS_MIN = 12;
/** Long enough for any passphrase, and short enough that hashing costs the same for all. */
const PASSWORD_CHARACTERS_MAX = 128;

/** The form in which a password is hashed: keyboards send the same letters in different ways. */
export function normalPassword(password: string): string {
  return password.normalize("NFKC");
}

/** What is wrong with a new password of a person with this address; undefined when nothing is. */
export function findPasswordFault(password: string, email: string): AccountFault | undefined {
  const characters = [...normalPassword(password)].length;
  if (characters < PASSWORD_CHARACTERS_MIN)
    return accountFault("password_too_short", `a password has at least ${PASSWORD_CHARACTERS_MIN} characters`);
  if (characters > PASSWORD_CHARACTERS_MAX)
    return accountFault("password_too_long", `a password has at most ${PASSWORD_CHARACTERS_MAX} characters`);
  return isCommonPassword(normalPassword(password), email)
    ? accountFault("password_common", "this password is easy to guess: choose another, such as four random words")
    : undefined;
}
