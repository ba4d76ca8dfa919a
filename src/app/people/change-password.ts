import type { Id } from "../../core/ids.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import type { Actor } from "../../core/people/actor.ts";
import { findEmail } from "../../core/people/email.ts";
import { findPasswordFault } from "../../core/people/password-rules.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Secret } from "../../platform/secret.ts";
import { hashToken, newToken } from "../../platform/token.ts";
import type { Database, Transaction } from "../../store/db.ts";
import {
  endPasswordResets,
  findPasswordResetEmail,
  replacePasswordResets,
  usePasswordReset,
} from "../../store/people/password-resets.ts";
import { findPerson, findPersonByEmail, lockPerson, type Person, savePassword } from "../../store/people/people.ts";
import { endSessionsOf, type SessionInUse } from "../../store/people/sessions.ts";
import { LINK_INVALID } from "./accept-invitation.ts";
import { auditPerson } from "./audit.ts";
import { takeGuesses } from "./guesses.ts";
import type { Caller, PeopleDeps } from "./people-deps.ts";
import { BUSY } from "./sign-in.ts";

const RESET_LASTS_MS = 3600 * 1000;

/** Of a person who is signed in and knows the present one. All other sessions end. */
export async function changePassword(
  deps: PeopleDeps,
  session: SessionInUse,
  wish: { readonly password: string; readonly newPassword: string; readonly actor: Actor; readonly caller: Caller },
): Promise<Result<null, AccountFault>> {
  const fault = findPasswordFault(wish.newPassword, session.email);
  if (fault !== undefined) return fail(fault);
  const pass = await takeGuesses(deps, session.email, wish.caller.address);
  if ("code" in pass) return fail(pass);
  const person = await findPerson(deps.db, session.personId);
  const verdict = await deps.passwords.verify(wish.password, person?.passwordHash ?? null);
  if (verdict === "busy") return fail(BUSY);
  if (verdict === "wrong" || person === undefined)
    return fail(accountFault("code_wrong", "the present password is wrong"));
  await pass.refund();
  const hash = await deps.passwords.hash(wish.newPassword);
  if (hash === undefined) return fail(BUSY);
  const now = new Date(deps.clock.nowMs());
  await deps.db.transaction((tx) =>
    replacePassword(tx, person, { hash, now, but: session.id, actor: wish.actor, action: "person.password_change" }),
  );
  return ok(null);
}

type Replacement = {
  readonly hash: string;
  readonly now: Date;
  /** The session that goes on. */
  readonly but: Id | null;
  readonly actor: Actor;
  readonly action: string;
};

async function replacePassword(tx: Transaction, person: Person, wish: Replacement): Promise<void> {
  await lockPerson(tx, person.id);
  await savePassword(tx, person.id, wish.hash);
  await endPasswordResets(tx, person.id);
  const ended = await endSessionsOf(tx, person.id, wish.now, wish.but);
  await auditPerson(tx, person, { actor: wish.actor, action: wish.action, after: { sessions_ended: ended } });
}

/** The token for a link; undefined where there is no such person. An operator who asks for one is written down. */
export async function beginPasswordReset(
  db: Database,
  email: string,
  now: Date,
  operator?: Extract<Actor, { kind: "operator" }>,
): Promise<Secret<string> | undefined> {
  return db.transaction(async (tx) => {
    const person = await findPersonByEmail(tx, email);
    if (person === undefined) return undefined;
    const { token, hash } = newToken();
    const expiresAt = new Date(now.getTime() + RESET_LASTS_MS);
    await replacePasswordResets(tx, { id: newId(), personId: person.id, tokenHash: hash, expiresAt });
    if (operator !== undefined) await auditPerson(tx, person, { actor: operator, action: "person.reset_link" });
    return token;
  });
}

export function resetLink(publicUrl: string, token: Secret<string>): string {
  return `${publicUrl}/account/reset#${token.reveal()}`;
}

/** The answer tells nothing and is given before the login is looked up, so neither its words nor its time do. */
export async function forgotPassword(
  deps: PeopleDeps,
  wish: { readonly email: string; readonly caller: Caller },
): Promise<Result<null, AccountFault>> {
  const login = wish.email.trim().toLowerCase();
  const pass = await takeGuesses(deps, `forgot ${login}`, wish.caller.address);
  if ("code" in pass) return fail(pass);
  const { sendNotice } = deps;
  const email = findEmail(login);
  if (sendNotice === undefined || email === undefined) return ok(null);
  setImmediate(() => {
    beginPasswordReset(deps.db, email, new Date(deps.clock.nowMs()))
      .then((token) => {
        if (token !== undefined)
          sendNotice({ kind: "password_reset", to: email, link: resetLink(deps.publicUrl(), token) });
      })
      .catch((error: Error) => deps.log.warn({ reason: error.message }, "a password reset could not be begun"));
  });
  return ok(null);
}

/** Of a person who has the link. The second factor stays, and is asked for at the next sign-in. */
export async function resetPassword(
  deps: PeopleDeps,
  wish: { readonly token: string; readonly password: string; readonly caller: Caller },
): Promise<Result<null, AccountFault>> {
  const email = await findPasswordResetEmail(deps.db, hashToken(wish.token), new Date(deps.clock.nowMs()));
  if (email === undefined) return fail(LINK_INVALID);
  const fault = findPasswordFault(wish.password, email);
  if (fault !== undefined) return fail(fault);
  const hash = await deps.passwords.hash(wish.password);
  if (hash === undefined) return fail(BUSY);
  const now = new Date(deps.clock.nowMs());
  return deps.db.transaction(async (tx) => {
    const personId = await usePasswordReset(tx, hashToken(wish.token), now);
    const person = personId === undefined ? undefined : await findPerson(tx, personId);
    if (person === undefined) return fail(LINK_INVALID);
    const actor = { kind: "person", id: person.id, name: person.email, address: wish.caller.address } as const;
    await replacePassword(tx, person, { hash, now, but: null, actor, action: "person.password_reset" });
    return ok(null);
  });
}
