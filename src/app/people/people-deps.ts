import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import type { SendNotice } from "./notices.ts";
import type { Passwords } from "./passwords.ts";

/** What the use cases of people stand on. */
export type PeopleDeps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly log: Log;
  readonly passwords: Passwords;
  readonly publicUrl: () => string;
  readonly sendNotice: SendNotice;
};

/** Where a request comes from, as sessions and the audit log remember it. */
export type Caller = { readonly address: string; readonly userAgent: string };
