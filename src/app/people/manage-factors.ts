import { randomBytes } from "node:crypto";
import type { Id } from "../../core/ids.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import type { Actor } from "../../core/people/actor.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import { base32, findTotpStep, TOTP_SECRET_BYTES, totpUri } from "../../platform/totp.ts";
import type { Database } from "../../store/db.ts";
import { listPasskeys, removePasskeys } from "../../store/people/passkeys.ts";
import { lockPerson, lockPersonByEmail } from "../../store/people/people.ts";
import { replaceRecoveryCodes } from "../../store/people/recovery-codes.ts";
import { countFactors } from "../../store/people/second-factors.ts";
import {
  beginTotpFactor,
  confirmTotpFactor,
  findTotpSince,
  lockTotpFactor,
  removeTotpFactor,
  saveTotpStep,
  totpSecretPlace,
} from "../../store/people/totp-factors.ts";
import { auditPerson } from "./audit.ts";
import type { PeopleDeps } from "./people-deps.ts";
import { renewRecoveryCodes } from "./second-factors.ts";

/** A person's own second factors: setting them up, and taking them away. */
export type Owner = { readonly id: Id; readonly email: string; readonly actor: Actor };

export function viewFactors({ db }: PeopleDeps, personId: Id) {
  return db.transaction(async (tx) => {
    const since = await findTotpSince(tx, personId);
    return {
      totp: since === undefined ? null : { since: since.toISOString() },
      passkeys: (await listPasskeys(tx, personId)).map(({ id, name, createdAt, usedAt }) => ({
        id,
        name,
        created_at: createdAt.toISOString(),
        used_at: usedAt?.toISOString() ?? null,
      })),
      recovery_codes_left: (await countFactors(tx, personId)).recoveryCodes,
    };
  }, "snapshot");
}

/** The secret is shown once, and counts from the first code that is right. */
export function beginTotp({ db, keyring }: PeopleDeps, { id: personId, email }: Owner) {
  const secret = randomBytes(TOTP_SECRET_BYTES);
  const id = newId();
  return db.transaction(async (tx) => {
    await lockPerson(tx, personId);
    await beginTotpFactor(tx, id, personId, keyring.seal(totpSecretPlace(id), secret));
    return { secret: base32(secret), uri: totpUri(secret, email) };
  });
}

export function confirmTotp(
  { db, keyring, clock }: PeopleDeps,
  owner: Owner,
  code: string,
): Promise<Result<readonly string[], AccountFault>> {
  return db.transaction(async (tx) => {
    await lockPerson(tx, owner.id);
    const begun = await lockTotpFactor(tx, owner.id, "begun");
    if (begun === undefined) return fail(accountFault("wrong_state", "begin first"));
    const secret = keyring.unseal(totpSecretPlace(begun.id), begun.secret).reveal();
    const step = findTotpStep(secret, code, clock.nowMs(), begun.lastStep);
    if (step === undefined) return fail(accountFault("code_wrong", "the code is wrong"));
    await confirmTotpFactor(tx, begun.id, owner.id);
    await saveTotpStep(tx, begun.id, step);
    await auditPerson(tx, owner, { actor: owner.actor, action: "second_factor.totp_add" });
    return ok(await renewRecoveryCodes(tx, owner.id));
  });
}

export function removeTotp({ db }: PeopleDeps, owner: Owner): Promise<Result<null, AccountFault>> {
  return db.transaction(async (tx) => {
    await lockPerson(tx, owner.id);
    if (!(await removeTotpFactor(tx, owner.id)))
      return fail(accountFault("not_found", "there is no authenticator app"));
    await auditPerson(tx, owner, { actor: owner.actor, action: "second_factor.totp_remove" });
    return ok(null);
  });
}

export function replaceRecovery({ db }: PeopleDeps, owner: Owner): Promise<Result<readonly string[], AccountFault>> {
  return db.transaction(async (tx) => {
    await lockPerson(tx, owner.id);
    const { totp, passkeys } = await countFactors(tx, owner.id);
    if (!totp && passkeys === 0) return fail(accountFault("wrong_state", "set up a second factor first"));
    await auditPerson(tx, owner, { actor: owner.actor, action: "second_factor.recovery_codes" });
    return ok(await renewRecoveryCodes(tx, owner.id));
  });
}

/** For a person who lost them: an operator removes all, and the next sign-in needs the password alone. */
export function removeFactorsOf(db: Database, email: string, actor: Actor): Promise<void> {
  return db.transaction(async (tx) => {
    const person = await lockPersonByEmail(tx, email);
    if (person === undefined) return;
    const before = await countFactors(tx, person.id);
    await removeTotpFactor(tx, person.id);
    await removePasskeys(tx, person.id);
    await replaceRecoveryCodes(tx, person.id, []);
    await auditPerson(tx, person, {
      actor,
      action: "second_factor.remove_all",
      before: { totp: before.totp, passkeys: before.passkeys },
    });
  });
}
