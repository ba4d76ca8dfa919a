import { declareRestore } from "../../app/restore/declare-restore.ts";
import { type ResumeFault, resumeRestore } from "../../app/restore/resume-restore.ts";
import { takePulse } from "../../app/restore/take-pulse.ts";
import { listRestores } from "../../store/restore/restores.ts";
import { CliFault, type Command, EXIT } from "../kit/command.ts";
import { optional, readInstant, readPlainText, requiredText } from "../kit/option-values.ts";
import { countOf, printJson } from "../kit/output.ts";
import { NONE_OPEN } from "./restore-check.ts";
import { renderRestore, restoreJson } from "./restore-view.ts";

/** What an operator does after an older backup was restored. */

const REASON_MAX = 1000;
const SHOWN_MAX = 20;

export const restoreShow: Command = {
  name: "restore show",
  summary: "Show whether the database was restored from a backup, and what is paused for it.",
  arguments: [],
  options: { json: { type: "boolean", help: "print them as JSON" } },
  notes: ["Example: {program} restore show"],
  run: (context, input) =>
    context.withDatabase(async (db) => {
      // The service may not have been started since the restore.
      await takePulse(db, undefined, context.actor);
      const restores = await listRestores(db, SHOWN_MAX);
      const open = restores.some(({ resumedAt }) => resumedAt === null);
      if (input.flag("json")) printJson(context, { paused: open, restores: restores.map(restoreJson) });
      else {
        const state = open
          ? "Payouts, exports, card charges and callbacks are paused until restore resume."
          : "No restore is open: nothing is paused for one.";
        context.print([state, ...restores.map(renderRestore)].join("\n\n"));
      }
      return EXIT.done;
    }),
};

export const restoreDeclare: Command = {
  name: "restore declare",
  summary: "Say that the database was restored from a backup: pauses payouts, exports, card charges and callbacks.",
  arguments: [],
  options: {
    reason: { type: "string", value: "TEXT", help: "what was restored, and why" },
    "written-until": { type: "string", value: "TIME", help: "of when the backup is; without it, as the database says" },
    json: { type: "boolean", help: "print what was done as JSON" },
  },
  notes: [
    "Processes notice a restore by themselves, but not a snapshot of a disk that was put back while none of them ran.",
    'Example: {program} restore declare --reason "snapshot of Monday" --written-until 2026-01-31T10:00:00Z',
  ],
  run: (context, input) => {
    const reason = readPlainText(requiredText(input, "reason"), "--reason", REASON_MAX);
    const knownUntil = optional(input, "written-until", readInstant);
    return context.withDatabase(async (db) => {
      const restore = await declareRestore(db, { actor: context.actor, reason, knownUntil });
      if (input.flag("json")) printJson(context, restoreJson(restore));
      else {
        context.print(
          `Payouts, exports, card charges and callbacks are paused in every process within 5 seconds. Next: ${context.programName} restore check`,
        );
      }
      return EXIT.done;
    });
  },
};

export const restoreResume: Command = {
  name: "restore resume",
  summary: "End the pause after a restore: payouts, exports, card charges and callbacks go on.",
  arguments: [],
  options: {
    despite: { type: "string", value: "TEXT", help: "resume without a check that passed, for this reason" },
    json: { type: "boolean", help: "print what was done as JSON" },
  },
  notes: ["The last restore check must have passed.", "Example: {program} restore resume"],
  run: (context, input) => {
    const despite = optional(input, "despite", (text, name) => readPlainText(text, name, REASON_MAX));
    return context.withDatabase(async (db) => {
      const resumed = await resumeRestore(db, { actor: context.actor, despite });
      if (!resumed.ok) throw new CliFault(FAULTS[resumed.error]);
      const { restore, woken } = resumed.value;
      if (input.flag("json")) printJson(context, { restore_id: restore.id, resumed: true, woken });
      else {
        const waited =
          woken === 0 ? "" : ` ${countOf(woken, "payout")} that waited ${woken === 1 ? "is" : "are"} sent now.`;
        context.print(`Payouts, exports, card charges and callbacks go on.${waited}`);
      }
      return EXIT.done;
    });
  },
};

const FAULTS: Readonly<Record<ResumeFault, string>> = {
  none_open: NONE_OPEN,
  not_checked: "The restored database was not checked. Run restore check first.",
  check_failed:
    "The last restore check did not pass. Deal with what it listed and check again, or give --despite TEXT with the reason.",
};
