import { type Id, lowestIdAt } from "../../core/ids.ts";
import type { Actor } from "../../core/people/actor.ts";
import type { Transaction } from "../db.ts";

/** One change, with who made it and what it was before and after. */
export type AuditLine = {
  readonly id: Id;
  /** Null: it concerns no one merchant. */
  readonly merchantId: Id | null;
  readonly at: Date;
  readonly actorKind: Actor["kind"];
  readonly actor: string;
  readonly address: string | null;
  readonly action: string;
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
};

export type NewAuditLine = {
  readonly id: Id;
  readonly merchantId: Id | null;
  readonly actor: Actor;
  /** `team.invite`, `project.set`. */
  readonly action: string;
  readonly subject: string;
  readonly before?: unknown;
  readonly after?: unknown;
};

export async function insertAuditLine(tx: Transaction, line: NewAuditLine): Promise<void> {
  const { actor } = line;
  const person = actor.kind === "person" ? actor : undefined;
  await tx.run({
    text: `insert into audit_log (id, merchant_id, actor_kind, actor_person, actor, address, action, subject, before, after)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      line.id,
      line.merchantId,
      actor.kind,
      person?.id ?? null,
      actor.name,
      person?.address ?? null,
      line.action,
      line.subject,
      jsonOrNull(line.before),
      jsonOrNull(line.after),
    ],
  });
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** How many lines of one action on one subject a merchant's people wrote in the last so many seconds. */
export async function countLatestAuditLines(
  tx: Transaction,
  { merchantId, action, subject }: Pick<NewAuditLine, "merchantId" | "action" | "subject">,
  withinS: number,
): Promise<number> {
  const rows = await tx.run<{ count: number }>({
    text: `select count(*)::int as count from audit_log
            where merchant_id = $1 and id >= $4 and action = $2 and subject = $3
              and at > now() - make_interval(secs => $5)`,
    values: [merchantId, action, subject, lowestIdAt(Date.now() - 2 * withinS * 1000), withinS],
  });
  return rows[0]?.count ?? 0;
}

/** A page of a merchant's lines, the latest first, below an id. */
export function listAuditLines(
  tx: Transaction,
  page: { readonly merchantId: Id; readonly below: Id | undefined; readonly limit: number },
): Promise<AuditLine[]> {
  return tx.run<AuditLine>({
    text: `select id, merchant_id as "merchantId", at, actor_kind as "actorKind", actor, address, action, subject, before, after
             from audit_log
            where merchant_id = $1 and ($2::uuid is null or id < $2)
            order by id desc limit $3`,
    values: [page.merchantId, page.below ?? null, page.limit],
  });
}
