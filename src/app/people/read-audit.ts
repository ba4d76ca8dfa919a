import type { Id } from "../../core/ids.ts";
import type { Database } from "../../store/db.ts";
import { listAuditLines } from "../../store/people/audit-log.ts";

const LINES_OF_PAGE = 50;

/** A page of a merchant's audit log, the latest first. */
export async function readAudit(db: Database, merchantId: Id, below: Id | undefined) {
  const lines = await listAuditLines(db, { merchantId, below, limit: LINES_OF_PAGE + 1 });
  const page = lines.slice(0, LINES_OF_PAGE);
  return {
    lines: page.map(({ id, at, actorKind, actor, address, action, subject, before, after }) => ({
      id,
      at: at.toISOString(),
      actor: { kind: actorKind, name: actor },
      address,
      action,
      subject,
      before,
      after,
    })),
    next: lines.length > LINES_OF_PAGE ? (page.at(-1)?.id ?? null) : null,
  };
}
