import type { Id } from "../../core/ids.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import type { Actor } from "../../core/people/actor.ts";
import type { Role } from "../../core/people/rights.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { listOpenInvitations } from "../../store/people/invitations.ts";
import { endMembership, listTeam, lockTeam, saveRole } from "../../store/people/memberships.ts";
import { findRequireSecondFactor, saveRequireSecondFactor } from "../../store/people/merchant-security.ts";
import { findPerson } from "../../store/people/people.ts";
import { audit } from "./audit.ts";

/** A merchant's people, and what its owners do with them. */

export function viewTeam(db: Database, merchantId: Id, now: Date) {
  return db.transaction(
    async (tx) => ({
      people: (await listTeam(tx, merchantId)).map((member) => ({
        id: member.personId,
        name: member.name,
        email: member.email,
        role: member.role,
        since: member.since.toISOString(),
        second_factor: member.hasTotp || member.passkeys > 0,
        seen_at: member.seenAt?.toISOString() ?? null,
      })),
      invitations: (await listOpenInvitations(tx, merchantId)).map((each) => ({
        id: each.id,
        email: each.email,
        role: each.role,
        invited_by: each.invitedBy,
        created_at: each.createdAt.toISOString(),
        expires_at: each.expiresAt.toISOString(),
        expired: each.expiresAt <= now,
      })),
      require_second_factor: await findRequireSecondFactor(tx, merchantId),
    }),
    "snapshot",
  );
}

export type TeamChange = { readonly merchantId: Id; readonly personId: Id; readonly actor: Actor };

export function changeRole(db: Database, change: TeamChange, role: Role): Promise<Result<null, AccountFault>> {
  return inTeam(db, change, async (tx, member) => {
    if (member.role === role) return ok(null);
    if (member.role === "owner" && member.owners === 1) return fail(LAST_OWNER);
    await saveRole(tx, change.merchantId, change.personId, role);
    await audit(tx, {
      merchantId: change.merchantId,
      actor: change.actor,
      action: "team.role",
      subject: member.email,
      before: { role: member.role },
      after: { role },
    });
    return ok(null);
  });
}

export function removeMember(db: Database, change: TeamChange): Promise<Result<null, AccountFault>> {
  return inTeam(db, change, async (tx, member) => {
    if (member.role === "owner" && member.owners === 1) return fail(LAST_OWNER);
    await endMembership(tx, change.merchantId, change.personId);
    await audit(tx, {
      merchantId: change.merchantId,
      actor: change.actor,
      action: "team.remove",
      subject: member.email,
      before: { role: member.role },
    });
    return ok(null);
  });
}

const LAST_OWNER = accountFault("last_owner", "a merchant keeps at least one owner");

type LockedMember = { readonly role: Role; readonly email: string; readonly owners: number };

/** The team is locked, so that two owners who demote each other at once come one after the other. */
function inTeam(
  db: Database,
  { merchantId, personId }: TeamChange,
  work: (tx: Transaction, member: LockedMember) => Promise<Result<null, AccountFault>>,
): Promise<Result<null, AccountFault>> {
  return db.transaction(async (tx) => {
    const team = await lockTeam(tx, merchantId);
    const member = team.find((each) => each.personId === personId);
    const person = await findPerson(tx, personId);
    if (member === undefined || person === undefined)
      return fail(accountFault("not_found", "there is no such person in the team"));
    const owners = team.filter((each) => each.role === "owner").length;
    return work(tx, { role: member.role, email: person.email, owners });
  });
}

export function requireSecondFactor(
  db: Database,
  { merchantId, actor, required }: { readonly merchantId: Id; readonly actor: Actor; readonly required: boolean },
): Promise<void> {
  return db.transaction(async (tx) => {
    await lockTeam(tx, merchantId);
    const before = await findRequireSecondFactor(tx, merchantId);
    if (before === required) return;
    await saveRequireSecondFactor(tx, merchantId, required);
    await audit(tx, {
      merchantId,
      actor,
      action: "security.require_second_factor",
      subject: "team",
      before: { require_second_factor: before },
      after: { require_second_factor: required },
    });
  });
}
