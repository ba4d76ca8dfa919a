import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import type { Transaction } from "../../store/db.ts";
import { insertAuditLine, type NewAuditLine } from "../../store/people/audit-log.ts";
import { listMembershipsOfPerson } from "../../store/people/memberships.ts";

/** Writes down a change, in the transaction that makes it. No secret and no token belongs in a line. */
export function audit(tx: Transaction, line: Omit<NewAuditLine, "id">): Promise<void> {
  return insertAuditLine(tx, { ...line, id: newId() });
}

/** A change of what a person signs in with: each of the person's merchants sees it. */
export async function auditPerson(
  tx: Transaction,
  person: { readonly id: Id; readonly email: string },
  line: Omit<NewAuditLine, "id" | "merchantId" | "subject">,
): Promise<void> {
  const memberships = await listMembershipsOfPerson(tx, person.id);
  const merchants = memberships.length === 0 ? [null] : memberships.map(({ merchantId }) => merchantId);
  for (const merchantId of merchants) await audit(tx, { ...line, merchantId, subject: person.email });
}
