import { checkLedger, type LedgerReport, recordLedgerCheck } from "../../app/ledger/check-ledger.ts";
import { reasonOf } from "../../platform/log.ts";
import type { Database } from "../../store/db.ts";
import type { LedgerRules } from "../../store/ledger/ledger-check.ts";
import { type CliContext, type Command, EXIT } from "../kit/command.ts";

/** The pool hands in what its own accounts must obey. */
export function ledgerCheck(poolRules: LedgerRules): Command {
  return {
    name: "ledger check",
    summary: "Verify the ledger over the whole database, in one snapshot, and list every violation.",
    arguments: [],
    options: { json: { type: "boolean", help: "print the report as JSON" } },
    notes: [
      "Exit code 0: no violation; 4: at least one. Payments can continue during the check.",
      "The result is recorded: attention lists violations, and a metric tells how long ago the last check was.",
    ],
    run: (context, input) =>
      context.withDatabase(async (db) => {
        const report = await checkLedger(db, poolRules);
        await record(context, db, report);
        const { transfers, projects, openHolds, violations } = report;
        if (input.flag("json")) {
          const counts = { transfers: Number(transfers), projects: Number(projects), open_holds: Number(openHolds) };
          context.print(JSON.stringify({ ok: violations.length === 0, ...counts, violations }, null, 2));
        } else {
          for (const { rule, where, detail } of violations) context.print(`${rule}: ${where}: ${detail}`);
          const checked = `${transfers} transfers, ${projects} projects, ${openHolds} open holds`;
          context.print(
            violations.length === 0
              ? `The books are right: ${checked}.`
              : `${violations.length} violations in ${checked}.`,
          );
        }
        return violations.length === 0 ? EXIT.done : EXIT.violations;
      }),
  };
}

/** Where the database takes no writes, as a standby, the check is worth no less. */
async function record({ printError, actor }: CliContext, db: Database, report: LedgerReport): Promise<void> {
  await recordLedgerCheck(db, report, actor).catch((error) =>
    printError(`The check itself is done, but could not be recorded: ${reasonOf(error)}`),
  );
}
