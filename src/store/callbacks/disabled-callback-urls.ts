import type { Id } from "../../core/ids.ts";
import type { Transaction } from "../db.ts";
import { excludeCallbackWriters } from "./callback-writers.ts";

/** URLs that answered 410: nothing is sent there until an operator enables them again. */

export async function disableCallbackUrls(
  tx: Transaction,
  urls: readonly { readonly projectId: Id; readonly url: string }[],
): Promise<void> {
  await tx.run({
    text: `insert into disabled_callback_urls (project_id, url_hash, url)
           select distinct u.project_id, sha256(convert_to(u.url, 'UTF8')), u.url
             from unnest($1::uuid[], $2::text[]) as u (project_id, url)
           on conflict do nothing`,
    values: [urls.map(({ projectId }) => projectId), urls.map(({ url }) => url)],
  });
}

/**
 * False when it was not disabled. What waits for it is due at once. The project's name in the notification asks the runners
 * to forget what they think of its endpoints.
 */
export async function enableCallbackUrl(tx: Transaction, projectId: Id, url: string, actor: string): Promise<boolean> {
  // A process gives a callback back before this, and it is woken here, or afterwards, and then sees that the URL is enabled.
  await excludeCallbackWriters(tx);
  const rows = await tx.run({
    text: `update disabled_callback_urls set enabled_at = now(), enabled_by = $3
            where project_id = $1 and url_hash = sha256(convert_to($2, 'UTF8')) and enabled_at is null
           returning url`,
    values: [projectId, url, actor],
  });
  await tx.run({
    text: `with woken as (
             update callbacks set due_at = now()
              where project_id = $1 and url = $2 and state = 'pending' and due_at > now()
                and (lease_until is null or lease_until <= now())
             returning id)
           select pg_notify('tillgate_callbacks', replace($1::uuid::text, '-', '')) from woken having count(*) > 0`,
    values: [projectId, url],
  });
  return rows.length > 0;
}
