import type { Id } from "../../core/ids.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import type { Actor } from "../../core/people/actor.ts";
import type { Role } from "../../core/people/rights.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Secret } from "../../platform/secret.ts";
import { newToken } from "../../platform/token.ts";
import type { Database } from "../../store/db.ts";
import { findMerchant } from "../../store/merchants/merchants.ts";
import { insertInvitation, revokeInvitation, revokeInvitationsTo } from "../../store/people/invitations.ts";
import { lockTeam } from "../../store/people/memberships.ts";
import { findPersonByEmail } from "../../store/people/people.ts";
import { audit } from "./audit.ts";

const INVITATION_LASTS_MS = 72 * 3600 * 1000;

export type InviteWish = {
  readonly merchantId: Id;
  readonly email: string;
  readonly role: Role;
  readonly actor: Actor;
  readonly now: Date;
};

export type Invited = { readonly id: Id; readonly token: Secret<string>; readonly merchantName: string };

/** Offers a role to an e-mail address. The token goes into a link and is not kept. */
export function invite(db: Database, wish: InviteWish): Promise<Result<Invited, AccountFault>> {
  const { merchantId, email, role, actor } = wish;
  return db.transaction(async (tx) => {
    const merchant = await findMerchant(tx, merchantId);
    if (merchant === undefined) return fail(accountFault("not_found", "there is no such merchant"));
    const team = await lockTeam(tx, merchantId);
    const person = await findPersonByEmail(tx, email);
    if (person !== undefined && team.some(({ personId }) => personId === person.id))
      return fail(accountFault("already_member", "this person is in the team already"));
    await revokeInvitationsTo(tx, merchantId, email);
    const id = newId();
    const { token, hash } = newToken();
    const expiresAt = new Date(wish.now.getTime() + INVITATION_LASTS_MS);
    await insertInvitation(tx, { id, merchantId, email, role, invitedBy: actor.name, expiresAt, tokenHash: hash });
    await audit(tx, { merchantId, actor, action: "team.invite", subject: email, after: { role } });
    return ok({ id, token, merchantName: merchant.name });
  });
}

/** The token is in the fragment, which browsers send to no server: no log has it. */
export function invitationLink(publicUrl: string, token: Secret<string>): string {
  return `${publicUrl}/account/invitation#${token.reveal()}`;
}

/** False when the merchant has no such open invitation. */
export function withdrawInvitation(db: Database, merchantId: Id, id: Id, actor: Actor): Promise<boolean> {
  return db.transaction(async (tx) => {
    const email = await revokeInvitation(tx, merchantId, id);
    if (email === undefined) return false;
    await audit(tx, { merchantId, actor, action: "team.invitation_revoke", subject: email });
    return true;
  });
}
