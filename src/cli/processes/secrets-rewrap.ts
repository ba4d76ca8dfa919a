import { rewrapDataKeys } from "../../app/processes/open-keyring.ts";
import { CliFault, type Command, EXIT } from "../kit/command.ts";

export const secretsRewrap: Command = {
  name: "secrets rewrap",
  summary: "Wrap every data key under the new master key, after you changed it.",
  arguments: [],
  options: {},
  notes: [
    "To change the master key without downtime:",
    "  1. Restart every process with TILLGATE_MASTER_KEY=new and TILLGATE_MASTER_KEY_PREVIOUS=old.",
    "  2. Run this with the same two: TILLGATE_MASTER_KEY=… TILLGATE_MASTER_KEY_PREVIOUS=… {program} secrets rewrap",
    "  3. Remove TILLGATE_MASTER_KEY_PREVIOUS. Old backups need the old key: keep it as long as them.",
  ],
  run: (context) =>
    context.withDatabase(async (db) => {
      const rewrap = await rewrapDataKeys(db, context.masterKeys());
      if (!rewrap.ok) throw new CliFault(`${rewrap.error} Nothing was changed.`);
      const { rewrapped, total } = rewrap.value;
      if (total === 0) context.print("There are no data keys yet: nothing to do.");
      else if (rewrapped === 0) context.print(`All ${total} data keys are under the current master key already.`);
      else context.print(`Wrapped ${rewrapped} of ${total} data keys under the current master key.`);
      return EXIT.done;
    }),
};
