import { type MasterKeys, rewrapDataKeys } from "../app/open-keyring.ts";
import { listDataKeys } from "../store/data-keys.ts";
import type { Database } from "../store/db.ts";
import { CliFault, type Command, EXIT } from "./command.ts";

export const secretsRewrap: Command = {
  name: "secrets rewrap",
  summary: "After the master key was changed: wrap every data key under the new one.",
  arguments: [],
  options: {},
  notes: [
    "To change the master key, without a stop:",
    "  1. Restart every process with TILLGATE_MASTER_KEY=new and TILLGATE_MASTER_KEY_PREVIOUS=old.",
    "  2. Run this with the same two: TILLGATE_MASTER_KEY=… TILLGATE_MASTER_KEY_PREVIOUS=… {program} secrets rewrap",
    "  3. Take TILLGATE_MASTER_KEY_PREVIOUS away. The old key still opens old backups: keep it as long as them.",
  ],
  run: (context) =>
    context.withDatabase(async (db) => {
      const masters = context.masterKeys();
      await requireMasters(db, masters);
      const { rewrapped, total } = await rewrapDataKeys(db, masters);
      if (total === 0) context.print("There are no data keys yet: nothing to do.");
      else if (rewrapped === 0) context.print(`All ${total} data keys are under the current master key already.`);
      else context.print(`Wrapped ${rewrapped} of ${total} data keys under the current master key.`);
      return EXIT.done;
    }),
};

/** A fingerprint tells nothing about its key, so it may be shown. */
async function requireMasters(db: Database, { current, previous }: MasterKeys): Promise<void> {
  const known = [current.fingerprint, previous?.fingerprint];
  const foreign = (await listDataKeys(db)).find((key) => !known.includes(key.wrappedBy));
  if (foreign === undefined) return;
  throw new CliFault(
    `A data key is under master key ${foreign.wrappedBy} (its fingerprint), which is neither TILLGATE_MASTER_KEY ` +
      "nor TILLGATE_MASTER_KEY_PREVIOUS. Set the latter to it. Nothing was changed.",
  );
}
