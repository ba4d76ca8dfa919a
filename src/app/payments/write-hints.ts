import type { Database } from "../../store/db.ts";
import { hintByReference, type ProviderHint } from "../../store/payments/claims.ts";
import { openGroupCommit } from "../processes/group-commit.ts";

/** Writes a provider's hint: a worker checks the payment as soon as one is free. */
export type WriteHint = (hint: ProviderHint) => Promise<void>;

const BATCH_MAX = 500;

export function openWriteHint(db: Database): WriteHint {
  return openGroupCommit({
    itemsMax: BATCH_MAX,
    writersMax: 1,
    isFaultOfOneItem: () => false,
    ownerOf: ({ reference }: ProviderHint) => reference,
    write: async (hints, lockWaitMs) => {
      await db.transaction((tx) => hintByReference(tx, hints), "read write", lockWaitMs);
      return hints.map(() => undefined);
    },
  });
}
