import { type Command, EXIT } from "../../cli/kit/command.ts";
import { positional } from "../../cli/kit/option-values.ts";
import { printJson } from "../../cli/kit/output.ts";
import { openProgressBar } from "../../cli/kit/progress-bar.ts";
import type { ImportReport } from "../app/import-report.ts";
import { importStatement } from "../app/import-statement.ts";
import { importJson, renderImport } from "./import-view.ts";
import { getAccount } from "./receiving-account.ts";
import { openStatementFile } from "./statement-file.ts";

export const statementImport: Command = {
  name: "statement import",
  summary: "Import a bank statement: match each transfer to its payment, or put it in suspense.",
  arguments: ["FILE"],
  options: {
    account: {
      type: "string",
      value: "CODE",
      help: "the receiving account, if the file does not name it; its column mapping is used",
    },
    json: { type: "boolean", help: "print the report as JSON" },
  },
  notes: [
    "FILE is CSV with the columns booked_at,account,amount,currency,reference,payer, or any columns that were mapped with",
    "pool account mapping, or ISO 20022 camt.053. - reads standard input. Negative amounts are debits.",
    "Importing the same statement again changes nothing. If an import was interrupted, run it again.",
    "Exit code 1: lines were refused or contradict what was recorded; all other lines are imported.",
    "Example: {program} statement import statement.csv --account sber-1",
  ],
  run: (context, input) =>
    context.withDatabase(async (db) => {
      const deps = { db, keyring: await context.openKeyring(db) };
      const name = input.text("account");
      const account = name === undefined ? undefined : await getAccount(deps, name);
      const file = openStatementFile(context, positional(input, 0), account);
      const bar = openProgressBar(context);
      const { report, fault } = await importStatement(deps, {
        portions: file.portions,
        account,
        actor: context.actor,
        onProgress: (lines) => bar.show(file.share(), `${lines} lines`, Date.now()),
      });
      bar.clear();
      if (input.flag("json")) printJson(context, importJson(report, fault));
      else context.print(renderImport(report));
      if (fault !== undefined) context.printError(`The file could not be read to its end: ${fault}`);
      return isClean(report) && fault === undefined ? EXIT.done : EXIT.refused;
    }),
};

function isClean(report: ImportReport): boolean {
  return report.refusedCount === 0 && report.contradictingCount === 0;
}
