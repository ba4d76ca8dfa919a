import { type Command, type CommandInput, EXIT } from "../../cli/kit/command.ts";
import { optional, positional, quote, wrongUsage } from "../../cli/kit/option-values.ts";
import { printJson } from "../../cli/kit/output.ts";
import { openProgressBar } from "../../cli/kit/progress-bar.ts";
import { type Reconciliation, reconcile } from "../app/reconcile.ts";
import { getAccount } from "./receiving-account.ts";
import { reconciliationJson, renderReconciliation } from "./reconcile-view.ts";
import { openStatementFile } from "./statement-file.ts";

export const reconcileCommand: Command = {
  name: "reconcile",
  summary: "Reconcile a bank statement with the recorded transfers, and its closing balance with the ledger.",
  arguments: ["ACCOUNT", "FILE"],
  options: {
    from: { type: "string", value: "DAY", help: "the first day of the statement, if not that of its first line" },
    to: { type: "string", value: "DAY", help: "the last day of the statement, if not that of its last line" },
    "closing-balance": {
      type: "string",
      value: "MINOR",
      help: "the bank's closing balance in minor units, if the file has none",
    },
    json: { type: "boolean", help: "print the result as JSON" },
  },
  notes: [
    "It changes nothing. Exit code 0: everything agrees; 4: at least one difference.",
    "The statement must cover whole days. Write a balance below zero as --closing-balance=-20000.",
    "Differences: missing here (the bank has it, we do not), missing there (the reverse), amount differs, doubled (the file",
    "has the reference twice), other day.",
    "Example: {program} reconcile sber-1 statement.csv --closing-balance 1250000",
  ],
  run: (context, input) => {
    const from = optional(input, "from", readDay);
    const to = optional(input, "to", readDay);
    if (from !== undefined && to !== undefined && from > to) throw wrongUsage("--to must not be before --from.");
    const closingBalance = optional(input, "closing-balance", readSignedMinor);
    return context.withDatabase(async (db) => {
      const deps = { db, keyring: await context.openKeyring(db) };
      const account = await getAccount(deps, positional(input, 0));
      const file = openStatementFile(context, positional(input, 1), account);
      const bar = openProgressBar(context);
      const result = await reconcile(deps, {
        ...{ account, portions: file.portions, from, to, closingBalance },
        onProgress: (lines) => bar.show(file.share(), `${lines} lines`, Date.now()),
      });
      bar.clear();
      print(context, input, result, account.currency);
      return exitOf(result);
    });
  },
};

function print(
  context: Parameters<Command["run"]>[0],
  input: CommandInput,
  result: Reconciliation,
  currency: Parameters<typeof renderReconciliation>[1],
): void {
  if (input.flag("json")) printJson(context, reconciliationJson(result));
  else context.print(renderReconciliation(result, currency));
  if (result.fault !== undefined)
    context.printError(`The file could not be read to its end, so nothing was compared: ${result.fault}`);
}

function exitOf({ fault, period, differences, closing, refusedCount }: Reconciliation) {
  // A file about nothing, or about another account, proves nothing.
  if (fault !== undefined || period === undefined) return EXIT.refused;
  const balanceDiffers = closing?.theirs !== undefined && closing.theirs !== closing.ours;
  return differences.length > 0 || balanceDiffers || refusedCount > 0 ? EXIT.violations : EXIT.done;
}

function readDay(text: string, name: string): string {
  const exists = /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
  if (!exists) throw wrongUsage(`${name} must be a day such as 2026-01-31. It is ${quote(text)}.`);
  return text;
}

function readSignedMinor(text: string, name: string): bigint {
  if (!/^-?[0-9]{1,15}$/.test(text)) {
    throw wrongUsage(`${name} must be a whole number of minor units (kopecks, cents). It is ${quote(text)}.`);
  }
  return BigInt(text);
}
