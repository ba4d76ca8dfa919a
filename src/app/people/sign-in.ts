import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import { findEmail } from "../../core/people/email.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Transaction } from "../../store/db.ts";
import { findPersonByEmail, type Person, savePassword } from "../../store/people/people.ts";
import { endSession, type SessionInUse } from "../../store/people/sessions.ts";
import { auditPerson } from "./audit.ts";
import { takeGuesses } from "./guesses.ts";
import type { Caller, PeopleDeps } from "./people-deps.ts";
import { type FactorKind, listFactorKinds } from "./second-factors.ts";
import { startSession } from "./sessions.ts";

export type SignIn = { readonly email: string; readonly password: string; readonly caller: Caller };

export type SignedIn = {
  readonly token: Secret<string>;
  readonly next: "done" | "second_factor";
  readonly methods: readonly FactorKind[];
};

export const BUSY: AccountFault = {
  ...accountFault("busy", "too many people sign in at the moment; try again"),
  retryAfterS: 2,
};

/**
 * Checks a login and a password. Whatever is wrong, the answer is the same, and so is the work: one hash, and the same statements
 * before it. A login that does not exist is compared with a decoy.
 */
export async function signIn(deps: PeopleDeps, wish: SignIn): Promise<Result<SignedIn, AccountFault>> {
  const login = wish.email.trim().toLowerCase();
  const pass = await takeGuesses(deps, login, wish.caller.address);
  if ("code" in pass) return fail(pass);
  const person = await findPersonByEmail(deps.db, findEmail(login) ?? "");
  const verdict = await deps.passwords.verify(wish.password, person?.passwordHash ?? null);
  if (verdict === "busy") return fail(BUSY);
  if (verdict === "wrong" || person === undefined)
    return fail(accountFault("sign_in_failed", "the e-mail address or the password is wrong"));
  await pass.refund();
  await rehash(deps, person, wish.password);
  const now = new Date(deps.clock.nowMs());
  const signed = await deps.db.transaction(async (tx) => {
    const methods = await listFactorKinds(tx, person.id);
    const awaitsFactor = methods.length > 0;
    const { token } = await startSession(tx, now, { personId: person.id, caller: wish.caller, awaitsFactor });
    if (!awaitsFactor) await auditSignIn(tx, person, wish.caller);
    return { token, next: awaitsFactor ? "second_factor" : "done", methods } as const;
  });
  if (signed.next === "done") tellSignIn(deps, person.email, wish.caller);
  return ok(signed);
}

/** A hash of lower costs is replaced while the password is at hand. */
async function rehash({ db, passwords }: PeopleDeps, person: Person, password: string): Promise<void> {
  if (person.passwordHash === null || !passwords.isOutdated(person.passwordHash)) return;
  const hash = await passwords.hash(password);
  if (hash !== undefined) await savePassword(db, person.id, hash);
}

/** Each of the person's merchants sees it. */
export function auditSignIn(
  tx: Transaction,
  person: Pick<Person, "id" | "email">,
  { address, userAgent }: Caller,
): Promise<void> {
  const actor = { kind: "person", id: person.id, name: person.email, address } as const;
  return auditPerson(tx, person, { actor, action: "session.sign_in", after: { browser: userAgent } });
}

export function tellSignIn({ sendNotice }: PeopleDeps, to: string, { address, userAgent: browser }: Caller): void {
  sendNotice?.({ kind: "new_sign_in", to, address, browser });
}

export async function signOut({ db, clock }: PeopleDeps, session: SessionInUse): Promise<void> {
  await endSession(db, session.id, new Date(clock.nowMs()));
}
