import { randomBytes } from "node:crypto";
import type { Id } from "../../core/ids.ts";
import type { Database } from "../../store/db.ts";
import { findPersonByEmail, savePassword } from "../../store/people/people.ts";
import { createPerson } from "../people/create-person.ts";
import { openPasswords } from "../people/passwords.ts";

/** What a developer signs in to the account with. */
export type SandboxLogin = { readonly account_login: string; readonly account_password: string };

const LOGIN = "owner@sandbox.example";
const PASSWORD_BYTES = 18;
/** The password is random, and needs no slow hash; the first sign-in replaces it by one. Every start of a test would pay for it. */
const QUICK = { log2n: 10, blockSize: 8, parallel: 1 };

/** The owner of the sandbox merchant: with the password of an earlier start, where the file still has it. */
export async function ensureSandboxLogin(
  db: Database,
  merchantId: Id,
  written: Partial<SandboxLogin> | undefined,
): Promise<SandboxLogin> {
  const person = await findPersonByEmail(db, LOGIN);
  const kept = written?.account_login === LOGIN ? written.account_password : undefined;
  if (person !== undefined && kept !== undefined) return { account_login: LOGIN, account_password: kept };
  const password = randomBytes(PASSWORD_BYTES).toString("base64url");
  const passwordHash = (await openPasswords(QUICK).hash(password)) ?? "";
  if (person !== undefined) await savePassword(db, person.id, passwordHash);
  else {
    const owner = { merchantId, email: LOGIN, name: "Sandbox owner", role: "owner", passwordHash } as const;
    // Two processes that start at once: the other one made it, and its file has the password.
    const created = await createPerson(db, owner, { kind: "operator", name: "development mode" });
    if (!created.ok) return ensureSandboxLogin(db, merchantId, written);
  }
  return { account_login: LOGIN, account_password: password };
}
