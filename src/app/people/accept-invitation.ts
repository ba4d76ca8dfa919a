import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import type { Actor } from "../../core/people/actor.ts";
import { findPasswordFault } from "../../core/people/password-rules.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import { hashToken } from "../../platform/token.ts";
import type { Transaction } from "../../store/db.ts";
import {
  acceptInvitation,
  findOpenInvitation,
  type Invitation,
  lockOpenInvitation,
} from "../../store/people/invitations.ts";
import { insertMembership, lockTeam } from "../../store/people/memberships.ts";
import {
  findPersonByEmail,
  insertPerson,
  lockPersonByEmail,
  type Person,
  savePassword,
} from "../../store/people/people.ts";
import { audit } from "./audit.ts";
import { takeGuesses } from "./guesses.ts";
import type { Caller, PeopleDeps } from "./people-deps.ts";
import { listFactorKinds } from "./second-factors.ts";
import { startSession } from "./sessions.ts";
import { BUSY, type SignedIn } from "./sign-in.ts";

export const LINK_INVALID = accountFault(
  "link_invalid",
  "this link does not work: it was used, replaced, or is too old",
);

export async function lookAtInvitation({ db, clock }: PeopleDeps, token: string) {
  const invitation = await findOpenInvitation(db, hashToken(token), new Date(clock.nowMs()));
  if (invitation === undefined) return fail(LINK_INVALID);
  const { merchantName, role, email } = invitation;
  const person = await findPersonByEmail(db, email);
  return ok({ merchant_name: merchantName, role, email, has_password: hasPassword(person) });
}

type Acceptance = {
  readonly token: string;
  readonly name: string;
  readonly password: string;
  /** That the page was read in. A person who is here already keeps the one that they chose. */
  readonly language?: Person["language"];
  readonly caller: Caller;
};

/**
 * Makes the invited address a member. One that has a password proves it, as at sign-in; one that has none chooses it now. Either
 * way the browser is signed in, or asked for its second factor.
 */
export async function acceptInvited(deps: PeopleDeps, wish: Acceptance): Promise<Result<SignedIn, AccountFault>> {
  const now = new Date(deps.clock.nowMs());
  const invitation = await findOpenInvitation(deps.db, hashToken(wish.token), now);
  if (invitation === undefined) return fail(LINK_INVALID);
  const known = await findPersonByEmail(deps.db, invitation.email);
  const password = hasPassword(known) ? await proved(deps, known, wish) : await chosen(deps, invitation, wish);
  if (!password.ok) return password;
  return deps.db.transaction(async (tx) => {
    const team = await lockTeam(tx, invitation.merchantId);
    if ((await lockOpenInvitation(tx, invitation.id, now)) === undefined) return fail(LINK_INVALID);
    const person = await ensurePerson(tx, invitation, wish, password.value);
    if (person === undefined) return fail(accountFault("wrong_state", "this address has a password by now; try again"));
    await acceptInvitation(tx, invitation.id, now);
    if (team.every(({ personId }) => personId !== person.id)) await join(tx, invitation, person, wish.caller);
    const methods = await listFactorKinds(tx, person.id);
    const awaitsFactor = methods.length > 0;
    const { merchantId } = invitation;
    const { token } = await startSession(tx, now, {
      personId: person.id,
      caller: wish.caller,
      awaitsFactor,
      merchantId,
    });
    return ok({ token, email: person.email, next: awaitsFactor ? "second_factor" : "done", methods } as const);
  });
}

function hasPassword(person: Person | undefined): person is Person & { readonly passwordHash: string } {
  return person !== undefined && person.passwordHash !== null;
}

async function proved(
  deps: PeopleDeps,
  person: Person,
  { password, caller }: Acceptance,
): Promise<Result<null, AccountFault>> {
  const pass = await takeGuesses(deps, { at: "password", login: person.email, caller });
  if ("code" in pass) return fail(pass);
  const verdict = await deps.passwords.verify(password, person.passwordHash);
  if (verdict === "busy") return fail(BUSY);
  if (verdict === "wrong") return fail(accountFault("sign_in_failed", "the password is wrong"));
  await pass.refund();
  return ok(null);
}

async function chosen(
  { passwords }: PeopleDeps,
  { email }: Invitation,
  { password }: Acceptance,
): Promise<Result<string | null, AccountFault>> {
  const fault = findPasswordFault(password, email);
  if (fault !== undefined) return fail(fault);
  const hash = await passwords.hash(password);
  return hash === undefined ? fail(BUSY) : ok(hash);
}

/** `hash` is null for a person who proved the password that they have. Undefined: the address chose another one meanwhile. */
async function ensurePerson(
  tx: Transaction,
  { email }: Invitation,
  { name, language }: Acceptance,
  hash: string | null,
): Promise<Person | undefined> {
  if (hash === null) return findPersonByEmail(tx, email);
  const made = await insertPerson(tx, {
    ...{ id: newId(), email, name, passwordHash: hash },
    ...(language === undefined ? {} : { language }),
  });
  if (made !== undefined) return made;
  const person = await lockPersonByEmail(tx, email);
  if (person === undefined || person.passwordHash !== null) return undefined;
  await savePassword(tx, person.id, hash);
  return person;
}

async function join(tx: Transaction, invitation: Invitation, person: Person, { address }: Caller): Promise<void> {
  const { merchantId, role } = invitation;
  await insertMembership(tx, { id: newId(), merchantId, personId: person.id, role });
  const actor: Actor = { kind: "person", id: person.id, name: person.email, address };
  await audit(tx, { merchantId, actor, action: "team.join", subject: person.email, after: { role } });
}
