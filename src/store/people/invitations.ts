import type { Id } from "../../core/ids.ts";
import type { Role } from "../../core/people/rights.ts";
import type { Transaction } from "../db.ts";

/** An offer to join a merchant's team, by a link that works once. */
export type Invitation = {
  readonly id: Id;
  readonly merchantId: Id;
  readonly merchantName: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

const COLUMNS = `i.id, i.merchant_id as "merchantId", m.name as "merchantName", i.email, i.role, i.invited_by as "invitedBy",
  i.created_at as "createdAt", i.expires_at as "expiresAt"`;
const OPEN = "i.accepted_at is null and i.revoked_at is null";

export type NewInvitation = Pick<Invitation, "id" | "merchantId" | "email" | "role" | "invitedBy" | "expiresAt"> & {
  readonly tokenHash: Buffer;
};

export async function insertInvitation(tx: Transaction, invitation: NewInvitation): Promise<void> {
  await tx.run({
    text: `insert into invitations (id, merchant_id, email, role, token_hash, invited_by, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      invitation.id,
      invitation.merchantId,
      invitation.email,
      invitation.role,
      invitation.tokenHash,
      invitation.invitedBy,
      invitation.expiresAt,
    ],
  });
}

/** A later invitation of the same address replaces the one before it. */
export async function revokeInvitationsTo(tx: Transaction, merchantId: Id, email: string): Promise<void> {
  await tx.run({
    text: `update invitations set revoked_at = now()
            where merchant_id = $1 and email = $2 and accepted_at is null and revoked_at is null`,
    values: [merchantId, email],
  });
}

/** The address that was invited; undefined when the merchant has no such invitation that is open. */
export async function revokeInvitation(tx: Transaction, merchantId: Id, id: Id): Promise<string | undefined> {
  const rows = await tx.run<{ email: string }>({
    text: `update invitations set revoked_at = now()
            where merchant_id = $1 and id = $2 and accepted_at is null and revoked_at is null returning email`,
    values: [merchantId, id],
  });
  return rows[0]?.email;
}

export function listOpenInvitations(tx: Transaction, merchantId: Id): Promise<Invitation[]> {
  return tx.run<Invitation>({
    text: `select ${COLUMNS} from invitations i join merchants m on m.id = i.merchant_id
            where i.merchant_id = $1 and ${OPEN} order by i.id`,
    values: [merchantId],
  });
}

export async function findOpenInvitation(
  tx: Transaction,
  tokenHash: Buffer,
  now: Date,
): Promise<Invitation | undefined> {
  const rows = await tx.run<Invitation>({
    text: `select ${COLUMNS} from invitations i join merchants m on m.id = i.merchant_id
            where i.token_hash = $1 and ${OPEN} and i.expires_at > $2`,
    values: [tokenHash, now],
  });
  return rows[0];
}

/** Locked, so that of two callers with one link one gets in; undefined when it was used or revoked meanwhile. */
export async function lockOpenInvitation(tx: Transaction, id: Id, now: Date): Promise<Id | undefined> {
  const rows = await tx.run<{ id: Id }>({
    text: `select i.id from invitations i where i.id = $1 and ${OPEN} and i.expires_at > $2 for update`,
    values: [id, now],
  });
  return rows[0]?.id;
}

export async function acceptInvitation(tx: Transaction, id: Id, now: Date): Promise<void> {
  await tx.run({ text: "update invitations set accepted_at = $2 where id = $1", values: [id, now] });
}
