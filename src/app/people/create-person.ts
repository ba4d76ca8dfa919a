import type { Id } from "../../core/ids.ts";
import type { Actor } from "../../core/people/actor.ts";
import type { Role } from "../../core/people/rights.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import { findMerchant } from "../../store/merchants/merchants.ts";
import { insertMembership, lockTeam } from "../../store/people/memberships.ts";
import { insertPerson } from "../../store/people/people.ts";
import { audit } from "./audit.ts";

export type NewMember = {
  readonly merchantId: Id;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
};

/** Makes a person with a password a member of a merchant's team, without an invitation: an operator's way. */
export function createPerson(
  db: Database,
  wanted: NewMember,
  actor: Actor,
): Promise<Result<Id, "merchant_unknown" | "email_taken">> {
  return db.transaction(async (tx) => {
    const { merchantId, email, name, role, passwordHash } = wanted;
    if ((await findMerchant(tx, merchantId)) === undefined) return fail("merchant_unknown");
    await lockTeam(tx, merchantId);
    const person = await insertPerson(tx, { id: newId(), email, name, passwordHash });
    if (person === undefined) return fail("email_taken");
    await insertMembership(tx, { id: newId(), merchantId, personId: person.id, role });
    await audit(tx, { merchantId, actor, action: "team.add", subject: email, after: { role } });
    return ok(person.id);
  });
}
