import type { Connector, Notification } from "../../core/connector.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database } from "../../store/db.ts";
import { hintByReference } from "../../store/payments/claims.ts";
import { openGroupCommit } from "../processes/group-commit.ts";

/** Takes a provider's notification. It is only a hint: the worker then asks the provider for the result. */
export type TakeNotification = (
  connector: Connector,
  notification: Notification,
) => Promise<Result<undefined, "not_authentic" | "not_understood">>;

const BATCH_MAX = 500;

export function openTakeNotification(db: Database): TakeNotification {
  const hint = openGroupCommit({
    itemsMax: BATCH_MAX,
    writersMax: 1,
    isFaultOfOneItem: () => false,
    ownerOf: ({ reference }: { provider: string; reference: string }) => reference,
    write: async (hints, lockWaitMs) => {
      await db.transaction((tx) => hintByReference(tx, hints), "read write", lockWaitMs);
      return hints.map(() => undefined);
    },
  });
  return async (connector, notification) => {
    const subjects = connector.readNotification(notification);
    if (!subjects.ok) return fail(subjects.error);
    await Promise.all(subjects.value.map(({ reference }) => hint({ provider: connector.code, reference })));
    return ok(undefined);
  };
}
