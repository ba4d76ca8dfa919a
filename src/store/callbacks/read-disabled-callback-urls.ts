import type { Id } from "../../core/ids.ts";
import type { Database } from "../db.ts";

export type DisabledUrl = {
  readonly projectId: Id;
  readonly url: string;
  readonly disabledAt: Date;
  /** How many callbacks wait for it. */
  readonly held: number;
};

/** Those that said that they are gone, the newest first. */
export function listDisabledCallbackUrls(db: Pick<Database, "run">, projectId?: Id): Promise<DisabledUrl[]> {
  return db.run<DisabledUrl>({
    text: `select d.project_id as "projectId", d.url, d.disabled_at as "disabledAt",
                  (select count(*)::int from callbacks c
                    where c.project_id = d.project_id and c.url = d.url and c.due_at is not null) as held
             from disabled_callback_urls d
            where d.enabled_at is null and ($1::uuid is null or d.project_id = $1)
            order by d.disabled_at desc, d.project_id, d.url`,
    values: [projectId ?? null],
  });
}
