import type { MasterKeys } from "../app/open-keyring.ts";
import { listDataKeys } from "../store/data-keys.ts";
import type { Database } from "../store/db.ts";
import { CliFault } from "./command.ts";

/** Ends the command if the configured master keys are not this database's. A fingerprint gives nothing of its key away. */
export async function requireFittingMasters(db: Database, { current, previous }: MasterKeys): Promise<void> {
  const known = [current.fingerprint, previous?.fingerprint];
  const foreign = (await listDataKeys(db)).find((key) => !known.includes(key.wrappedBy));
  if (foreign === undefined) return;
  throw new CliFault(
    `The secrets in this database are under the master key with the fingerprint ${foreign.wrappedBy}, which is not given: ` +
      "TILLGATE_MASTER_KEY or TILLGATE_MASTER_KEY_PREVIOUS must be that key. Nothing was changed.",
  );
}
