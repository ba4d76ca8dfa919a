import type { Id } from "../../core/ids.ts";
import type { Transaction } from "../db.ts";

/**
 * Says of dead letters that they need not be delivered any more. Answers the ids of those that were dead; one that is being changed by
 * another transaction is left as it is.
 */
export async function dismissDeadCallbacks(
  tx: Pick<Transaction, "run">,
  projectId: Id,
  ids: readonly Id[],
  actor: string,
): Promise<Id[]> {
  const rows = await tx.run<{ id: Id }>({
    text: `with chosen as (
             select c.id from callbacks c
              where c.project_id = $1 and c.id = any($2::uuid[]) and c.state = 'dead'
              order by c.id for no key update skip locked)
           update callbacks c set state = 'dismissed', dismissed_at = now(), dismissed_by = $3
             from chosen where c.project_id = $1 and c.id = chosen.id
           returning c.id`,
    values: [projectId, ids, actor],
  });
  return rows.map(({ id }) => id);
}
