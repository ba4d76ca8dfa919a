import { newId } from "../../platform/new-id.ts";
import type { Transaction } from "../../store/db.ts";
import { insertAuditLine, type NewAuditLine } from "../../store/people/audit-log.ts";

/** Writes down a change, in the transaction that makes it. No secret and no token belongs in a line. */
export function audit(tx: Transaction, line: Omit<NewAuditLine, "id">): Promise<void> {
  return insertAuditLine(tx, { ...line, id: newId() });
}
