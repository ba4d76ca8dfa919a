import {
  type CliContext,
  CliFault,
  type Command,
  type CommandInput,
  EXIT,
  type ExitCode,
} from "../../cli/kit/command.ts";
import { reasonOf } from "../../cli/kit/input-file.ts";
import {
  optional,
  readCurrency,
  readId,
  readInteger,
  readPlainText,
  requiredText,
  wrongUsage,
} from "../../cli/kit/option-values.ts";
import { countOf } from "../../cli/kit/output.ts";
import { openPrivateOutput, type PrivateOutput } from "../../cli/kit/private-output.ts";
import type { Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { type ExportedPayouts, type ExportFault, exportPayouts, repeatExport } from "../app/export-payouts.ts";
import { writePayoutSheet } from "../core/payout-sheet.ts";

const LIMIT_STANDARD = 100;
const LIMIT_MAX = 1000;
const ACCOUNT_MAX = 40;
const TO_SCREEN = "-";

export const payoutExport: Command = {
  name: "payout export",
  summary: "Export waiting manual payouts as CSV and assign them to you.",
  arguments: [],
  options: {
    account: { type: "string", value: "CODE", help: "the receiving account that you will pay them from" },
    currency: { type: "string", value: "CODE", help: "the account's currency, as a check" },
    limit: {
      type: "string",
      value: "N",
      help: `at most so many, from 1 to ${LIMIT_MAX}; ${LIMIT_STANDARD} if left out`,
    },
    file: {
      type: "string",
      value: "FILE",
      help: "a new file that only you can read; - prints it; default payouts-EXPORT.csv",
    },
    again: {
      type: "string",
      value: "EXPORT",
      help: "repeat this earlier export, without payouts that have ended since",
    },
  },
  notes: [
    "The file has receivers in plain text: delete it after you have uploaded it to the bank.",
    "Do not change the purpose: the bank's statement completes each payout by it.",
    "Example: {program} payout export --account main --file payouts.csv",
  ],
  run: (context, input) => {
    const ask = readQuestion(context, input);
    return context.withDatabase(async (db) => {
      const keyring = await context.openKeyring(db);
      const toScreen = input.text("file") === TO_SCREEN;
      // Opened before anything is handed out, so that no list is lost for want of it.
      const file = toScreen ? undefined : openPrivateOutput(input.text("file") ?? `payouts-${ask.exportId}.csv`);
      return handOut(context, file, () => ask.from({ db, keyring }));
    });
  },
};

type Question = {
  readonly exportId: ReturnType<typeof newId>;
  readonly from: (deps: {
    readonly db: Database;
    readonly keyring: Keyring;
  }) => Promise<Result<ExportedPayouts, ExportFault>>;
};

function readQuestion(context: CliContext, input: CommandInput): Question {
  const again = optional(input, "again", readId);
  if (again !== undefined) {
    const other = ["account", "currency", "limit"].find((option) => input.text(option) !== undefined);
    if (other !== undefined) throw wrongUsage(`--again does not go with --${other}.`);
    return { exportId: again, from: (deps) => repeatExport(deps, again) };
  }
  const command = {
    exportId: newId(),
    account: readPlainText(requiredText(input, "account"), "--account", ACCOUNT_MAX),
    currency: optional(input, "currency", readCurrency),
    limit: optional(input, "limit", (text, name) => readInteger(text, name, 1, LIMIT_MAX)) ?? LIMIT_STANDARD,
    actor: context.actor,
  };
  return { exportId: command.exportId, from: (deps) => exportPayouts(deps, command) };
}

async function handOut(
  context: CliContext,
  file: PrivateOutput | undefined,
  ask: () => Promise<Result<ExportedPayouts, ExportFault>>,
): Promise<ExitCode> {
  let found: ExportedPayouts | undefined;
  try {
    const exported = await ask();
    if (!exported.ok) throw new CliFault(`${REFUSALS[exported.error]} Nothing was exported.`);
    found = exported.value;
  } finally {
    if (found === undefined || found.payouts.length === 0) file?.discard();
  }
  for (const requestId of found.broken)
    context.printError(`Payout ${requestId} was left out: its receiver cannot be opened, so it was tampered with.`);
  for (const requestId of found.paidBefore)
    context.printError(
      `Payout ${requestId} was left out: a debit that no payout explains names it (transfer list --outcome unexplained). ` +
        "If that debit paid it: payout complete. If not, explain the debit, or reverse it, and export again.",
    );
  if (found.payouts.length === 0) sayBeside(context, file)(noneOf(found));
  else write(context, file, found);
  return EXIT.done;
}

function noneOf({ leftOut, paidBefore }: ExportedPayouts): string {
  if (paidBefore.length > 0) return "No other payout is waiting for export.";
  return leftOut === 0 ? "No payout is waiting for export." : `All ${leftOut} of that list have ended, or are paused.`;
}

/** Where the list is printed, nothing else is. */
function sayBeside(context: CliContext, file: PrivateOutput | undefined): (text: string) => void {
  return file === undefined ? context.printError : context.print;
}

/** They are marked by now: whatever goes wrong here, the list can be had again. */
function write(context: CliContext, file: PrivateOutput | undefined, found: ExportedPayouts): void {
  const { exportId, account, payouts, leftOut } = found;
  const sheet = writePayoutSheet(payouts);
  const again = `${context.programName} payout export --again ${exportId}`;
  if (file === undefined) context.print(sheet.trimEnd());
  else {
    try {
      file.write(sheet);
    } catch (error) {
      throw new CliFault(`${file.path} could not be written: ${reasonOf(error)}. Once it can: ${again}`);
    }
  }
  const what = countOf(payouts.length, "payout");
  const where = file === undefined ? "" : `, in ${file.path}`;
  const rest = leftOut === 0 ? "" : ` ${leftOut} of that list have ended, or are paused.`;
  sayBeside(
    context,
    file,
  )(`Export ${exportId}: ${what} to pay from ${account}${where}.${rest} To repeat this export: ${again}`);
}

const REFUSALS = {
  account_unknown: "There is no such receiving account: see pool account list.",
  currency_differs: "The account is in another currency.",
  payouts_paused: "Payouts are paused: see attention.",
  export_unknown: "There is no such export.",
} as const satisfies Record<ExportFault, string>;
