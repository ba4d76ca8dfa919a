import type { Connector, Notification } from "../../core/connector.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database } from "../../store/db.ts";
import type { ProviderHint } from "../../store/payments/claims.ts";
import { openWriteHint } from "./write-hints.ts";

/** Takes a provider's notification. It is only a hint: the worker then asks the provider for the result. */
export type TakeNotification = (
  connector: Connector,
  notification: Notification,
) => Promise<Result<undefined, "not_authentic" | "not_understood">>;

/** The worker of this process takes the hint in memory; false: it does not, and the hint must be written. */
export type TakeHint = (hint: ProviderHint) => boolean;

/** The provider gets its answer when the hint is in a worker's hands, or written. */
export function openTakeNotification(db: Database, takeHint: TakeHint = () => false): TakeNotification {
  const writeHint = openWriteHint(db);
  return async (connector, notification) => {
    const subjects = connector.readNotification(notification);
    if (!subjects.ok) return fail(subjects.error);
    const hints = subjects.value.map(({ reference }) => ({ provider: connector.code, reference }));
    await Promise.all(hints.filter((hint) => !takeHint(hint)).map(writeHint));
    return ok(undefined);
  };
}
