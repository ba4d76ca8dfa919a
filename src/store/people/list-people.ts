import type { Id } from "../../core/ids.ts";
import type { Role } from "../../core/people/rights.ts";
import type { Transaction } from "../db.ts";

export type PersonRow = {
  readonly id: Id;
  readonly merchantId: Id;
  readonly role: Role;
  readonly email: string;
  readonly name: string;
  readonly secondFactor: boolean;
};

/** A row for each membership in force. */
export function listPeople(tx: Transaction, merchantId: Id | undefined): Promise<PersonRow[]> {
  return tx.run<PersonRow>({
    text: `select p.id, s.merchant_id as "merchantId", s.role, p.email, p.name,
                  exists (select from totp_factors f
                           where f.person_id = p.id and f.removed_at is null and f.confirmed_at is not null)
                  or exists (select from passkeys k where k.person_id = p.id and k.removed_at is null) as "secondFactor"
             from memberships s join people p on p.id = s.person_id
            where s.ended_at is null and ($1::uuid is null or s.merchant_id = $1)
            order by s.merchant_id, s.created_at, s.id`,
    values: [merchantId ?? null],
  });
}
