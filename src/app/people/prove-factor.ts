import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Transaction } from "../../store/db.ts";
import { findPerson } from "../../store/people/people.ts";
import { endSession, type SessionInUse, saveStepUp } from "../../store/people/sessions.ts";
import { takeGuesses } from "./guesses.ts";
import type { Caller, PeopleDeps } from "./people-deps.ts";
import { useCode } from "./second-factors.ts";
import { startSession } from "./sessions.ts";
import { auditSignIn, BUSY, tellSignIn } from "./sign-in.ts";

export type CodeProof = { readonly kind: "totp" | "recovery_code"; readonly code: string };

const CODE_WRONG = accountFault("code_wrong", "the code is wrong, or was used already");

/** The second half of a sign-in. The session that waited ends, and one with a new token begins. */
export async function proveSecondFactor(
  deps: PeopleDeps,
  session: SessionInUse,
  proof: CodeProof,
  caller: Caller,
): Promise<Result<Secret<string>, AccountFault>> {
  const pass = await takeGuesses(deps, `factor ${session.personId}`, caller.address);
  if ("code" in pass) return fail(pass);
  const nowMs = deps.clock.nowMs();
  const proved = await deps.db.transaction(async (tx) => {
    if (!(await useCode(tx, { keyring: deps.keyring, nowMs }, session.personId, proof))) return fail(CODE_WRONG);
    return completeSignIn(deps, tx, session, caller);
  });
  if (!proved.ok) return proved;
  await pass.refund();
  tellSignIn(deps, session.email, caller);
  return proved;
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
  proof: CodeProof | { readonly kind: "password"; readonly code: string },
  caller: Caller,
): Promise<Result<null, AccountFault>> {
  const hasFactor = session.hasTotp || session.passkeys > 0;
  if (proof.kind === "password" && hasFactor)
    return fail(accountFault("wrong_state", "use your second factor: the password alone is not enough"));
  const pass = await takeGuesses(deps, `factor ${session.personId}`, caller.address);
  if ("code" in pass) return fail(pass);
  const { kind, code } = proof;
  const proved =
    kind === "password"
      ? await provePassword(deps, session, code)
      : await deps.db.transaction((tx) =>
          useCode(tx, { keyring: deps.keyring, nowMs: deps.clock.nowMs() }, session.personId, { kind, code }),
        );
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
