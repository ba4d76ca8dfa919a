import type { Id } from "../../core/ids.ts";
import type { Role } from "../../core/people/rights.ts";
import type { Transaction } from "../db.ts";

/** A merchant's people with where they are written to, and in which language. */
export type TeamAddress = {
  readonly id: Id;
  readonly role: Role;
  readonly email: string;
  readonly language: "en" | "ru";
};

export function listTeamAddresses(tx: Transaction, merchantId: Id): Promise<TeamAddress[]> {
  return tx.run<TeamAddress>({
    text: `select p.id, s.role, p.email, p.language from memberships s join people p on p.id = s.person_id
            where s.merchant_id = $1 and s.ended_at is null order by s.created_at, s.id`,
    values: [merchantId],
  });
}
