import type { OpenLine } from "../../app/restore/ask-providers.ts";
import { checkRestore, type PoolRestore } from "../../app/restore/check-restore.ts";
import { takePulse } from "../../app/restore/take-pulse.ts";
import type { Database } from "../../store/db.ts";
import type { LedgerRules } from "../../store/ledger/ledger-check.ts";
import { findOpenRestore, saveRestoreCheck } from "../../store/restore/restores.ts";
import { type CliContext, CliFault, type Command, EXIT } from "../kit/command.ts";
import { printable, printJson } from "../kit/output.ts";
import { stepsAfter } from "./restore-steps.ts";
import { renderReport, reportJson, restoreJson } from "./restore-view.ts";

/** The pool hands in what its accounts must obey, and what it lost. */
export function restoreCheck(poolRules: LedgerRules, pool: PoolRestore): Command {
  return {
    name: "restore check",
    summary: "Check a restored database: the ledger, every open attempt at its provider, and manual payouts.",
    arguments: [],
    options: { json: { type: "boolean", help: "print the report as JSON" } },
    notes: [
      "It changes no payment. The result is kept, and restore resume asks for it. Exit code 0: it passed; 4: it did not.",
      "It passes if the ledger has no violation and every provider has answered for every open attempt.",
      "Example: {program} restore check",
    ],
    run: (context, input) =>
      context.withDatabase(async (db) => {
        // The service may not have been started since the restore.
        await takePulse(db, undefined, context.actor);
        const restore = await findOpenRestore(db);
        if (restore === undefined) throw new CliFault(NONE_OPEN);
        const onProgress = (asked: number) => context.showProgress(`${asked} attempts`);
        const deps = { db, poolRules, pool, openLine: lineOf(context, db), onProgress };
        const report = await checkRestore(deps);
        context.showProgress(undefined);
        const { id, noticedAt } = restore;
        const check = { id, noticedAt, actor: context.actor, passed: report.passed, report: reportJson(report) };
        if (!(await saveRestoreCheck(db, check)))
          throw new CliFault("The database was restored again, or resumed, during the check. Check again.");
        const steps = stepsAfter(report, restore, new Date());
        if (input.flag("json")) printJson(context, { ...restoreJson(restore), report: reportJson(report), steps });
        else {
          const lines = steps.map((step, index) => printable(`${index + 1}. ${step}`));
          context.print([renderReport(report), "", "To do:", ...lines].join("\n"));
        }
        return report.passed ? EXIT.done : EXIT.violations;
      }),
  };
}

export const NONE_OPEN =
  "No restore is open: nothing is paused for one. If an older backup was restored, say so first: restore declare";

/** A provider that cannot be opened here has not answered. */
function lineOf(context: CliContext, db: Database): OpenLine {
  return async (provider) => {
    try {
      return await context.openConnector(db, provider);
    } catch (error) {
      if (!(error instanceof CliFault)) throw error;
      context.printError(error.message);
      return undefined;
    }
  };
}
