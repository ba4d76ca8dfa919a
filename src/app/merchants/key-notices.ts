import { hasRight, ROLES } from "../../core/people/rights.ts";
import type { Log } from "../../platform/log.ts";
import { warnOfError } from "../../platform/log-lines/quiet-log.ts";
import type { Database } from "../../store/db.ts";
import { claimKeyNotices } from "../../store/merchants/key-notices.ts";
import { listAddressees } from "../../store/people/memberships.ts";
import type { Notice, SendNotice } from "../people/notices.ts";

/** Tells a merchant's people by e-mail that an API key ends soon, while there is time to replace it. */
export const KEY_NOTICE_DAYS = [14, 2] as const;

const LOOK_EVERY_MS = 10 * 60_000;
/** Of one look, so that the mail server and the list of waiting e-mails are not flooded. */
const NOTICES_AT_ONCE = 100;
/** Those who can replace a key. */
const ROLES_TOLD = ROLES.filter((role) => hasRight(role, "keys.manage"));

type NoticeDeps = {
  readonly db: Database;
  readonly publicUrl: () => string;
  readonly sendNotice: NonNullable<SendNotice>;
};

/**
 * Sends what is due. Processes that do so at the same time share it out: a reminder is claimed in the database first, and sent
 * after the commit. One that is lost in between is not sent again; the account's overview shows the key in any case.
 */
export async function sendKeyNotices({ db, publicUrl, sendNotice }: NoticeDeps): Promise<void> {
  const link = `${publicUrl()}/account/keys`;
  const notices = await db.transaction(async (tx) => {
    const found: Notice[] = [];
    for (const key of await claimKeyNotices(tx, { daysBefore: KEY_NOTICE_DAYS, limit: NOTICES_AT_ONCE })) {
      for (const { email: to, language } of await listAddressees(tx, key.merchantId, ROLES_TOLD))
        found.push({ ...key, kind: "key_expires", to, language, link });
    }
    return found;
  });
  for (const notice of notices) sendNotice(notice);
}

export type KeyNotices = { readonly close: () => Promise<void> };

/** Looks now and then, where e-mail can be sent. */
export function keepKeyNotices(
  deps: Omit<NoticeDeps, "sendNotice"> & { readonly sendNotice: SendNotice; readonly log: Log },
): KeyNotices {
  const { sendNotice, log } = deps;
  if (sendNotice === undefined) return { close: async () => undefined };
  let looking: Promise<void> | undefined;

  const look = () => {
    looking ??= sendKeyNotices({ ...deps, sendNotice })
      .catch((error) => warnOfError(log, error, "expiring keys could not be looked up"))
      .finally(() => {
        looking = undefined;
      });
  };

  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}
