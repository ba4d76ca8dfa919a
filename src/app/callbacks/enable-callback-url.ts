import type { Id } from "../../core/ids.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { enableCallbackUrl } from "../../store/callbacks/disabled-callback-urls.ts";
import { type DisabledUrl, listDisabledCallbackUrls } from "../../store/callbacks/read-disabled-callback-urls.ts";
import type { Database } from "../../store/db.ts";

/** Sends to a URL again after it said that it was gone. What waited for it is due at once. */
export function enableDisabledUrl(
  db: Database,
  command: { readonly projectId: Id; readonly url: string; readonly actor: string },
): Promise<Result<DisabledUrl, "not_disabled">> {
  const { projectId, url, actor } = command;
  return db.transaction(async (tx) => {
    const disabled = (await listDisabledCallbackUrls(tx, projectId)).find((each) => each.url === url);
    if (disabled === undefined) return fail("not_disabled");
    return (await enableCallbackUrl(tx, projectId, url, actor)) ? ok(disabled) : fail("not_disabled");
  });
}
