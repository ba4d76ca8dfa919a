import type { Database } from "../../store/db.ts";
import { listImportedUntil } from "./read-bank-lines.ts";
import { listWaitingPayouts } from "./read-hand-payouts.ts";

const PAYOUTS_MAX = 10_000;

/** What the pool adds to the check of a restored database. */
export const POOL_RESTORE = {
  listManualPayouts: (db: Database) =>
    listWaitingPayouts(db, { projectId: undefined, after: undefined, limit: PAYOUTS_MAX }),
  listImportedUntil,
};
