import type { Id } from "../../core/ids.ts";
import type { Role } from "../../core/people/rights.ts";
import type { Transaction } from "../db.ts";
import { lockMerchant } from "../merchants/merchants.ts";

/** A person's role in a merchant's team. */
export type Membership = {
  readonly id: Id;
  readonly merchantId: Id;
  readonly merchantName: string;
  readonly personId: Id;
  readonly role: Role;
  readonly createdAt: Date;
};

const COLUMNS = `s.id, s.merchant_id as "merchantId", m.name as "merchantName", s.person_id as "personId", s.role,
  s.created_at as "createdAt"`;

/** Those in force, the oldest first. */
export function listMembershipsOfPerson(tx: Transaction, personId: Id): Promise<Membership[]> {
  return tx.run<Membership>({
    text: `select ${COLUMNS} from memberships s join merchants m on m.id = s.merchant_id
            where s.person_id = $1 and s.ended_at is null order by s.created_at, s.id`,
    values: [personId],
  });
}

export type Member = {
  readonly personId: Id;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly since: Date;
  readonly hasTotp: boolean;
  readonly passkeys: number;
  readonly seenAt: Date | null;
};

export function listTeam(tx: Transaction, merchantId: Id): Promise<Member[]> {
  return tx.run<Member>({
    text: `select s.person_id as "personId", p.email, p.name, s.role, s.created_at as since,
                  exists (select from totp_factors f
                           where f.person_id = p.id and f.removed_at is null and f.confirmed_at is not null) as "hasTotp",
                  (select count(*)::int from passkeys k where k.person_id = p.id and k.removed_at is null) as passkeys,
                  (select max(e.seen_at) from sessions e where e.person_id = p.id and e.merchant_id = s.merchant_id) as "seenAt"
             from memberships s join people p on p.id = s.person_id
            where s.merchant_id = $1 and s.ended_at is null
            order by s.created_at, s.id`,
    values: [merchantId],
  });
}

/** All memberships of a merchant, locked: who is an owner is decided once at a time. */
export async function lockTeam(tx: Transaction, merchantId: Id): Promise<{ personId: Id; role: Role }[]> {
  // The merchant's row first, so that two invitations that are accepted at once also come one after the other.
  await lockMerchant(tx, merchantId);
  return tx.run<{ personId: Id; role: Role }>({
    text: `select person_id as "personId", role from memberships where merchant_id = $1 and ended_at is null order by id for update`,
    values: [merchantId],
  });
}

/** False when the person is a member already. */
export async function insertMembership(
  tx: Transaction,
  membership: Pick<Membership, "id" | "merchantId" | "personId" | "role">,
): Promise<boolean> {
  const rows = await tx.run({
    text: `insert into memberships (id, merchant_id, person_id, role) values ($1, $2, $3, $4)
           on conflict (merchant_id, person_id) where ended_at is null do nothing returning id`,
    values: [membership.id, membership.merchantId, membership.personId, membership.role],
  });
  return rows.length === 1;
}

export async function saveRole(tx: Transaction, merchantId: Id, personId: Id, role: Role): Promise<void> {
  await tx.run({
    text: "update memberships set role = $3 where merchant_id = $1 and person_id = $2 and ended_at is null",
    values: [merchantId, personId, role],
  });
}

export async function endMembership(tx: Transaction, merchantId: Id, personId: Id): Promise<void> {
  await tx.run({
    text: "update memberships set ended_at = now() where merchant_id = $1 and person_id = $2 and ended_at is null",
    values: [merchantId, personId],
  });
}

export type Addressee = { readonly email: string; readonly language: "en" | "ru" };

/** Those of the team who have one of these roles, as mail is written to them. */
export function listAddressees(tx: Transaction, merchantId: Id, roles: readonly Role[]): Promise<Addressee[]> {
  return tx.run<Addressee>({
    text: `select p.email, p.language from memberships s join people p on p.id = s.person_id
            where s.merchant_id = $1 and s.ended_at is null and s.role = any($2) order by s.created_at, s.id`,
    values: [merchantId, roles],
  });
}
