import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Transaction } from "../../store/db.ts";
import { findPerson } from "../../store/people/people.ts";
import { endSession, type SessionInUse, saveStepUp } from "../../store/people/sessions.ts";
import { takeGuesses } from "./guesses.ts";
import { type PasskeyPlace, provePasskey } from "./passkeys.ts";
import type { Caller, PeopleDeps } from "./people-deps.ts";
import { useCode } from "./second-factors.ts";
import { startSession } from "./sessions.ts";
import { auditSignIn, BUSY, tellSignIn } from "./sign-in.ts";

export type FactorProof =
  | { readonly kind: "totp" | "recovery_code"; readonly code: string }
  | { readonly kind: "passkey"; readonly place: PasskeyPlace; readonly response: unknown };

const CODE_WRONG = accountFault("code_wrong", "this is wrong, or was used already");

/** The second half of a sign-in. The session that waited ends, and one with a new token begins. */
export async function proveSecondFactor(
  deps: PeopleDeps,
  session: SessionInUse,
  proof: FactorProof,
  caller: Caller,
): Promise<Result<Secret<string>, AccountFault>> {
  const pass = await takeGuesses(deps, { at: "factor", login: session.email, caller });
  if ("code" in pass) return fail(pass);
  if (!(await proves(deps, session, proof))) return fail(CODE_WRONG);
  const signed = await deps.db.transaction((tx) => completeSignIn(deps, tx, session, caller));
  if (!signed.ok) return signed;
  await pass.refund();
  tellSignIn(deps, session, caller);
  return signed;
}

/** Uses the proof up: a code that was right is spent, whatever happens next. */
async function proves(deps: PeopleDeps, session: SessionInUse, proof: FactorProof): Promise<boolean> {
  if (proof.kind === "passkey") return provePasskey(deps, session, proof.place, proof.response);
  const at = { keyring: deps.keyring, nowMs: deps.clock.nowMs() };
  return deps.db.transaction((tx) => useCode(tx, at, session.personId, proof));
}

/** Turns a session that awaited its second factor into one that is signed in. */
async function completeSignIn(
  deps: PeopleDeps,
  tx: Transaction,
  session: SessionInUse,
  caller: Caller,
): Promise<Result<Secret<string>, AccountFault>> {
  const now = new Date(deps.clock.nowMs());
  if (!(await endSession(tx, session.id, now))) return fail(accountFault("not_signed_in", "sign in first"));
  const { personId, email, merchantId } = session;
  const started = await startSession(tx, now, { personId, caller, awaitsFactor: false, merchantId });
  await auditSignIn(tx, { id: personId, email }, caller);
  return ok(started.token);
}

/** Proves again that it is the person: by the second factor, or by the password where there is none. */
export async function stepUp(
  deps: PeopleDeps,
  session: SessionInUse,
  proof: FactorProof | { readonly kind: "password"; readonly code: string },
  caller: Caller,
): Promise<Result<null, AccountFault>> {
  const hasFactor = session.hasTotp || session.passkeys > 0;
  if (proof.kind === "password" && hasFactor)
    return fail(accountFault("wrong_state", "use your second factor: the password alone is not enough"));
  const pass = await takeGuesses(deps, { at: "factor", login: session.email, caller });
  if ("code" in pass) return fail(pass);
  const proved =
    proof.kind === "password" ? await provePassword(deps, session, proof.code) : await proves(deps, session, proof);
  if (proved === "busy") return fail(BUSY);
  if (!proved) return fail(CODE_WRONG);
  await pass.refund();
  await saveStepUp(deps.db, session.id, new Date(deps.clock.nowMs()));
  return ok(null);
}

async function provePassword(
  { db, passwords }: PeopleDeps,
  { personId }: SessionInUse,
  password: string,
): Promise<boolean | "busy"> {
  const person = await findPerson(db, personId);
  const verdict = await passwords.verify(password, person?.passwordHash ?? null);
  return verdict === "busy" ? "busy" : verdict === "right";
}
